# Everybody lives in the left or the right house. A clause is a list of names, "-" for the right house: one of them is true.
import itertools

names, *clauses = [line.split() for line in open("input.txt") if line.strip()]
answer = "no answer\n"
for left in itertools.product([False, True], repeat=len(names)):
    house = dict(zip(names, left))
    if all(any(house[word.lstrip("-")] != word.startswith("-") for word in clause) for clause in clauses):
        answer = "".join("%s %s\n" % (name, "left" if house[name] else "right") for name in names)
        break
open("output.txt", "w").write(answer)
