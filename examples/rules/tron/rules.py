"""Tron: two cycles move at the same time and leave walls. rules.md has the rules.

A state is a list: the rows of the board, from the top, and the result: None while the game goes on,
then the sides that have crashed.
"""
from menagerie_rules import Game, Refused, run

SIZE = 11
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
STARTS = [(2, SIZE // 2), (SIZE - 3, SIZE // 2)]


def with_square(rows, place, letter):
    x, y = place
    return rows[:y] + [rows[y][:x] + letter + rows[y][x + 1 :]] + rows[y + 1 :]


class Tron(Game):
    sides = ["RED", "BLUE"]

    def start(self, variant):
        rows = ["." * SIZE] * SIZE
        return [with_square(with_square(rows, STARTS[0], "R"), STARTS[1], "B"), None]

    def place(self, rows, side):
        y = next(y for y, row in enumerate(rows) if "RB"[side] in row)
        return rows[y].index("RB"[side]), y

    def target(self, rows, side, move):
        (x, y), (right, down) = self.place(rows, side), STEPS[move]
        return x + right, y + down

    def is_free(self, rows, square):
        x, y = square
        return 0 <= x < SIZE and 0 <= y < SIZE and rows[y][x] == "."

    def turn(self, state):
        return [0, 1]

    def moves(self, state, side):
        return list(STEPS)

    def play(self, state, moves):
        rows = state[0]
        places = [self.place(rows, side) for side in (0, 1)]
        targets = [self.target(rows, side, moves[side]) for side in (0, 1)]
        crashed = [side for side in (0, 1) if not self.is_free(rows, targets[side])]
        if targets[0] == targets[1]:
            crashed = [0, 1]
        for side in (0, 1):
            rows = with_square(rows, places[side], "#")
        for side in (0, 1):
            if side not in crashed:
                rows = with_square(rows, targets[side], "RB"[side])
        return [rows, crashed or None]

    def over(self, state):
        crashed = state[1]
        if crashed is None:
            return None
        if len(crashed) == 2:
            return {"winner": None, "why": "both have crashed"}
        return {"winner": 1 - crashed[0], "why": "%s has crashed" % self.sides[crashed[0]]}

    def weight(self, state, move, side):
        """`random` crashes only if it must."""
        return int(self.is_free(state[0], self.target(state[0], side, move)))

    def task(self, state, clocks, single, side):
        return "\n".join([self.sides[side], "%.2f" % clocks[side], *state[0]]) + "\n"

    def position(self, text):
        lines = text.rstrip("\n").split("\n")
        try:
            side, seconds, rows = self.sides.index(lines[0]), float(lines[1]), lines[2:]
        except (ValueError, IndexError):
            raise Refused("format", "expected RED or BLUE, its seconds, and the rows", line=1)
        letters = sorted("".join(rows).replace(".", "").replace("#", ""))
        if [len(row) for row in rows] != [SIZE] * SIZE or letters != ["B", "R"] or not 0 <= seconds < 1e9:
            raise Refused("format", "expected %d rows with one R and one B" % SIZE, line=3)
        return [rows, None], [seconds, None] if side == 0 else [None, seconds], side

    def read(self, state, text, side):
        if text.strip() not in STEPS:
            raise Refused("format", "expected one of %s, found %r" % (", ".join(STEPS), text[:40]), line=1)
        return text.strip()

    def board(self, state):
        return "\n".join(" ".join(row) for row in state[0])

    def draw(self, state, move):
        cells = [[{"R": "R", "B": "B", "#": "x"}.get(square, ".") for square in row] for row in state[0]]
        last = [[x, y] for y, row in enumerate(state[0]) for x, square in enumerate(row) if square in "RB"]
        return cells, last


if __name__ == "__main__":
    run(Tron())
