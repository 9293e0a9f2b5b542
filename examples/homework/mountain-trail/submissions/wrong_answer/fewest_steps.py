import heapq

lines = open("input.txt").read().split("\n")
start = tuple(map(int, lines[1].split()))
limit, count = int(lines[2]), int(lines[3])
huts = [tuple(map(int, line.split())) for line in lines[4:4 + count]]
rows = [list(map(int, line.split())) for line in lines[4 + count:] if line.strip()]
before, waiting = {}, [(0, start, None)]
while waiting:
    cost, square, last = heapq.heappop(waiting)
    if square in before:
        continue
    before[square] = last
    x, y = square
    for u in (x - 1, x, x + 1):
        for v in (y - 1, y, y + 1):
            if (u, v) != square and 0 <= v < len(rows) and 0 <= u < len(rows[0]):
                climb = abs(rows[y][x] - rows[v][u])
                if climb <= limit:
                    heapq.heappush(waiting, (cost + 1, (u, v), square))
with open("output.txt", "w") as file:
    for hut in huts:
        path = []
        while hut:
            path.append("%d,%d" % hut)
            hut = before.get(hut)
        reached = path and path[-1] == "%d,%d" % start
        file.write((" ".join(reversed(path)) if reached else "FAIL") + " \n")
