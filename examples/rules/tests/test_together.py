"""Moves at the same time: side 1 is asked after side 0, and nothing that it gets tells what side 0 has chosen."""
import random
import unittest

import games
from games import CLOCKS, RULES, ask, rules_of, servers

PRISONERS = RULES / "prisoners-dilemma"
STRATEGIES = ("tit_for_tat", "grim", "always_defect", "always_cooperate")
# The points of both in 200 rounds, by R. Axelrod's table of points.
KNOWN = {
    ("tit_for_tat", "tit_for_tat"): (600, 600),
    ("tit_for_tat", "grim"): (600, 600),
    ("tit_for_tat", "always_defect"): (199, 204),
    ("tit_for_tat", "always_cooperate"): (600, 600),
    ("grim", "always_defect"): (199, 204),
    ("grim", "always_cooperate"): (600, 600),
    ("always_defect", "always_defect"): (200, 200),
    ("always_defect", "always_cooperate"): (1000, 0),
}


def prisoners():
    return games.server(rules_of(PRISONERS).PrisonersDilemma())


class Together(unittest.TestCase):
    def test_side_1_sees_nothing_of_the_move_of_side_0(self):
        for server in (prisoners(), servers()["tron"]):
            chance, state, moments = random.Random(1), ask(server, "start", variant=None)["state"], 0
            while ask(server, "view", state=state)["over"] is None:
                view = ask(server, "view", state=state)
                self.assertEqual(view["turn"], 0)
                told = set()
                for place in [view["together"]] + [ask(server, "play", state=state, move=move)["state"] for move in view["moves"]]:
                    second = ask(server, "view", state=place)
                    self.assertEqual((second["turn"], second["together"]), (1, state))
                    task = ask(server, "task", state=place, clocks=CLOCKS, single=False)["files"]
                    guess = ask(server, "guess", state=place, side=1, number=moments)["state"]
                    told.add((str(task), str(second["moves"]), second["board"], str(ask(server, "task", state=guess, clocks=CLOCKS)["files"])))
                self.assertEqual(len(told), 1)
                for _ in (0, 1):
                    move = chance.choice(ask(server, "view", state=state)["moves"])
                    state = ask(server, "play", state=state, move=move)["state"]
                moments += 1
            self.assertGreater(moments, 2)
            self.assertNotIn("together", ask(server, "view", state=state))

    def test_a_move_that_nobody_knows_leads_nowhere(self):
        server = servers()["tron"]
        second = ask(server, "view", state=ask(server, "start", variant=None)["state"])["together"]
        self.assertEqual(ask(server, "play", state=second, move="up")["state"], second)
        self.assertEqual(ask(server, "guess", state=ask(server, "view", state=second)["together"], side=0, number=1), {"absent": "guess"})

    def test_the_scores_of_axelrods_strategies(self):
        strategies = {}
        for name in STRATEGIES:
            names = {}
            exec((PRISONERS / "opponents" / (name + ".py")).read_text(), names)
            strategies[name] = names["choose"]
        for (one, other), (row, column) in KNOWN.items():
            server = prisoners()
            state = ask(server, "start", variant=None)["state"]
            for _ in range(200):
                for name in (one, other):
                    file = ask(server, "task", state=state, clocks=CLOCKS, single=False)["files"]["input.txt"]
                    answer = strategies[name](**games.json.loads(file))
                    move = ask(server, "read", state=state, files={"output.txt": answer})["move"]
                    state = ask(server, "play", state=state, move=move)["state"]
            over = ask(server, "view", state=state)["over"]
            self.assertEqual((over["why"], over["points"]), ("%d : %d points" % (row, column), row - column), (one, other))

    def test_both_crash_where_they_meet(self):
        server, ends = servers()["tron"], []
        for pairs in ([("right", "left")] * 3, [("left", "right")] * 3, [("up", "right")] * 9, [("left", "up")] * 9):
            state = ask(server, "start", variant=None)["state"]
            for move in (move for pair in pairs for move in pair):
                if ask(server, "view", state=state)["over"] is None:
                    state = ask(server, "play", state=state, move=move)["state"]
            ends.append(ask(server, "view", state=state)["over"]["winner"])
        self.assertEqual(ends, [None, None, 0, 1])


if __name__ == "__main__":
    unittest.main()
