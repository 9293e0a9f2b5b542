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

A checker that talks with the program is `def check(case, program)`, and ends by `talk(check)`: program.say("lower")
gives the program a line, and program.hear() waits for one.

The judge starts check.py as a validator of Kattis' problem packages: `check.py INPUT EXPECTED FEEDBACK/ < OUTPUT`; exit
code 42 is right, 43 wrong.
"""
import os
import sys

# Of one answer.
FOLDERS = ("case", "expected", "output", "feedback")


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


class Ended(Exception):
    """The program says nothing more."""


class Program:
    """The program that a checker talks with."""

    def say(self, text):
        """Gives the program a line, or several."""
        sys.stdout.write("%s\n" % (text,))
        sys.stdout.flush()

    def hear(self):
        """Waits for a line of the program. A check that does not catch Ended gives Wrong."""
        line = sys.stdin.readline()
        if not line:
            raise Ended()
        return line.rstrip("\r\n")


def listing():
    """What lies in the folder and in the folder for temporary files, and when it was changed."""
    import stat
    import tempfile

    found = []
    for place in (".", tempfile.gettempdir()):
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in folders + names:
                state = os.lstat(os.path.join(folder, name))
                # The pipes change with each answer.
                is_ours = folder == "." and name in FOLDERS or stat.S_ISFIFO(state.st_mode)
                if not is_ours:
                    found.append((folder, name, state.st_size, name not in folders and state.st_mtime_ns))
    return sorted(found)


def stay():
    """Waits for answers for ever. Returns in a process of its own for each of them."""
    import gc
    import json
    import shutil
    import signal

    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.dont_write_bytecode = True
    before = listing()
    # A fork then copies no memory of what was imported.
    gc.collect()
    gc.freeze()
    for line in requests:
        if not line.strip():
            continue
        asked = json.loads(line.decode())
        os.mkdir("feedback")
        for path, text in asked["files"].items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(text.encode("latin-1"))
        child = os.fork()
        if child == 0:
            os.setsid()
            requests.close()
            replies.close()
            os.dup2(os.open(asked["output"], os.O_RDONLY), 0)
            sys.argv[1:] = asked["arguments"]
            return
        status = os.waitpid(child, 0)[1]
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass
        feedback = {name: read(os.path.join("feedback", name)) for name in os.listdir("feedback")}
        for folder in FOLDERS:
            shutil.rmtree(folder, ignore_errors=True)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1
        is_last = listing() != before
        reply = {"code": code, "feedback": feedback, "is_last": is_last}
        print(json.dumps(reply) + "\n", file=replies, flush=True)
        if is_last:
            break
    os._exit(0)


def run(check):
    """Judges the answer on standard input."""
    stays = sys.argv[1:] == ["--stay"]
    if stays:
        stay()
    output = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    code = give(check(Case(*sys.argv[1:3]), Output(output.replace("\r\n", "\n"))))
    if stays:
        end(code)
    sys.exit(code)


def end(code):
    """Ends a fork, without the time that Python needs to take all modules apart."""
    import atexit

    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def talk(check):
    """Talks with the program: check(case, program)."""
    sys.stdin.reconfigure(errors="replace")
    try:
        verdict = check(Case(*sys.argv[1:3]), Program())
    except Ended:
        verdict = Wrong("the program said nothing more, too early")
    sys.exit(give(verdict))


def give(verdict):
    """Leaves a verdict for the judge. Returns its exit code."""
    feedback = sys.argv[3]
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
    return verdict.code
