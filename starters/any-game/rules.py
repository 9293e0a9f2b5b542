"""Tic-tac-toe: three in a row on 3 x 3 squares. Start the rules of your own game from here; menagerie_rules.py says what a function does.

A state is a string of ten signs: the side that moves ('X' or 'O'), and the nine squares row by row, '.' for an empty one.
"""
import re

from menagerie_rules import Game, Refused, run

NAMES = ["%d,%d" % (x, y) for y in range(3) for x in range(3)]  # the moves: x to the right, y down, from 0
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(Game):
    sides = ["X", "O"]

    def start(self, variant):
        return "X" + "." * 9

    def turn(self, state):
        return "XO".index(state[0])

    def moves(self, state):
        return [name for name, square in zip(NAMES, state[1:]) if square == "."]

    def play(self, state, move):
        board = list(state[1:])
        board[NAMES.index(move)] = state[0]
        return ("O" if state[0] == "X" else "X") + "".join(board)

    def over(self, state):
        for side, name in enumerate(self.sides):
            if any(all(state[1 + square] == name for square in row) for row in ROWS):
                return {"winner": side, "why": "three in a row"}
        return None if "." in state else {"winner": None, "why": "the board is full"}

    def task(self, state, clocks, single):
        """Five lines: the side to move, its seconds, the three rows."""
        return "\n".join([state[0], "%.3f" % clocks[self.turn(state)], state[1:4], state[4:7], state[7:10]]) + "\n"

    def read(self, state, text):
        """One line x,y. Nothing has to be checked that is in `moves`; but the reason "occupied" says more than "not a legal move"."""
        move = text.strip()
        if len(move) != 3 or not move[0].isdigit() or move[1] != "," or not move[2].isdigit():
            raise Refused("format", "expected a square like 2,0, found %r" % move[:40], line=1)
        if move in NAMES and move not in self.moves(state):
            raise Refused("illegal", move + " is occupied")
        return move

    # What follows may be left out. `position` lets `judge check` read input files, `value` lets reference players look ahead, `board`
    # and `draw` are for people.

    def position(self, text):
        lines = text.split("\n")
        if len(lines) < 5 or lines[0] not in ("X", "O"):
            raise Refused("format", "expected X or O, the seconds, and three rows", line=1)
        for number, line in enumerate(lines[2:5], start=3):
            if len(line) != 3 or line.strip("XO."):
                raise Refused("format", "expected a row of three signs X, O or '.', found %r" % line[:40], line=number)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,30})?", lines[1]):
            raise Refused("format", "expected a number of seconds, found %r" % lines[1][:40], line=2)
        own = float(lines[1])
        return lines[0] + "".join(lines[2:5]), [own, None] if lines[0] == "X" else [None, own]

    def value(self, state):
        """The rows that a side can still fill, less those of the other."""
        free = {side: sum(all(state[1 + square] in (side, ".") for square in row) for row in ROWS) for side in "XO"}
        return free[state[0]] - free["O" if state[0] == "X" else "X"]

    def board(self, state):
        return "\n".join(" ".join(state[row : row + 3]) for row in (1, 4, 7))

    def draw(self, state, move):
        squares = [[int(part) for part in move.split(",")]] if move else []
        return [list(state[row : row + 3]) for row in (1, 4, 7)], squares


if __name__ == "__main__":
    run(TicTacToe())
