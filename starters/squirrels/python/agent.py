"""Squirrels: the empty square of the largest value. Start your own agent from here."""
import time

SIZE = 5

lines = [line.strip() for line in open("input.txt")]
side, seconds = lines[1], float(lines[2])  # CPU seconds: for this move (SINGLE) or for the whole game (GAME)
values = [[int(word) for word in line.split()] for line in lines[3:8]]  # column x, row y: values[y][x]
board = [list(line.replace(".", "*")) for line in lines[8:13]]


def neighbours(x, y):
    around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(x, y) for x, y in around if 0 <= x < SIZE and 0 <= y < SIZE]


def play(x, y):
    """The board after a move, and the word for the move."""
    after = [row[:] for row in board]
    after[y][x] = side
    raid = any(board[b][a] == side for a, b in neighbours(x, y))
    if raid:
        for a, b in neighbours(x, y):
            if board[b][a] != "*":
                after[b][a] = side
    return after, "Raid" if raid else "Sneak"


best = None
for y in range(SIZE):
    for x in range(SIZE):
        if board[y][x] == "*" and (best is None or values[y][x] > values[best[1]][best[0]]):
            best = (x, y)
        if best and time.process_time() > seconds / 10:  # stop early and play what has been found
            break
x, y = best
after, kind = play(x, y)
with open("output.txt", "w", newline="\n") as file:
    file.write(f"{'ABCDE'[x]}{y + 1} {kind}\n")
    file.writelines("".join(row) + "\n" for row in after)
