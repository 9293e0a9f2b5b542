"""What a checker in Python imports: a function of the teacher's says whether an answer is right, and this module
speaks with the judge, which lays it beside check.py unless a file of this name is there.

    from menagerie_checker import Right, Wrong, run

    def check(case, output):
        if output.split() == case.expected.split():
            return Right()
        return Wrong("expected another path")

    if __name__ == "__main__":
        run(check)

`case.input` is the text of the case's input, `case.expected` that of its expected file, `case.file(NAME)` that of any
other file of the case, and `case.staff(NAME)` that of any other expected file. `output` is the text that a program has
left; of several files, the first by name, and `output.file(NAME)` is any of them. Right("words", points=0.5) and
Wrong("words", points=0.2) give a part of the points, from 0 to 1. Students read the words; `teacher="words"` is for the
teacher alone. An exception is a fault of the checker, and costs nobody a point. Needs Python 3.8 or later.

The judge starts check.py as a validator of Kattis' problem packages: `check.py INPUT EXPECTED FEEDBACK/ < OUTPUT`; exit
code 42 is right, 43 wrong.
"""
import os
import sys


class Verdict:
    def __init__(self, words="", points=None, teacher=""):
        self.words, self.teacher, self.points = words, teacher, self.usual if points is None else points


class Right(Verdict):
    """The answer is right."""

    code, usual = 42, 1.0


class Wrong(Verdict):
    """The answer is wrong, and why."""

    code, usual = 43, 0.0


def read(path):
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        return file.read()


class Case:
    """The files of a case."""

    def __init__(self, input, expected):
        self.folder, self.expected_folder = os.path.dirname(input), os.path.dirname(expected)
        self.input, self.expected = read(input), read(expected)

    def file(self, name):
        return read(os.path.join(self.folder, name))

    def staff(self, name):
        return read(os.path.join(self.expected_folder, name))


class Output(str):
    """The text that a program has left."""

    def file(self, name):
        return read(os.path.join("output", name))


def run(check):
    """Judges the answer on standard input."""
    case, feedback = Case(*sys.argv[1:3]), sys.argv[3]
    output = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    verdict = check(case, Output(output.replace("\r\n", "\n")))
    if not isinstance(verdict, Verdict):
        raise TypeError("check: expected Right(...) or Wrong(...), found %r" % (verdict,))
    if not 0 <= verdict.points <= 1:
        raise ValueError("check: expected points from 0 to 1, found %r" % (verdict.points,))
    for name, text in (
        ("teammessage.txt", verdict.words),
        ("judgemessage.txt", verdict.teacher),
        ("score.txt", repr(float(verdict.points))),
    ):
        with open(os.path.join(feedback, name), "w", encoding="utf-8") as file:
            file.write(str(text))
    sys.exit(verdict.code)
