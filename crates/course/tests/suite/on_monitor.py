"""A student's agent of FoxGame that speaks the monitor's protocol, and plays random steps and single jumps."""

import argparse
import random
import socket

parser = argparse.ArgumentParser()
for option in "arn":
    parser.add_argument("-" + option)
parser.add_argument("-p", type=int)
options = parser.parse_args()

random.seed(1)
POINTS = {(x, y) for x in range(1, 8) for y in range(1, 8) if 3 <= x <= 5 or 3 <= y <= 5}
pieces = {"FOX": {(3, 1), (5, 1)}, "SHEEP": {(x, y) for x, y in POINTS if y > 3}}
pieces["SHEEP"] -= {(x, y) for x, y in POINTS if y > 5 and not 3 <= x <= 5}
stream = socket.create_connection((options.a, options.p)).makefile("rw")


def say(text):
    stream.write(text + "\n")
    stream.flush()


def moves(role):
    empty = POINTS - pieces["FOX"] - pieces["SHEEP"]
    for x, y in sorted(pieces[role]):
        for dx, dy in ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            if dx and dy and (x + y) % 2:
                continue
            if (x + dx, y + dy) in empty and (role == "FOX" or dy <= 0):
                yield (x, y), (x + dx, y + dy)
            far = (x + 2 * dx, y + 2 * dy)
            if role == "FOX" and (x + dx, y + dy) in pieces["SHEEP"] and far in empty:
                yield (x, y), far


def play(role, stops):
    for (x, y), (to_x, to_y) in zip(stops, stops[1:]):
        pieces[role].discard((x, y))
        pieces[role].add((to_x, to_y))
        if max(abs(to_x - x), abs(to_y - y)) == 2:
            pieces["SHEEP"].discard(((x + to_x) // 2, (y + to_y) // 2))
    free = {start for start, _ in moves("FOX")}
    pieces["FOX"] &= free


def move():
    stops = random.choice(list(moves(own)))
    say("move " + " ".join("%d,%d" % point for point in stops))
    say("done")
    play(own, stops)


say("hello " + options.r.upper())
own = stream.readline().split()[1]
say("name " + options.n)
say("ready")
other = "SHEEP" if own == "FOX" else "FOX"
for line in stream:
    words = line.split()
    if words[0] == "move":
        play(other, [tuple(map(int, point.split(","))) for point in words[1:]])
    elif words[0] == "done" or words[0] == "begin" and own == "FOX":
        move()
    elif words[0] == "winner":
        break
