"""FoxGame: a legal move, capturing where it can. Start your own agent from here."""
import random

SIZE = 7
WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
OTHER = {"F": "S", "S": "F"}


def at(board, x, y):  # the point x,y is board[y][x]: F, S, . or # outside
    return board[y][x] if 0 <= x < SIZE and 0 <= y < SIZE else "#"


def joined(x, y):  # the ways along lines: diagonals only where x + y is even
    return [(dx, dy) for dx, dy in WAYS if dx == 0 or dy == 0 or (x + y) % 2 == 0]


def legal_moves(board, side):
    """Moves of a side, F or S, on a board: steps, and single jumps; chains of jumps are left for you to add."""
    found = []
    for y in range(SIZE):
        for x in range(SIZE):
            if board[y][x] != side:
                continue
            for dx, dy in joined(x, y):
                there = at(board, x + dx, y + dy)
                if there == "." and (side == "F" or dy <= 0):  # sheep never go back
                    found.append(("E", x, y, x + dx, y + dy))
                elif there == "S" and side == "F" and at(board, x + 2 * dx, y + 2 * dy) == ".":
                    found.append(("J", x, y, x + 2 * dx, y + 2 * dy))
    return found


def play(board, move):
    """The board after a move."""
    kind, x, y, to_x, to_y = move
    after = [row[:] for row in board]
    after[y][x], after[to_y][to_x] = ".", board[y][x]
    if kind == "J":
        after[(y + to_y) // 2][(x + to_x) // 2] = "."
    return after


def written(board):
    """A board as the lines of earlier boards have it."""
    return "".join("".join(row) for row in board).replace("#", "")


def choose(board, side, earlier, seconds):
    """The move to play, to be chosen in so many CPU seconds."""
    moves = legal_moves(board, side)
    random.shuffle(moves)
    return max(moves, key=lambda move: (written(play(board, move)) not in earlier, move[0] == "J"))


def main():
    lines = [line.strip() for line in open("input.txt")]
    clock = float(lines[2])  # CPU seconds: for this move (SINGLE), or for the rest of the game (GAME)
    seconds = clock / 2 if lines[0] == "SINGLE" else clock / 40
    board = [list(line) for line in lines[3:3 + SIZE]]
    earlier = set(lines[3 + SIZE:])  # boards that must not come back (deadlock)
    kind, x, y, to_x, to_y = choose(board, lines[1][0], earlier, seconds)
    with open("output.txt", "w", newline="\n") as file:
        file.write(f"{kind} {x},{y} {to_x},{to_y}\n")


main()
