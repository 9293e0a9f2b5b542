"""A game on 19 x 19 squares that does not end: a stone on any square replaces the one that lay there.

A state is a list: the number of plies, and the squares row by row. A test sets LAST so that the game ends.
"""
from menagerie_rules import Game, Refused, run

SIZE = 19
LAST = 0  # the plies after which X has won; 0 for none


class Endless(Game):
    sides = ["X", "O"]

    def start(self, variant):
        return [0, "." * SIZE * SIZE]

    def turn(self, state):
        return state[0] % 2

    def moves(self, state):
        return ["%d,%d" % (x, y) for y in range(SIZE) for x in range(SIZE)]

    def play(self, state, move):
        x, y = map(int, move.split(","))
        at = y * SIZE + x
        return [state[0] + 1, state[1][:at] + "XO"[state[0] % 2] + state[1][at + 1 :]]

    def over(self, state):
        return {"winner": 0, "why": "the last stone"} if LAST and state[0] >= LAST else None

    def task(self, state, clocks, single):
        rows = [state[1][row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE)]
        return "\n".join([str(state[0])] + rows) + "\n"

    def read(self, state, text):
        if text.strip() not in self.moves(state):
            raise Refused("format", "expected x,y")
        return text.strip()


if __name__ == "__main__":
    run(Endless())
