# The most frequent label of all.
labels = open("train_label.csv").read().split()
most = max(sorted(set(labels)), key=labels.count)
with open("output.csv", "w") as file:
    file.write((most + "\n") * len(list(open("test_data.csv"))))
