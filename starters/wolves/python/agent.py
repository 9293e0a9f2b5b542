"""Wolves and Sheep: a legal move, eating where it can. Start your own agent from here."""
import random

SIZE = 5
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
OTHER = {"W": "S", "S": "W"}


def at(board, x, y):  # the square x,y is board[y][x]: W, S or .
    return board[y][x] if 0 <= x < SIZE and 0 <= y < SIZE else "#"


def legal_moves(board, side):
    """All legal moves of a side, W or S, on a board: the letter of the kind, and both squares."""
    found = []
    for y in range(SIZE):
        for x in range(SIZE):
            if board[y][x] != side:
                continue
            for dx, dy in WAYS:
                if at(board, x + dx, y + dy) != ".":
                    continue
                found.append(("E", x, y, x + dx, y + dy))
                # A wolf eats a sheep two squares away, over an empty square.
                if side == "W" and at(board, x + 2 * dx, y + 2 * dy) == "S":
                    found.append(("J", x, y, x + 2 * dx, y + 2 * dy))
    return found


def play(board, move):
    """The board after a move."""
    _, x, y, to_x, to_y = move
    after = [row[:] for row in board]
    after[y][x], after[to_y][to_x] = ".", board[y][x]
    return after


def choose(board, side, seconds):
    """The move to play, to be chosen in so many CPU seconds."""
    moves = legal_moves(board, side)
    return random.choice([move for move in moves if move[0] == "J"] or moves)


def main():
    lines = [line.strip() for line in open("input.txt")]
    clock = float(lines[2])  # CPU seconds: for this move (SINGLE), or for the rest of the game (GAME)
    seconds = clock / 2 if lines[0] == "SINGLE" else clock / 40
    names = str.maketrans("210", "WS.")
    board = [list(line.translate(names)) for line in lines[3:3 + SIZE]]
    kind, x, y, to_x, to_y = choose(board, lines[1][0], seconds)
    with open("output.txt", "w", newline="\n") as file:
        file.write(f"{kind} {x},{y} {to_x},{to_y}\n")


main()
