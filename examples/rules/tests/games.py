"""The games of this folder and of the starter, for the tests: asked as the judge asks them, by lines of JSON."""
import importlib.util
import json
import os
import random
import sys
from pathlib import Path

RULES = Path(__file__).resolve().parent.parent
STARTER = RULES.parent.parent / "starters" / "any-game"
FOLDERS = {name: RULES / name for name in ("little-go", "duo-othello", "dice-race", "one-card", "tron")}
FOLDERS["tic-tac-toe"] = STARTER
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(STARTER)}  # menagerie_rules.py, which the judge lays beside the rules
CLOCKS = [12.5, 7.25]

sys.dont_write_bytecode = True  # a game's folder stays as it is
sys.path.insert(0, str(STARTER))
import menagerie_rules  # noqa: E402  (after its path)


def rules_of(folder):
    """The rules of a folder as a module, under a name of its own."""
    where = importlib.util.spec_from_file_location("rules_of_" + folder.name.replace("-", "_"), str(folder / "rules.py"))
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


def server(game):
    return menagerie_rules.Server(game)


def servers():
    """A server for each game that needs no other package."""
    kinds = {"little-go": "LittleGo", "duo-othello": "DuoOthello", "dice-race": "DiceRace", "one-card": "OneCard", "tic-tac-toe": "TicTacToe",
             "tron": "Tron"}  # fmt: skip
    return {name: server(getattr(rules_of(FOLDERS[name]), kind)()) for name, kind in kinds.items()}


def ask(server, do, **request):
    """The answer to a request, through its text."""
    return json.loads(server.answer(json.dumps(dict(request, do=do)).encode()))


def random_game(server, seed, passes=True):
    """The states of a random game with their views and the moves played; the last one has no move."""
    chance, state = random.Random(seed), ask(server, "start", variant=None)["state"]
    while True:
        view = ask(server, "view", state=state)
        if view["over"] is not None:
            yield state, view, None
            return
        moves = [move for move in view["moves"] if passes or move != "PASS"] or view["moves"]
        move = chance.choice(moves)
        yield state, view, move
        state = ask(server, "play", state=state, move=move)["state"]


def perft(server, state, depth):
    """How many lines of so many moves there are; one that ends before counts as well, as in the numbers of the course's games."""
    view = ask(server, "view", state=state)
    if depth == 0 or view["over"] is not None:
        return 1
    if depth == 1:
        return len(view["moves"])
    return sum(perft(server, ask(server, "play", state=state, move=move)["state"], depth - 1) for move in view["moves"])


def cases(name):
    """The cases of a game's file, each a dict of its lines; `input` is the text of the file."""
    found = []
    for block in (FOLDERS[name] / "cases.txt").read_text().split("\n\n"):
        case = {"input": ""}
        for line in block.strip("\n").split("\n"):
            if line.startswith("  "):
                case["input"] += line[2:] + "\n"
            elif not line.startswith("#") and line != "input":
                key, _, value = line.partition(" ")
                case[key] = value
        if "case" in case:
            found.append(case)
    return found
