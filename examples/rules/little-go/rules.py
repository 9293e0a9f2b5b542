"""Little-Go, the homework of a course in artificial intelligence: Go on 5 x 5 points, 24 moves at most. rules.md has the rules.

A state is four words: the side that moves ('1' black, '2' white), the board after that side's last move, the board now, and the number
of moves played, passes counted; after the second pass of two, '+' follows. A board is 25 digits, row by row from the top left.
"""
import re

from menagerie_rules import Game, Refused, run

SIZE = 5  # side length; 7 makes the game on 7 x 7 points (with `plies` in game.toml, and numbers in rules.md)
LAST, KOMI = SIZE * SIZE - 1, SIZE / 2  # number of the last move; white's points for moving second
POINTS = range(SIZE * SIZE)
NAMES = ["%d,%d" % divmod(point, SIZE) for point in POINTS]
POINT = {name: point for point, name in enumerate(NAMES)}
NEXT = [
    [SIZE * (row + down) + column + right for down, right in [(-1, 0), (0, -1), (0, 1), (1, 0)]
     if 0 <= row + down < SIZE and 0 <= column + right < SIZE]
    for row, column in (divmod(point, SIZE) for point in POINTS)
]  # the neighbours of each point
OTHER = {"1": "2", "2": "1"}
EMPTY = "0" * SIZE * SIZE


def group(board, point):
    """The stones that hang together with the stone on a point, and the empty points beside them."""
    stones, liberties, colour = [point], set(), board[point]
    for stone in stones:
        for near in NEXT[stone]:
            if board[near] == "0":
                liberties.add(near)
            elif board[near] == colour and near not in stones:
                stones.append(near)
    return stones, liberties


def without(board, stones):
    for stone in stones:
        board = board[:stone] + "0" + board[stone + 1 :]
    return board


def place(before, board, side, point):
    """The board after a stone on a point, with the other's dead stones taken off; or why the move is illegal."""
    if board[point] != "0":
        return None, "is occupied"
    after = board[:point] + side + board[point + 1 :]
    if any(board[near] == "0" for near in NEXT[point]) and not any(board[near] == OTHER[side] for near in NEXT[point]):
        return after, ""  # nothing to take, and a liberty of its own
    taken = []
    for near in NEXT[point]:
        if after[near] == OTHER[side]:
            stones, liberties = group(after, near)
            if not liberties:
                taken += stones
    after = without(after, taken)
    if not taken and not group(after, point)[1]:
        return None, "is suicide: the stone would have no liberty"
    if taken and after == before:
        return None, "takes back a ko at once"
    return after, ""


class LittleGo(Game):
    sides = ["BLACK", "WHITE"]

    def start(self, variant):
        return "1 %s %s 0" % (EMPTY, EMPTY)

    def turn(self, state):
        return int(state[0]) - 1

    def moves(self, state):
        side, before, board, _ = state.split(" ")
        return [NAMES[point] for point in POINTS if board[point] == "0" and place(before, board, side, point)[0]] + ["PASS"]

    def play(self, state, move):
        side, before, board, count = state.split(" ")
        after = board if move == "PASS" else place(before, board, side, POINT[move])[0]
        # A file shows two boards and no passes. The course's referee therefore takes two equal boards for a pass of the other side, those
        # of the start as well: whoever passes then ends the game.
        end = "+" if move == "PASS" and before == board else ""
        return "%s %s %s %d%s" % (OTHER[side], board, after, int(count) + 1, end)

    def over(self, state):
        side, before, board, count = state.split(" ")
        if int(count.rstrip("+")) < LAST and not count.endswith("+"):
            return None
        black, white = board.count("1"), board.count("2") + KOMI
        cause = "a pass on two equal boards" if count.endswith("+") else "%d moves" % LAST
        return {"winner": int(white > black), "why": "BLACK %d : WHITE %.1f after %s" % (black, white, cause)}

    def task(self, state, clocks, single):
        """The side, both boards, and no newline at the end. The course's file tells neither clocks nor the number of the move."""
        side, before, board, _ = state.split(" ")
        return "\n".join([side] + [each[row : row + SIZE] for each in (before, board) for row in POINTS[::SIZE]])

    def read(self, state, text):
        """As the course's referee reads: the first line alone, blanks around it and around numbers do not count, nor does a third field."""
        line = re.split("[\r\n]", text, maxsplit=1)[0].strip()
        fields = line.split(",")
        if fields[0] == "PASS":
            return "PASS"
        try:
            row, column = [int(field) for field in fields[: 2 if len(line) < 4000 else 0]]  # a number of a million digits takes its time
        except ValueError:
            raise Refused("format", "expected ROW,COLUMN or PASS, found %r" % line[:40], line=1)
        if not (0 <= row < SIZE and 0 <= column < SIZE):
            raise Refused("illegal", "%s is off the board: rows and columns are 0 to %d" % (",".join(fields[:2])[:40], SIZE - 1))
        _, before, board, _ = state.split(" ")
        after, why = place(before, board, state[0], SIZE * row + column)
        if not after:
            raise Refused("illegal", "%d,%d %s" % (row, column, why))
        return "%d,%d" % (row, column)

    def write(self, state, move):
        return move

    def weight(self, state, move):
        """The course's random player passes only where it can place no stone."""
        return 0 if move == "PASS" else 1

    def position(self, text):
        """The file does not tell how many moves were played: it is taken for the smallest number that fits the stones on the board."""
        lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        if lines[0] not in OTHER:
            raise Refused("format", "expected 1 (black) or 2 (white), found %r" % lines[0][:40], line=1)
        count, digits = 2 * SIZE + 1, {5: "five", 7: "seven"}.get(SIZE, SIZE)
        for number, line in enumerate(lines[1:count], start=2):
            if not re.fullmatch("[012]{%d}" % SIZE, line):
                raise Refused("format", "expected a row of %s digits 0, 1 or 2, found %r" % (digits, line[:40]), line=number)
        if len(lines) != count:
            raise Refused("format", "expected %d lines, found %d" % (count, len(lines)), line=min(len(lines), count) + 1)
        before, board = "".join(lines[1 : SIZE + 1]), "".join(lines[SIZE + 1 :])
        white = lines[0] == "2"
        count = 2 * max(board.count("1") - white, board.count("2")) + white
        if count == 0 and (before, board) != (EMPTY, EMPTY):
            count = 2  # all stones were taken, or all moves were passes: not the start
        return "%s %s %s %d" % (lines[0], before, board, min(count, LAST - 2 + white))

    def board(self, state):
        _, _, board, count = state.split(" ")
        rows = ["%d  %s" % (row, " ".join(board[SIZE * row :][:SIZE].translate({48: ".", 49: "X", 50: "O"}))) for row in range(SIZE)]
        return "\n".join(["   " + " ".join(map(str, range(SIZE)))] + rows + ["after move %s of %d" % (count.rstrip("+"), LAST)])

    def value(self, state):
        """The lead in stones, and a quarter of a point for each empty point that only one colour touches."""
        side, _, board, _ = state.split(" ")
        lead = board.count("1") - board.count("2") - KOMI
        for point in POINTS:
            if board[point] == "0":
                near = {board[each] for each in NEXT[point]}
                lead += 0.25 * (("1" in near) - ("2" in near))
        return lead if side == "1" else -lead

    def draw(self, state, move):
        board = state.split(" ")[2].translate({48: ".", 49: "X", 50: "O"})
        last = [[POINT[move] % SIZE, POINT[move] // SIZE]] if move in POINT else []
        return [list(board[row : row + SIZE]) for row in POINTS[::SIZE]], last


if __name__ == "__main__":
    run(LittleGo())
