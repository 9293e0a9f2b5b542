"""Foxes and Geese: a legal move, chosen by chance. Start your own agent from here."""
import random

WAYS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
OTHER = {"FOXES": "GEESE", "GEESE": "FOXES"}


def chains(board, fox, x, y):
    """All chains of jumps of a fox, each as far as it goes: the letters of the jumps."""
    found = []
    for letter, (dx, dy) in WAYS.items():
        over, end = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if board.get(over, "-").islower() and board.get(end) == "-":
            after = {**board, (x, y): "-", over: "-", end: fox}
            found += [letter + rest for rest in chains(after, fox, *end)]
    return found or [""]


def legal_moves(board, side):
    """All legal moves of a side on a board: the piece, then the letter of its step or those of its jumps."""
    steps, captures = [], []
    for (x, y), piece in board.items():
        if piece == "-" or (side == "GEESE") != piece.islower():
            continue
        for letter, (dx, dy) in WAYS.items():
            if board.get((x + dx, y + dy)) == "-" and not (side == "GEESE" and letter == "d"):
                steps.append(piece + letter)
        if side == "FOXES":
            captures += [piece + chain for chain in chains(board, piece, x, y) if chain]
    most = max(map(len, captures), default=0)  # a capture is forced, and the longest of them
    return [chain for chain in captures if len(chain) == most] or steps


def play(board, move):
    """The board after a move."""
    after, piece = dict(board), move[0]
    x, y = next(cell for cell, there in board.items() if there == piece)
    after[x, y] = "-"
    for letter in move[1:]:
        dx, dy = WAYS[letter]
        x, y = x + dx, y + dy
        if after[x, y] != "-":  # a goose: the fox jumps over it
            after[x, y] = "-"
            x, y = x + dx, y + dy
    after[x, y] = piece
    return after


def choose(board, side, seconds):
    """The move to play, to be chosen in so many CPU seconds."""
    return random.choice(legal_moves(board, side))


def main():
    lines = [line.strip() for line in open("input.txt")]
    clock = float(lines[2])  # CPU seconds: for this move (SINGLE), or for the rest of the game (GAME)
    seconds = clock / 2 if lines[0] == "SINGLE" else clock / 40
    board = {}  # the cell x,y: '-', a fox X or Y, or a goose a to t
    for y, line in enumerate(lines[4:11]):
        words = line.split()
        for index, word in enumerate(words):
            board[index + (7 - len(words)) // 2, y] = word
    with open("output.txt", "w", newline="\n") as file:
        file.write(choose(board, lines[1], seconds) + "\n")


main()
