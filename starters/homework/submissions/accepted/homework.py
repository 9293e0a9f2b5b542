import heapq

start, goal, *roads = open("input.txt").read().split("\n")
near = {start: []}
for road in filter(None, roads):
    one, other, cost = road.split()
    near.setdefault(one, []).append((other, int(cost)))
    near.setdefault(other, []).append((one, int(cost)))
waiting, done = [(0, [start])], set()
answer = "FAIL\n"
while waiting:
    cost, path = heapq.heappop(waiting)
    if path[-1] == goal:
        answer = "%d\n%s\n" % (cost, " ".join(path))
        break
    if path[-1] not in done:
        done.add(path[-1])
        for other, more in near[path[-1]]:
            heapq.heappush(waiting, (cost + more, path + [other]))
open("output.txt", "w").write(answer)
