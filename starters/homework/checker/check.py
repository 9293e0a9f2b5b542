"""Judges a path: any path of the least cost is right."""
from menagerie_checker import Right, Wrong, run


def read_task(text):
    """The start, the goal, and the cost of each road by its two ends."""
    start, goal, *roads = text.split("\n")
    costs = {}
    for road in filter(None, roads):
        one, other, cost = road.split()
        costs[one, other] = costs[other, one] = int(cost)
    return start, goal, costs


def check(case, output):
    least = case.expected.split("\n")[0]
    lines = [line.strip() for line in output.strip().split("\n")]
    if least == "FAIL" or lines == ["FAIL"]:
        return Right() if lines == [least] else Wrong("expected %s" % ("FAIL" if least == "FAIL" else "a path, found FAIL"))
    start, goal, costs = read_task(case.input)
    cost, path = lines[0], " ".join(lines[1:]).split()
    if not path or path[0] != start or path[-1] != goal:
        return Wrong("the path does not lead from %s to %s" % (start, goal))
    steps = list(zip(path, path[1:]))
    for step in steps:
        if step not in costs:
            return Wrong("there is no road from %s to %s" % step)
    true = sum(costs[step] for step in steps)
    if cost != str(true):
        return Wrong("line 1 says %s, and the path costs %d" % (cost, true))
    if true > int(least):
        return Wrong("cost %d, least %s" % (true, least), points=0.5)
    return Right()


if __name__ == "__main__":
    run(check)
