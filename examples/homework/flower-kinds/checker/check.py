"""Points in tiers of the accuracy, as a part of the accuracy of the staff's own answer."""
from menagerie_checker import Right, Wrong, run

TIERS = [(0.9, 1.0), (0.8, 0.8), (0.7, 0.6), (0.6, 0.4), (0.5, 0.2)]  # the least part, and its points


def accuracy(labels, truth):
    return sum(one == other for one, other in zip(labels, truth)) / len(truth)


def check(case, output):
    truth, labels = case.file("truth").split(), output.split()
    if len(labels) != len(truth):
        return Wrong("expected %d labels, found %d" % (len(truth), len(labels)))
    part = accuracy(labels, truth) / accuracy(case.expected.split(), truth)
    points = next((points for least, points in TIERS if part >= least), 0)
    words = "accuracy %.2f of the staff's" % part
    return Right(words, points=points) if points else Wrong(words)


if __name__ == "__main__":
    run(check)
