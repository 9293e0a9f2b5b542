rows = lambda name: [list(map(float, line.split(","))) for line in open(name)]
train, labels, test = rows("train_data.csv"), open("train_label.csv").read().split(), rows("test_data.csv")
with open("output.csv", "w") as file:
    for row in test:
        near = sorted((sum((a - b) ** 2 for a, b in zip(row, other)), label) for other, label in zip(train, labels))[:5]
        votes = [label for _, label in near]
        file.write(max(sorted(set(votes)), key=votes.count) + "\n")
