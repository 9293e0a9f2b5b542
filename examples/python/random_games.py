#!/usr/bin/env python3
"""Plays random games of each kind, and says how many plies or actions a second of CPU time.

    pip install 'menagerie-games[gymnasium,pettingzoo]' --find-links target/wheels    # after make wheel
    python random_games.py --seconds 1 --rounds 5

The columns: the rules in plain Python, of starters/GAME/python beside this example (`--only plain`, not usually); a loop in Python over
legal_moves() and play(); one over State's legal_actions() and apply_action(); playouts(); the environment of PettingZoo, in its usual
wrappers, whose actions are drawn from the mask; VectorEnv with 64 games, whose observations are made. Each number is the median of
the rounds, and in each round every column is measured once. --others measures the same loops beside them: over the moves of python-chess
(pip install chess), over the actions of OpenSpiel's games (pip install open_spiel), and over those of PettingZoo's classics (pip install
pygame, too).
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import menagerie


def plain(name: str) -> Callable[[], int]:
    """A game by the rules of the starter in Python; its plies."""
    source = (Path(__file__).resolve().parents[2] / "starters" / name / "python" / "agent.py").read_text()
    rules: Dict[str, Any] = {}
    exec(source[: source.rindex("main()")], rules)
    lines = menagerie.Game(name).start().input().splitlines()

    def start() -> Any:
        if name == "halma":
            border = "#" * 2 * rules["ROW"]
            return list(border + "".join(row + "##" for row in lines[3:19]) + border)
        if name == "foxgeese":
            rows = [line.split() for line in lines[4:11]]
            return {(x + (7 - len(row)) // 2, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        if name == "wolves":
            return [list(line.translate(str.maketrans("210", "WS."))) for line in lines[3:8]]
        return [list(line) for line in (lines[8:13] if name == "squirrels" else lines[3:10])]

    def play() -> int:
        board, side = start(), lines[1] if name == "foxgeese" else lines[1][0]
        for plies in range(150):
            moves = rules["legal_moves"](board, side)
            if not moves:
                return plies
            move = random.choice(moves)
            board = rules["play"](board, side, move) if name == "squirrels" else rules["play"](board, move)
            side = rules["OTHER"][side]
        return 150

    return play


def loop(name: str) -> Callable[[], int]:
    """A game in Python; its plies. A game ends by its rules, or at the limit of plies at which a referee calls it a draw."""
    game, chance = menagerie.Game(name), random.Random(1)

    def play() -> int:
        position, plies = game.start(), 0
        while plies < game.ply_limit:
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(chance.choice(moves))
            plies += 1
        return plies

    return play


def by_actions(name: str) -> Callable[[], int]:
    """A game of `State`, the loop of OpenSpiel's states; its actions."""
    game = menagerie.Game(name)
    return actions_of(lambda: menagerie.State(game.start()))


def actions_of(start: Callable[[], Any]) -> Callable[[], int]:
    """A game of states as OpenSpiel has them; its actions."""
    chance = random.Random(1)

    def play() -> int:
        state, actions = start(), 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            actions += 1
        return actions

    return play


def chess() -> Callable[[], int]:
    """A game of python-chess, of 300 plies at most; its plies."""
    from chess import Board  # type: ignore[import-not-found,unused-ignore]

    chance = random.Random(1)

    def play() -> int:
        board, plies = Board(), 0
        while plies < 300:
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            plies += 1
        return plies

    return play


def openspiel(name: str) -> Callable[[], int]:
    """A game of OpenSpiel; its actions."""
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    return actions_of(pyspiel.load_game(name).new_initial_state)


def playouts(name: str) -> Callable[[], int]:
    """A hundred games at once; their plies."""
    start, seeds = menagerie.Game(name).start(), iter(range(10**9))
    return lambda: menagerie.playouts(start, 100, next(seeds)).plies


def environment(name: str) -> Callable[[], int]:
    """A game in the environment of PettingZoo; its actions."""
    return by_masks(menagerie.env(name))


def classic(name: str) -> Callable[[], int]:
    """A game of PettingZoo's classics; its actions."""
    return by_masks(importlib.import_module(f"pettingzoo.classic.{name}").env())


def by_masks(env: Any) -> Callable[[], int]:
    """A game of an environment, by the loop that docs/python.md recommends; its actions."""

    def play() -> int:
        env.reset()
        actions = 0
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            done = termination or truncation
            env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
            actions += not done
        return actions

    return play


def vector(name: str) -> Callable[[], int]:
    """A hundred steps of 64 games; their actions."""
    from menagerie.gymnasium import VectorEnv

    envs: Any = VectorEnv(name, 64)
    envs.reset(seed=1)

    def play() -> int:
        for _ in range(100):
            envs.step(envs.random_actions())
        return 6_400

    return play


COLUMNS: Dict[str, Callable[[str], Callable[[], int]]] = {
    "plain": plain,
    "loop": loop,
    "state": by_actions,
    "playouts": playouts,
    "pettingzoo": environment,
    "vector": vector,
}


# What --others measures: a name, and a function that makes the game.
OTHERS: Dict[str, Callable[[], Callable[[], int]]] = {
    "chess, python-chess": chess,
    **{f"{name}, OpenSpiel": (lambda name=name: openspiel(name)) for name in ("chess", "checkers", "breakthrough", "connect_four")},  # type: ignore[misc]
    **{f"{name}, PettingZoo": (lambda name=name: classic(name)) for name in ("chess_v6", "connect_four_v3")},  # type: ignore[misc]
}


def rate(play: Callable[[], int], seconds: float) -> float:
    """How much a function does in a second of CPU time."""
    done, begun = 0, time.process_time()
    while True:
        done += play()
        used = time.process_time() - begun
        if used >= seconds:
            return done / used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a measurement (default: 1)")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each (default: 5)")
    parser.add_argument("--only", choices=COLUMNS, action="append", help="a column; all but plain unless some are named")
    parser.add_argument("--others", action="store_true", help="measure python-chess, games of OpenSpiel and PettingZoo's classics, too")
    options = parser.parse_args()
    columns: List[str] = options.only or [column for column in COLUMNS if column != "plain"]
    print(f"{'game':10}" + "".join(f"{column:>14}" for column in columns))
    for name in menagerie.names():
        plays = [COLUMNS[column](name) for column in columns]
        rounds = [[rate(play, options.seconds) for play in plays] for _ in range(options.rounds)]
        medians = [statistics.median(each) for each in zip(*rounds)]
        print(f"{name:10}" + "".join(f"{median:14,.0f}" for median in medians))
    for title, make in OTHERS.items() if options.others else ():
        play = make()
        print(f"{title:28}{statistics.median(rate(play, options.seconds) for _ in range(options.rounds)):14,.0f}")


if __name__ == "__main__":
    main()
