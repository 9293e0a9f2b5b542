"""What the judge relies on: one line, one answer; faults are answers; answers depend on nothing but the request."""
import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import games
from games import CLOCKS, ENVIRONMENT, FOLDERS, STARTER, ask, random_game, servers

GARBAGE = ["", "\n", "\r", " ", "\0", ",", "2,", ",2", "2,2,", "1e1,0", "PASS,1", "pass", "a", "a0", "c2 d3", "\ufffd", "\u0662,\u0662", "\u00b2,0",
           "9" * 5000 + ",0", "a" + "9" * 5000, "-1,-1", "1,\n2", "X\n", "X\nnan\n...\n...\n...", "O\ninf inf\n" + "............\n" * 12,
           "1\n" + "00000\n" * 9, "1\n" + "00000\n" * 11, "\ud800", "\u2028", "[" * 5000, "%s %d", "0_1,1"]  # fmt: skip


def lines_of(folder, requests, interpreter=sys.executable):
    """The answers of the program itself, started in the game's folder as the judge starts it."""
    command = [interpreter, "-B", "rules.py"]
    lines = b"".join(each + b"\n" for each in requests)
    done = subprocess.run(command, cwd=str(folder), input=lines, stdout=subprocess.PIPE, env=ENVIRONMENT, check=True)
    return done.stdout.decode().split("\n")[:-1]


class Protocol(unittest.TestCase):
    def test_garbage_is_refused(self):
        chance = random.Random(1)
        for name, server in servers().items():
            start = ask(server, "start", variant=None)["state"]
            files = ask(server, "task", state=start, clocks=CLOCKS, single=False)["files"]
            texts = list(GARBAGE)
            for _ in range(500):  # an input file, or a move, with some signs changed, taken out or put in
                text = list(chance.choice([files["input.txt"], chance.choice(ask(server, "view", state=start)["moves"])]))
                for _ in range(chance.randint(1, 4)):
                    place = chance.randrange(len(text) + 1)
                    text[place : place + chance.randint(0, 1)] = chance.choice(["", "\n", "\r\n", ",", "2", "-", "X", "\0", "e", "\u00e9", " "])
                texts.append("".join(text))
            for text in texts:
                answer = ask(server, "read", state=start, files={"output.txt": text})
                self.assertTrue(set(answer) in ({"move"}, {"refused", "why"}, {"refused", "why", "line"}), (name, text, answer))
                answer = ask(server, "position", files={"input.txt": text})
                self.assertTrue("state" in answer or answer.get("refused") == "format", (name, text, answer))
                if "state" in answer:
                    self.assertNotIn("error", ask(server, "view", state=answer["state"]))
            for missing in ({}, {"OUTPUT.TXT": "0,0", "Input.txt": ""}):
                self.assertEqual(ask(server, "read", state=start, files=missing)["refused"], "format")
                self.assertEqual(ask(server, "position", files=missing)["refused"], "format")

    def test_illegal_moves_are_not_played(self):
        for server in servers().values():
            start = ask(server, "start", variant=None)["state"]
            for move in ["", "x", "5,5", None, 7, ["0,0"], {"a": 1}]:
                self.assertEqual(ask(server, "play", state=start, move=move)["refused"], "illegal")
            *_, (end, _, _) = random_game(server, 5)
            self.assertEqual(ask(server, "play", state=end, move="0,0")["refused"], "illegal")
            for text in ("0,0", "c2", "PASS"):
                self.assertIn("refused", ask(server, "read", state=end, files={"output.txt": text}))

    def test_moves_come_with_what_they_lead_to_and_random_games_with_their_winner(self):
        for name, server in servers().items():
            state = ask(server, "start", variant=None)["state"]
            for move in ask(server, "view", state=state)["moves"]:
                answer = ask(server, "play", state=state, move=move)
                self.assertEqual(answer["view"], ask(server, "view", state=answer["state"]), name)
            winners = [ask(server, "playout", state=state, number=number)["winner"] for number in list(range(10)) * 2]
            self.assertEqual(winners[:10], winners[10:], name)
            self.assertLess(0 if "hidden" in (FOLDERS[name] / "game.toml").read_text() else 1, len(set(winners)), name)
            self.assertLessEqual(set(winners), {0, 1, None}, name)

    def test_faults_are_answers(self):
        faults = [b"", b"garbage", b"[]", b"null", b"7", b'"view"', b"{}", b'{"do":"dance"}', b'{"do":["view"]}', b'{"do":"view"}', b"\xff\xfe{",
                  b'{"do":"view","state":7}', b'{"do":"view","state":""}', b'{"do":"view","state":"\\t{"}', b'{"do":"read","state":"x"}',
                  b'{"do":"position","files":{"input.txt":7}}', b'{"do":"answer"}', b"[" * 100000, b'{"do":"__init__"}']  # fmt: skip
        start = b'{"do":"start","variant":null}'
        for name, folder in FOLDERS.items():
            answers = lines_of(folder, [each for fault in faults for each in (fault, start)])
            self.assertEqual(len(answers), 2 * len(faults), name)
            for fault, answer, next_one in zip(faults, answers[::2], answers[1::2]):
                self.assertEqual(list(json.loads(answer)), ["error"], (name, fault))
                self.assertEqual(list(json.loads(next_one)), ["state"], (name, fault))

    def test_the_order_of_requests_does_not_matter(self):
        for name, server in servers().items():
            requests = []
            for seed in range(3):
                for state, view, move in random_game(server, seed):
                    asked = [{"do": "view", "state": state}, {"do": "draw", "state": state, "move": None}]
                    if move is not None:
                        asked.append({"do": "play", "state": state, "move": move})
                        asked.append({"do": "task", "state": state, "clocks": CLOCKS, "single": True})
                        asked.append({"do": "read", "state": state, "files": {"output.txt": move}})
                    requests += [json.dumps(each).encode() for each in asked]
            first = dict(zip(requests, lines_of(FOLDERS[name], requests)))
            twice = requests * 2
            random.Random(2).shuffle(twice)
            self.assertEqual(lines_of(FOLDERS[name], twice), [first[each] for each in twice], name)

    def test_draw(self):
        for name, move, square in [("little-go", "0,4", [4, 0]), ("duo-othello", "b3", [1, 2]), ("tic-tac-toe", "2,0", [2, 0])]:
            server = servers()[name]
            start = ask(server, "start", variant=None)["state"]
            state = ask(server, "play", state=start, move=move)["state"]
            drawn = ask(server, "draw", state=state, move=move)
            self.assertEqual(drawn["last"], [square])
            self.assertEqual({len(row) for row in drawn["cells"]}, {len(drawn["cells"])})
            self.assertNotEqual(drawn["cells"][square[1]][square[0]], ".")
            self.assertEqual(ask(server, "draw", state=start, move=None)["last"], [])


class Library(unittest.TestCase):
    """Faults of a teacher's class."""

    def server(self, **functions):
        functions = {"start": lambda self, variant: [1, "x", None], "turn": lambda self, state: 0, "over": lambda self, state: None,
                     "moves": lambda self, state: ["a", "b"], "play": lambda self, state, move: state, **functions}  # fmt: skip
        return games.server(type("Some", (games.menagerie_rules.Game,), functions)())

    def test_states_that_are_no_strings(self):
        for value in ([1, "x", None], {"b": 1, "a": [2]}, 7, None, "", "text", "\ttext", "\u00e9"):
            server = self.server(start=lambda self, variant: value)
            state = ask(server, "start", variant=None)["state"]
            self.assertIsInstance(state, str)
            self.assertEqual(games.menagerie_rules.Moment(server.game, state).state, value)
            self.assertEqual(ask(server, "play", state=state, move="a")["state"], state)

    def test_states_that_would_come_back_different(self):
        for value in ({1: "a"}, [0, {"a": {2: "b"}}], ({"a": [{None: 1}]},)):
            error = ask(self.server(start=lambda self, variant: value), "start", variant=None)["error"]
            self.assertIn("a dict in a state has texts as its keys", error)

    def test_moves_that_cannot_be_used(self):
        for moves in ([], ["a", "a"], [1], ["a\nb"], None, [["a"]]):
            server = self.server(moves=lambda self, state: moves)
            self.assertEqual(list(ask(server, "view", state="\t[]")), ["error"], moves)

    def test_what_is_not_written(self):
        server = self.server()
        self.assertEqual(ask(server, "position", files={"input.txt": ""}), {"absent": "position"})
        self.assertEqual(ask(server, "draw", state="\t[]", move=None), {"absent": "draw"})
        self.assertEqual(ask(server, "guess", state="\t[]", side=0, number=1), {"absent": "guess"})
        self.assertEqual(ask(server, "view", state="\t[]"), {"turn": 0, "over": None, "moves": ["a", "b"], "board": "[]"})
        self.assertIn("task", ask(server, "task", state="\t[]", clocks=[1, 1], single=False)["error"])

    def test_the_default_way_to_read(self):
        server = self.server()
        for text, expected in [("a", "move"), ("a\n", "move"), (" b \r\n\r\n", "move"), ("", "format"), ("a\nb", "format"), ("c", "illegal")]:
            answer = ask(server, "read", state="\t[]", files={"output.txt": text})
            self.assertEqual(answer.get("refused", "move"), expected, text)

    def test_a_number_that_json_does_not_know(self):
        self.assertIn("error", ask(self.server(value=lambda self, state: float("nan")), "view", state="\t[]"))

    def test_an_error_names_its_place_and_prints_go_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "menagerie_rules.py").write_text((STARTER / "menagerie_rules.py").read_text())
            text = "from menagerie_rules import Game, run\n\n\nclass Mine(Game):\n    def start(self, variant):\n        print('aside')\n"
            (Path(folder) / "rules.py").write_text(text + "        return int('x')\n\n\nrun(Mine())\n")
            done = subprocess.run([sys.executable, "-B", "rules.py"], cwd=folder, input=b'{"do":"start"}\n', stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=True)  # fmt: skip
            error = "ValueError: invalid literal for int() with base 10: 'x' (rules.py, line 7, in start)"
            self.assertEqual(json.loads(done.stdout), {"error": error})
            self.assertEqual(done.stderr.strip(), b"aside")


class ByHand(unittest.TestCase):
    def test_a_game_in_the_terminal(self):
        for name, folder in FOLDERS.items():
            words = b"x\ni\n" + b"r\n" * 200
            done = subprocess.run([sys.executable, "-B", "rules.py", "play"], cwd=str(folder), input=words, stdout=subprocess.PIPE,
                                  env=ENVIRONMENT, check=True)  # fmt: skip
            self.assertIn(b"This is not a legal move.", done.stdout)
            self.assertIn(b"The game is over", done.stdout, name)


if __name__ == "__main__":
    unittest.main()
