"""The verified cases of both games: a file read, a verdict, the board after it, the end."""
import json
import unittest

from games import ask, cases, servers

WORDS = {"occupied": "is occupied", "off the board": "off the board", "suicide": "is suicide", "ko": "a ko", "no flip": "flips no disc"}


class Cases(unittest.TestCase):
    def verdict(self, server, state, case):
        """Asks for the verdict on a case's output file, and returns the state after a legal move."""
        output = {} if case["output"] == "(none)" else {"output.txt": json.loads(case["output"])}
        answer = ask(server, "read", state=state, files=output)
        kind, _, why = case["verdict"].partition(": ")
        if kind == "legal":
            self.assertIn("move", answer)
            return ask(server, "play", state=state, move=answer["move"])["state"]
        self.assertEqual(answer.get("refused"), kind, answer)
        if kind == "illegal" and answer["why"] != "the game is over":  # so it is on two boards, on which neither side has a move
            self.assertIn(WORDS[why], answer["why"])
        return None

    def test_little_go(self):
        server, all_cases = servers()["little-go"], cases("little-go")
        self.assertEqual(len(all_cases), 26)
        for case in all_cases:
            with self.subTest(case["case"]):
                text = case["input"].rstrip("\n")
                state = ask(server, "position", files={"input.txt": text})["state"]
                self.assertEqual(ask(server, "task", state=state, clocks=[10, 10], single=False), {"files": {"input.txt": text}})
                words = state.split(" ")
                state = " ".join(words[:3] + [str(int(case.get("moves", 3)) - 1)])  # the file does not tell the number of the move
                after = self.verdict(server, state, case)
                if after is None:
                    continue
                if "after" in case:
                    self.assertEqual(after.split(" ")[2], case["after"].replace("/", ""))
                over = ask(server, "view", state=after)["over"]
                self.assertEqual(over is not None, "end" in case)
                if over:
                    winner, black, white = case["end"].split(" ")
                    self.assertEqual(over["winner"], ["BLACK", "WHITE"].index(winner))
                    counts = over["why"].split(" after ")[0]
                    self.assertEqual(counts, "BLACK %d : WHITE %.1f" % (float(black), float(white)))

    def test_duo_othello(self):
        server, all_cases = servers()["duo-othello"], cases("duo-othello")
        self.assertEqual(len(all_cases), 34)
        for case in all_cases:
            with self.subTest(case["case"]):
                read = ask(server, "position", files={"input.txt": case["input"]})
                state, (side, seconds) = read["state"], case["input"].split("\n")[:2]
                own, other = map(float, seconds.split(" "))
                self.assertEqual(read["clocks"], [own, other] if side == "O" else [other, own])
                view = ask(server, "view", state=state)
                if case["verdict"] == "not asked: end":
                    winner, x, o = case["end"].split(":")[0].split(" ")
                    self.assertEqual(view["over"]["points"], int(o) - int(x))
                    if winner == "tie":
                        self.assertEqual((view["over"]["winner"], view["over"]["by_time"]), (None, 1))
                    else:
                        self.assertEqual(view["over"]["winner"], "OX".index(winner))
                elif case["verdict"].startswith("not asked"):
                    self.assertEqual((case["verdict"], view["turn"], view["moves"]), ("not asked: no move for O, X plays d1", 1, ["d1"]))
                else:
                    if view["over"] is None:
                        self.assertEqual(view["turn"], "OX".index(side))
                    self.assertEqual(view["over"] is not None, case["case"] in ("no-anchor-to-the-edge", "gap-in-the-line"))
                    after = self.verdict(server, state, case)
                    if after is not None:
                        self.assertEqual(after[2:], case["after"].replace("/", ""))


if __name__ == "__main__":
    unittest.main()
