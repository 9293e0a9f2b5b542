"""Duo-Othello, the homework of a course in artificial intelligence: Othello on 12 x 12 squares, with two groups of four discs at the
start. rules.md has the rules.

A state is two words: the side that moves ('O' or 'X', or '-' when the game is over), and the board, 144 signs 'O', 'X' or '.', row by
row from the top left.
"""
import re

from menagerie_rules import Game, Refused, run

SIZE = 12
SQUARES = range(SIZE * SIZE)
NAMES = ["%s%d" % ("abcdefghijkl"[square % SIZE], square // SIZE + 1) for square in SQUARES]
SQUARE = {name: square for square, name in enumerate(NAMES)}
OTHER = {"O": "X", "X": "O"}
BONUS = 1  # for X, which moves second
EMPTY = "." * SIZE  # a row
START = 2 * EMPTY + "..XO........" "..OX........" + 4 * EMPTY + "........XO.." "........OX.." + 2 * EMPTY


def ray(square, down, right):
    """The squares from one square to the edge, in one direction."""
    row, column = divmod(square, SIZE)
    found = []
    while 0 <= row + down < SIZE and 0 <= column + right < SIZE:
        row, column = row + down, column + right
        found.append(SIZE * row + column)
    return found


WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
RAYS = [[way for way in (ray(square, *each) for each in WAYS) if len(way) > 1] for square in SQUARES]  # a line of one flips nothing
CORNERS = {0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1}


def flips(board, side, square, all_of_them=True):
    """The discs that a disc on an empty square flips; or only whether there are any, which takes less time."""
    found, other = [], OTHER[side]
    for way in RAYS[square]:
        if board[way[0]] == other:
            for length, each in enumerate(way):
                if board[each] != other:
                    if board[each] == side:
                        if not all_of_them:
                            return True
                        found += way[:length]
                    break
    return found


def squares(board, side):
    """The squares where a side may put a disc."""
    return [square for square in SQUARES if board[square] == "." and flips(board, side, square, False)]


def state_of(board, side):
    """The state in which a side should move, unless it has to pass or the game is over: the course's referee passes for it."""
    for each in (side, OTHER[side]):
        if any(board[square] == "." and flips(board, each, square, False) for square in SQUARES):
            return "%s %s" % (each, board)
    return "- " + board


class DuoOthello(Game):
    sides = ["O", "X"]

    def start(self, variant):
        return "O " + START

    def turn(self, state):
        return int(state[0] == "X")

    def moves(self, state):
        return [NAMES[square] for square in squares(state[2:], state[0])]

    def play(self, state, move):
        side, board = state[0], list(state[2:])
        for square in [SQUARE[move]] + flips(board, side, SQUARE[move]):
            board[square] = side
        return state_of("".join(board), OTHER[side])

    def over(self, state):
        if state[0] != "-":
            return None
        o, x = state.count("O"), state.count("X") + BONUS
        why = "O %d : X %d, the bonus of X included" % (o, x)
        if o == x:
            return {"winner": None, "why": why + ": more time left wins, X at equal times", "points": 0, "by_time": 1}
        return {"winner": int(x > o), "why": why, "points": o - x}

    def task(self, state, clocks, single):
        """The side, its seconds and the other's, the board. The course's referee wrote three decimals, and never 0 for one's own."""
        own = self.turn(state)
        rows = [state[2 + row : 2 + row + SIZE] for row in SQUARES[::SIZE]]
        return "\n".join(["OX"[own], "%.3f %.3f" % (max(clocks[own], 0.001), clocks[1 - own])] + rows) + "\n"

    def read(self, state, text):
        """One square. What ends a line may be missing after it, and may be that of Windows."""
        line = text.rstrip("\r\n")
        if not line:
            raise Refused("format", "expected a square like c2, found an empty file", line=1)
        if "\n" in line:
            raise Refused("format", "expected one line, found a second one", line=2)
        if not re.fullmatch("[a-z](0|[1-9][0-9]{0,8})", line):
            raise Refused("format", "expected a small letter and a number, like c2, found %r" % line[:40], line=1)
        if line not in SQUARE:
            raise Refused("illegal", "%s is off the board: columns are a to l, rows 1 to 12" % line)
        if state[2 + SQUARE[line]] != ".":
            raise Refused("illegal", "%s is occupied" % line)
        if state[0] != "-" and not flips(state[2:], state[0], SQUARE[line]):
            raise Refused("illegal", "%s flips no disc" % line)
        return line

    def write(self, state, move):
        return move

    def position(self, text):
        lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        if lines[0] not in OTHER:
            raise Refused("format", "expected O or X, found %r" % lines[0][:40], line=1)
        try:
            own, other = [float(word) for word in (lines + [""])[1].split(" ")]
        except ValueError:
            own = other = -1.0
        if not (0 <= own < 1e9 and 0 <= other < 1e9):
            raise Refused("format", "expected two numbers of seconds with a blank between them", line=2)
        for number, line in enumerate(lines[2:14], start=3):
            if not re.fullmatch("[OX.]{12}", line):
                raise Refused("format", "expected a row of 12 signs O, X or '.', found %r" % line[:40], line=number)
        if len(lines) != 14:
            raise Refused("format", "expected 14 lines, found %d" % len(lines), line=min(len(lines) + 1, 15))
        return state_of("".join(lines[2:]), lines[0]), [own, other] if lines[0] == "O" else [other, own]

    def board(self, state):
        rows = ["%2d  %s" % (row // SIZE + 1, " ".join(state[2 + row : 2 + row + SIZE])) for row in SQUARES[::SIZE]]
        return "\n".join(["    a b c d e f g h i j k l"] + rows)

    def value(self, state):
        """Moves that a side has, corners, and discs, which count for more as the board fills."""
        board, side = state[2:], state[0]
        mine, other = board.count(side), board.count(OTHER[side])
        moves = len(squares(board, side)) - len(squares(board, OTHER[side]))
        corners = sum((board[corner] == side) - (board[corner] == OTHER[side]) for corner in CORNERS)
        return moves + 10 * corners + (mine - other) * ((mine + other) / len(board)) ** 2

    columns, rows = list("abcdefghijkl"), [str(row) for row in range(1, SIZE + 1)]

    def draw(self, state, move):
        last = [[SQUARE[move] % SIZE, SQUARE[move] // SIZE]] if move in SQUARE else []
        return [list(state[2 + row : 2 + row + SIZE]) for row in SQUARES[::SIZE]], last


if __name__ == "__main__":
    run(DuoOthello())
