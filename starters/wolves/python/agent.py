"""Wolves and Sheep: a legal move, eating where it can. Start your own agent from here."""
import random
import time

SIZE = 5
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1)]

lines = [line.strip() for line in open("input.txt")]
side, seconds = lines[1], float(lines[2])  # CPU seconds: for this move (SINGLE) or for the whole game (GAME)
names = str.maketrans("210", "WS.")
rows = [line.translate(names) for line in lines[3:3 + SIZE]]  # the square x,y is rows[y][x]


def at(x, y):
    return rows[y][x] if 0 <= x < SIZE and 0 <= y < SIZE else "#"


def moves():
    for y in range(SIZE):
        for x in range(SIZE):
            if rows[y][x] != side[0]:
                continue
            for dx, dy in WAYS:
                if at(x + dx, y + dy) != ".":
                    continue
                yield "E", x, y, x + dx, y + dy
                # A wolf eats a sheep two squares away, over an empty square.
                if side == "WOLVES" and at(x + 2 * dx, y + 2 * dy) == "S":
                    yield "J", x, y, x + 2 * dx, y + 2 * dy


best = None
legal = list(moves())
random.shuffle(legal)
for move in legal:
    if best is None or move[0] == "J":
        best = move
    if time.process_time() > seconds / 10:  # stop early and play what has been found
        break
with open("output.txt", "w", newline="\n") as file:
    kind, x, y, to_x, to_y = best
    file.write(f"{kind} {x},{y} {to_x},{to_y}\n")
