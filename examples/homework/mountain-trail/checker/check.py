"""A line for each hut: a path of squares x,y from the start to it, of the least cost, or FAIL.

A step to one of the eight squares around costs 10, or 14 if it is diagonal, and the difference of the heights; a difference above the
limit cannot be climbed.
"""
from menagerie_checker import Right, Wrong, run


def read_task(text):
    """The start, the limit, the huts, and the rows of heights."""
    lines = text.split("\n")
    square = lambda line: tuple(map(int, line.split()))
    count = int(lines[3])
    rows = [list(map(int, line.split())) for line in lines[4 + count:] if line.strip()]
    return square(lines[1]), int(lines[2]), [square(line) for line in lines[4:4 + count]], rows


def cost_of(path, limit, rows):
    """The cost of a path, or why it is none."""
    cost = 0
    for (x, y), (u, v) in zip(path, path[1:]):
        if not (0 <= v < len(rows) and 0 <= u < len(rows[0])) or max(abs(x - u), abs(y - v)) != 1:
            return "there is no step from %d,%d to %d,%d" % (x, y, u, v)
        climb = abs(rows[y][x] - rows[v][u])
        if climb > limit:
            return "the step from %d,%d to %d,%d climbs %d, at most %d" % (x, y, u, v, climb, limit)
        cost += (14 if x != u and y != v else 10) + climb
    return cost


def check(case, output):
    start, limit, huts, rows = read_task(case.input)
    lines = [line.strip() for line in output.strip().split("\n")]
    if len(lines) != len(huts):
        return Wrong("expected a line for each of %d huts, found %d" % (len(huts), len(lines)))
    for number, (line, hut, least) in enumerate(zip(lines, huts, case.file("least").split()), 1):
        if least == "FAIL" or line == "FAIL":
            if line != least:
                return Wrong("line %d: %s" % (number, "there is no path" if least == "FAIL" else "there is a path"))
            continue
        try:
            path = [tuple(map(int, word.split(","))) for word in line.split()]
        except ValueError:
            path = []
        if not path or any(len(square) != 2 for square in path) or path[0] != start or path[-1] != hut:
            return Wrong("line %d: expected squares x,y from %d,%d to %d,%d" % (number, *start, *hut))
        cost = cost_of(path, limit, rows)
        if isinstance(cost, str):
            return Wrong("line %d: %s" % (number, cost))
        if cost > int(least):
            return Wrong("line %d: cost %d, least %s" % (number, cost, least))
    return Right()


if __name__ == "__main__":
    run(check)
