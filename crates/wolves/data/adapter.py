"""Plays the moves of AIAlgorithm() in {file} by input.txt and output.txt."""
import importlib.util
import os
import sys

words = open("input.txt").read().split()
side, rows = words[1], words[3:8]
state = "round0/state_%d.txt" % (side == "SHEEP")
os.makedirs("round0", exist_ok=True)
with open(state, "w") as file:
    for row in rows:
        file.write(",".join(row.translate(str.maketrans("WS.", "210"))) + "\n")
found = importlib.util.spec_from_file_location("submission", "{file}")
submission = sys.modules["submission"] = importlib.util.module_from_spec(found)
found.loader.exec_module(submission)
y, x, to_y, to_x = (int(number) for number in submission.AIAlgorithm(state, side == "WOLVES"))
kind = "J" if abs(to_x - x) + abs(to_y - y) == 2 else "E"
with open("output.txt", "w") as file:
    file.write(f"{kind} {x},{y} {to_x},{to_y}\n")
