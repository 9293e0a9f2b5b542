# Breadth-first search: the fewest steps, which are not always the cheapest.
start, goal, *roads = open("input.txt").read().split("\n")
near, costs = {start: []}, {}
for road in filter(None, roads):
    one, other, cost = road.split()
    near.setdefault(one, []).append(other)
    near.setdefault(other, []).append(one)
    costs[one, other] = costs[other, one] = int(cost)
waiting, before = [start], {start: None}
for place in waiting:
    for other in near[place]:
        if other not in before:
            before[other] = place
            waiting.append(other)
answer = "FAIL\n"
if goal in before:
    path = [goal]
    while before[path[-1]]:
        path.append(before[path[-1]])
    path.reverse()
    answer = "%d\n%s\n" % (sum(costs[step] for step in zip(path, path[1:])), " ".join(path))
open("output.txt", "w").write(answer)
