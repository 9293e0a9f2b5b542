"""The iterated prisoner's dilemma: both sides choose at the same time. rules.md has the rules.

A state is a list: the choices of ROW and of COLUMN so far, as texts such as "CCD".
"""
import json

from menagerie_rules import Game, Refused, run

ROUNDS = 200
POINTS = {"CC": 3, "CD": 0, "DC": 5, "DD": 1}  # of who made the first of the two choices


def points(own, other):
    return sum(POINTS[one + two] for one, two in zip(own, other))


class PrisonersDilemma(Game):
    sides = ["ROW", "COLUMN"]

    def start(self, variant):
        return ["", ""]

    def turn(self, state):
        return [0, 1]

    def moves(self, state, side):
        return ["C", "D"]

    def play(self, state, moves):
        return [state[0] + moves[0], state[1] + moves[1]]

    def over(self, state):
        row, column = state
        if len(row) < ROUNDS:
            return None
        one, other = points(row, column), points(column, row)
        winner = None if one == other else int(other > one)
        return {"winner": winner, "why": "%d : %d points" % (one, other), "points": one - other}

    def task(self, state, clocks, single, side):
        return json.dumps({"own": state[side], "other": state[1 - side]}) + "\n"

    def read(self, state, text, side):
        if text.strip() not in ("C", "D"):
            raise Refused("format", "expected C or D, found %r" % text[:40], line=1)
        return text.strip()

    def board(self, state):
        row, column = state
        return "ROW    %s %d\nCOLUMN %s %d" % (row[-60:], points(row, column), column[-60:], points(column, row))


if __name__ == "__main__":
    run(PrisonersDilemma())
