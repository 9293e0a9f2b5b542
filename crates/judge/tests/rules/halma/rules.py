"""Halma by the addendum, as a rules program beside the built-in game. Only tests use it; docs/rules/halma.md has the rules.

The board and the moves come from agent.py, the starter in Python, and a copy of it lies beside this file.

A state is a string: the side that moves ('W' or 'B'), then the 256 squares row by row, '.' for an empty one. Nothing else bears on a
game. A move is the output file on one line, with "; " between the jumps: "E 3,4 4,5", or "J 3,4 5,4; J 5,4 5,6". Chains from a square to
another are all the same move, named by the starter's chain. A side that cannot move has the move "pass", whose file is empty.
"""
import functools
import os
import re
import types

from menagerie_rules import Game, Refused, run


def load(name):
    """The starter as a module. Its last line, which plays a move, is left out."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        source = file.read()
    module = types.ModuleType("starter")
    exec(compile(source[: source.rindex("main()")], name, "exec"), module.__dict__)
    return module


starter = load("agent.py")

SIZE, MOST, PASS = 16, 19, "pass"  # squares of a row; pieces of a side; the move of a side that cannot move
WORDS = {"W": "WHITE", "B": "BLACK"}
ROWS = range(1, 1 + SIZE * SIZE, SIZE)  # where the rows begin in a state
SECONDS = "a positive number of seconds such as 30 or 6.5"
ROW = "16 symbols W, B or ."
NAME = {square: "%d,%d" % xy for square, xy in starter.NAMES.items()}


def board_of(state):
    """The starter's board, which has a border."""
    border = "#" * 2 * starter.ROW
    return list(border + "".join(state[row : row + SIZE] + "##" for row in ROWS) + border)


@functools.lru_cache(maxsize=1000)
def legal(state):
    """The names of the legal moves by their first and last squares, always in the same order: the starter's order is random."""
    paths = sorted(starter.legal_moves(board_of(state), state[0]), key=lambda path: (path[0], path[-1]))
    return {(path[0], path[-1]): name_of(path) for path in paths} or {None: PASS}


def name_of(path):
    kind = "E" if path[1] - path[0] in starter.WAYS else "J"
    return "; ".join("%s %s %s" % (kind, NAME[start], NAME[end]) for start, end in zip(path, path[1:]))


def has_filled(state, side):
    """Whether every square of the opposing camp is occupied, and one at least by the side's own piece."""
    board = board_of(state)
    target = {board[square] for square in starter.CAMP[starter.OTHER[side]]}
    return "." not in target and side in target


def lines_of(text):
    """The lines of a file. A byte-order mark, blanks at the ends of lines and empty lines at the end of the file do not count."""
    lines = [line.rstrip(" \t\r") for line in (text[1:] if text.startswith("\ufeff") else text).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def expected(what, found, line):
    """The refusal of a text from a file."""
    shown = repr(found[:40]) if found else "an empty line"
    return Refused("format", "expected %s, found %s" % (what, shown), line=line)


def square_of(text, line):
    found = re.fullmatch("0*([0-9]{1,2}),0*([0-9]{1,2})", text)
    square = starter.SQUARES.get(tuple(int(number) for number in found.groups())) if found else None
    if square is None:
        raise expected("a square X,Y with both from 0 to 15", text, line)
    return square


def legs_of(text):
    """The legs of a move, each its kind and both squares: one step, or jumps each of which begins where the last one ended."""
    legs = []
    for number, line in enumerate(lines_of(text), start=1):
        words = re.findall(r"[\S\x1c-\x1f]+", line)  # Python's blanks without four control characters, which Unicode does not count
        if len(words) != 3 or words[0] not in ("E", "J"):
            raise expected("'E X,Y X,Y' or 'J X,Y X,Y'", line, number)
        kind, start, end = words[0], square_of(words[1], number), square_of(words[2], number)
        if legs and (kind == "E" or legs[-1][0] == "E"):
            raise Refused("format", "a step stands alone; only jumps can follow each other", line=number)
        if legs and legs[-1][2] != start:
            why = "the jump starts on %s, but the last one ended on %s" % (NAME[start], NAME[legs[-1][2]])
            raise Refused("format", why, line=number)
        legs.append((kind, start, end))
    return legs


def why_no_leg(board, first, kind, start, end):
    """Why a leg of a move that begins on the square `first` is impossible; None if it is not."""
    if board[end] != "." and end != first:
        return "%s is occupied" % NAME[end]
    if kind == "E":
        return None if end - start in starter.WAYS else "%s is not next to %s" % (NAME[end], NAME[start])
    (x, y), (to_x, to_y) = starter.NAMES[start], starter.NAMES[end]
    if (abs(to_x - x), abs(to_y - y)) not in [(0, 2), (2, 0), (2, 2)]:
        return "%s is not two squares from %s in a straight line" % (NAME[end], NAME[start])
    over = (start + end) // 2  # never the first square: all squares of a chain differ from it by even numbers
    return "there is no piece on %s to jump over" % NAME[over] if board[over] == "." else None


def why_forbidden(state, start, end):
    """Why a move whose legs are possible is not legal."""
    own, target = starter.CAMP[state[0]], starter.CAMP[starter.OTHER[state[0]]]
    if start in target and end not in target:
        return "the piece on %s may not leave the opposing camp" % NAME[start]
    if start not in own and end in own:
        return "no move may start outside the own camp and end inside it, on %s (addendum, rule 1)" % NAME[end]
    leaving = any(move and move[1] not in own for move in legal(state))
    where = "out of it" if leaving else "further from its corner"
    return "a piece in the own camp can be played %s, and must be (addendum, rule 2)" % where


class Halma(Game):
    sides = ["WHITE", "BLACK"]

    def start(self, variant):
        camps = {square: side for side in "WB" for square in starter.CAMP[side]}
        return "W" + "".join(camps.get(starter.SQUARES[x, y], ".") for y in range(SIZE) for x in range(SIZE))

    def turn(self, state):
        return "WB".index(state[0])

    def moves(self, state):
        return list(legal(state).values())

    def play(self, state, move):
        after = list(starter.OTHER[state[0]] + state[1:])
        if move != PASS:
            words = move.replace(",", " ").split()
            start, end = [1 + SIZE * int(y) + int(x) for x, y in (words[1:3], words[-2:])]
            after[start], after[end] = ".", state[0]
        return "".join(after)

    def over(self, state):
        """The side that has just moved has won if it has filled the other camp. There are no draws by the rules."""
        mover = starter.OTHER[state[0]]
        return {"winner": "WB".index(mover), "why": "%s fills the opposing camp" % WORDS[mover]} if has_filled(state, mover) else None

    def task(self, state, clocks, single):
        seconds = ("%.9f" % clocks[self.turn(state)]).rstrip("0")
        head = ["SINGLE" if single else "GAME", WORDS[state[0]], seconds + "0" * seconds.endswith(".")]
        return "\n".join(head + [state[row : row + SIZE] for row in ROWS]) + "\n"

    def read(self, state, text):
        """The move with the first and the last square of the text: any chain of possible jumps will do."""
        legs, board, side = legs_of(text), board_of(state), state[0]
        if not legs:
            if PASS in self.moves(state):
                return PASS
            raise Refused("format", "expected a move such as 'E 3,4 4,5' or 'J 3,4 5,4', found an empty file", line=1)
        first, last = legs[0][1], legs[-1][2]
        if board[first] == starter.OTHER[side]:
            words = (NAME[first], WORDS[starter.OTHER[side]], WORDS[side])
            raise Refused("illegal", "the piece on %s belongs to %s, and it is %s's turn" % words)
        if board[first] != side:
            raise Refused("illegal", "%s has no piece on %s" % (WORDS[side], NAME[first]))
        for number, leg in enumerate(legs, start=1):
            why = why_no_leg(board, first, *leg)
            if why:
                raise Refused("illegal", why if len(legs) == 1 else "line %d: %s" % (number, why))
        if first == last:
            raise Refused("illegal", "the chain ends on %s, where it began" % NAME[last])
        if (first, last) not in legal(state):
            raise Refused("illegal", why_forbidden(state, first, last))
        return legal(state)[first, last]

    def write(self, state, move):
        return "" if move == PASS else move.replace("; ", "\n") + "\n"

    def position(self, text):
        lines = lines_of(text)

        def line(number, what):
            if number > len(lines):
                raise Refused("format", "expected %s, found the end of the file" % what, line=number)
            return lines[number - 1]

        for number, words in enumerate([("SINGLE", "GAME"), ("BLACK", "WHITE")], start=1):
            if line(number, " or ".join(words)) not in words:
                raise expected(" or ".join(words), lines[number - 1], number)
        if not re.fullmatch(r"[0-9]*\.?[0-9]*", line(3, SECONDS)) or not lines[2].strip("0."):
            raise expected(SECONDS, lines[2], 3)
        squares, side = "", lines[1][0]
        for number in range(4, 4 + SIZE):
            row = line(number, ROW)
            if len(row) != SIZE or row.strip("WB."):
                raise expected(ROW, row, number)
            squares += row
            for owner, word in WORDS.items():
                if squares.count(owner) > MOST:
                    raise Refused("format", "expected at most %d pieces of %s, found the %dth" % (MOST, word, MOST + 1), line=number)
        for number, more in enumerate(lines[3 + SIZE :], start=4 + SIZE):
            if more:
                raise expected("the end of the file", more, number)
        for owner in "BW":
            if owner not in squares:
                raise Refused("format", "expected 1 to %d pieces of %s, found none" % (MOST, WORDS[owner]), line=4)
        # The other side may fill the last hole of the side to move during a game, and that side then still makes its winning move.
        for owner in "BW":
            if has_filled(side + squares, owner) and (owner != side or lines[0] == "SINGLE"):
                raise Refused("format", "expected a position to play, found one that %s has already won" % WORDS[owner], line=4)
        clock = min(max(float(lines[2]), 1e-9), 1e9)
        return side + squares, [clock, None] if side == "W" else [None, clock]

    def value(self, state):
        """By how much less the side to move has still to go than the other, by the starter's measure of a square."""
        left = {"W": 0, "B": 0}
        for square, piece in enumerate(board_of(state)):
            if piece in left:
                left[piece] += starter.FAR[piece][square]
        return left[starter.OTHER[state[0]]] - left[state[0]]

    def board(self, state):
        camps = starter.BLACK_CAMP | starter.WHITE_CAMP

        def sign(x, y):
            square = state[1 + SIZE * y + x]
            return ":" if square == "." and starter.SQUARES[x, y] in camps else square

        rows = ["%4d" % y + "".join("  " + sign(x, y) for x in range(SIZE)) for y in range(SIZE)]
        return "\n".join(["    " + "".join("%3d" % x for x in range(SIZE))] + rows)

    def draw(self, state, move):
        squares = [] if move in (None, PASS) else [starter.NAMES[square] for square in self.path(move)]
        return [list(state[row : row + SIZE]) for row in ROWS], squares

    def path(self, move):
        """The squares of a move that is no pass."""
        legs = legs_of(self.write(None, move))
        return [legs[0][1]] + [end for _, _, end in legs]


if __name__ == "__main__":
    run(Halma())
