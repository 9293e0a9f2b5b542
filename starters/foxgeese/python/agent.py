"""Foxes and Geese: a legal move, chosen by chance. Start your own agent from here."""
import random
import time

WAYS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}

lines = [line.strip() for line in open("input.txt")]
side, seconds = lines[1], float(lines[2])  # CPU seconds: for this move (SINGLE) or for the whole game (GAME)
cells = {}  # the cell x,y: '-', a fox X or Y, or a goose a to t
for y, line in enumerate(lines[4:11]):
    words = line.split()
    for index, word in enumerate(words):
        cells[index + (7 - len(words)) // 2, y] = word


def chains(board, fox, x, y):
    """All chains of jumps of a fox, each as far as it goes: the letters of the jumps."""
    found = []
    for letter, (dx, dy) in WAYS.items():
        over, end = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if board.get(over, "-").islower() and board.get(end) == "-":
            after = {**board, (x, y): "-", over: "-", end: fox}
            found += [letter + rest for rest in chains(after, fox, *end)]
    return found or [""]


def moves():
    steps, captures = [], []
    for (x, y), piece in cells.items():
        if piece == "-" or (side == "GEESE") != piece.islower():
            continue
        for letter, (dx, dy) in WAYS.items():
            if cells.get((x + dx, y + dy)) == "-" and not (side == "GEESE" and letter == "d"):
                steps.append(piece + letter)
        if side == "FOXES":
            captures += [piece + chain for chain in chains(cells, piece, x, y) if chain]
        if time.process_time() > seconds / 2 and (steps or captures):
            break
    most = max(map(len, captures), default=0)  # a capture is forced, and the longest of them
    return [chain for chain in captures if len(chain) == most] or steps


with open("output.txt", "w", newline="\n") as file:
    file.write(random.choice(moves()) + "\n")
