"""Halma: the first legal move that leads furthest. Start your own agent from here."""
import time

SIZE = 16
WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
BLACK_CAMP = {(x, y) for y, width in enumerate([5, 5, 4, 3, 2]) for x in range(width)}
WHITE_CAMP = {(15 - x, 15 - y) for x, y in BLACK_CAMP}

lines = [line.strip() for line in open("input.txt")]
side, seconds = lines[1], float(lines[2])  # CPU seconds: for this move (SINGLE) or for the whole game (GAME)
rows = lines[3:3 + SIZE]  # the square x,y is rows[y][x]
own, target = (BLACK_CAMP, WHITE_CAMP) if side == "BLACK" else (WHITE_CAMP, BLACK_CAMP)
goal = 15 if side == "BLACK" else 0  # the far corner is goal,goal


def at(x, y):
    return rows[y][x] if 0 <= x < SIZE and 0 <= y < SIZE else "#"


def moves():
    """All moves, each as the list of its squares: steps, and chains of jumps."""
    for start in [(x, y) for y in range(SIZE) for x in range(SIZE) if rows[y][x] == side[0]]:
        for dx, dy in WAYS:
            if at(start[0] + dx, start[1] + dy) == ".":
                yield [start, (start[0] + dx, start[1] + dy)]
        chains = {start: [start]}  # the squares reached, each with the way there
        waiting = [start]
        for x, y in waiting:
            for dx, dy in WAYS:
                over, end = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if over != start and at(*over) in "BW" and at(*end) == "." and end not in chains:
                    chains[end] = chains[x, y] + [end]
                    waiting.append(end)
                    yield chains[end]


def gain(path):  # how much nearer to the far corner
    return sum(abs(goal - a) - abs(goal - b) for a, b in zip(path[0], path[-1]))


def further(path):  # away from the own corner, in both directions or in one
    return all(abs(goal - a) >= abs(goal - b) for a, b in zip(path[0], path[-1]))


legal = [m for m in moves() if not (m[0] in target and m[-1] not in target) and not (m[0] not in own and m[-1] in own)]
leaving = [m for m in legal if m[0] in own and m[-1] not in own]  # addendum, rule 2
legal = leaving or [m for m in legal if m[0] in own and further(m)] or legal
best = None
for path in legal:
    if best is None or gain(path) > gain(best):
        best = path
    if time.process_time() > seconds / 10:  # stop early and play what has been found
        break
with open("output.txt", "w", newline="\n") as file:
    for (x, y), (to_x, to_y) in zip(best or [], best[1:] if best else []):  # without a legal move the file is empty
        kind = "E" if max(abs(x - to_x), abs(y - to_y)) == 1 else "J"
        file.write(f"{kind} {x},{y} {to_x},{to_y}\n")
