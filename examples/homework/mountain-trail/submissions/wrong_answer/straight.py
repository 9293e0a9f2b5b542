# Walks straight to each hut, over any climb.
lines = open("input.txt").read().split("\n")
with open("output.txt", "w") as file:
    for line in lines[4:4 + int(lines[3])]:
        (x, y), (u, v) = map(int, lines[1].split()), map(int, line.split())
        path = ["%d,%d" % (x, y)]
        while (x, y) != (u, v):
            x, y = x + (u > x) - (u < x), y + (v > y) - (v < y)
            path.append("%d,%d" % (x, y))
        file.write(" ".join(path) + "\n")
