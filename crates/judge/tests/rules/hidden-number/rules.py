"""The side to move names the number from 0 to 8 that the state hides; each right one is a point. Only who looks is often right."""
import random

from menagerie_rules import Game, run


class HiddenNumber(Game):
    sides = ["X", "O"]

    def start(self, variant):
        return {"number": random.Random(variant).randrange(9), "points": 0, "ply": 0}

    def turn(self, state):
        return state["ply"] % 2

    def moves(self, state):
        return [str(number) for number in range(9)]

    def play(self, state, move):
        won = (1, -1)[self.turn(state)] * (int(move) == state["number"])
        number = random.Random(str(state)).randrange(9)
        return {"number": number, "points": state["points"] + won, "ply": state["ply"] + 1}

    def over(self, state):
        points = state["points"]
        if state["ply"] < 40:
            return None
        return {"winner": None if points == 0 else int(points < 0), "why": "40 numbers", "points": points}

    def value(self, state):
        return state["points"] if self.turn(state) == 0 else -state["points"]

    def task(self, state, clocks, single):
        return "%d\n" % state["ply"]

    def guess(self, state, side, number):
        return dict(state, number=random.Random(number).randrange(9))


run(HiddenNumber())
