"""Pente on 19 x 19 points, or gomoku. rules.md has the rules.

A state is a text: the points, row after row; the side to move, 0 or 1; the pairs that both sides
have taken; and the number of the point of the last stone, or -1.
"""
import re

from menagerie_rules import Game, Refused, run

SIZE, ROW = 19, 5
PAIRS = 5  # the pairs that win; 0: gomoku, in which nothing is taken
STEPS = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)]
NAMES = ["%d,%d" % (at % SIZE, at // SIZE) for at in range(SIZE * SIZE)]


def ray(at, step):
    """The next four points in a direction."""
    places = [(at % SIZE + step[0] * far, at // SIZE + step[1] * far) for far in range(1, ROW)]
    return [y * SIZE + x for x, y in places if 0 <= x < SIZE and 0 <= y < SIZE]


RAYS = [[ray(at, step) for step in STEPS] for at in range(SIZE * SIZE)]


class Pente(Game):
    sides = ["BLACK", "WHITE"]

    def start(self, variant):
        return "." * SIZE * SIZE + " 0 0 0 -1"

    def parts(self, state):
        points, side, black, white, last = state.split(" ")
        return points, int(side), [int(black), int(white)], int(last)

    def turn(self, state):
        return self.parts(state)[1]

    def moves(self, state):
        return [name for name, point in zip(NAMES, state) if point == "."]

    def play(self, state, move):
        points, side, taken, _ = self.parts(state)
        at, own, other = NAMES.index(move), "BW"[side], "WB"[side]
        board = list(points)
        board[at] = own
        for one, two, three in (places[:3] for places in RAYS[at] if PAIRS and len(places) > 2):
            if board[one] == board[two] == other and board[three] == own:
                board[one] = board[two] = "."
                taken[side] += 1
        return "%s %d %d %d %d" % ("".join(board), 1 - side, *taken, at)

    def over(self, state):
        points, side, taken, last = self.parts(state)
        if last < 0:
            return None
        if PAIRS and taken[1 - side] >= PAIRS:
            return {"winner": 1 - side, "why": "%d pairs" % taken[1 - side]}
        lengths = []
        for places in RAYS[last]:
            row = "".join(points[at] for at in places)
            lengths.append(len(row) - len(row.lstrip(points[last])))
        if max(one + other + 1 for one, other in zip(lengths[:4], lengths[4:])) >= ROW:
            return {"winner": 1 - side, "why": "five in a row"}
        return None if "." in points else {"winner": None, "why": "the board is full"}

    def lines(self, state):
        return [state[at : at + SIZE] for at in range(0, SIZE * SIZE, SIZE)]

    def task(self, state, clocks, single):
        _, side, taken, _ = self.parts(state)
        return "\n".join([self.sides[side], "%.2f" % clocks[side], "%d %d" % tuple(taken), *self.lines(state)]) + "\n"

    def position(self, text):
        lines = text.rstrip("\n").split("\n")
        try:
            side, seconds = self.sides.index(lines[0]), float(lines[1])
            black, white = map(int, lines[2].split())
        except (ValueError, IndexError):
            raise Refused("format", "expected BLACK or WHITE, its seconds, two numbers of pairs, and rows", line=1)
        if not 0 <= seconds < 1e9 or min(black, white) < 0:
            raise Refused("format", "expected seconds and pairs from 0", line=2)
        if len(lines) != 3 + SIZE or any(not re.fullmatch("[BW.]{%d}" % SIZE, row) for row in lines[3:]):
            raise Refused("format", "expected %d rows of %d points B, W or ." % (SIZE, SIZE), line=4)
        state = "%s %d %d %d -1" % ("".join(lines[3:]), side, black, white)
        return state, [seconds, None] if side == 0 else [None, seconds]

    def read(self, state, text):
        move = text.strip()
        if move not in NAMES:
            raise Refused("format", "expected a point like 9,9, found %r" % move[:40], line=1)
        if state[NAMES.index(move)] != ".":
            raise Refused("illegal", "%s is occupied" % move)
        return move

    def board(self, state):
        return "\n".join(" ".join(row) for row in self.lines(state))

    def draw(self, state, move):
        last = self.parts(state)[3]
        return [list(row) for row in self.lines(state)], [] if last < 0 else [[last % SIZE, last // SIZE]]


if __name__ == "__main__":
    run(Pente())
