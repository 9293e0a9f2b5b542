#!/usr/bin/env python3
"""Measures the opponents of menagerie.gymnasium against random moves and against the search with one node.

    pip install 'menagerie-games[gymnasium]' --find-links target/wheels    # after make wheel
    python opponents.py --games 100

Each opponent plays --games games against random moves and as many against the search with one node, half of them as each side, after four random
plies. Prints its points of 100, with their standard error: a win counts 1, a draw and a game that is cut 1/2.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
from typing import Any, Dict, Tuple

import numpy as np

import menagerie
from menagerie.gymnasium import VectorEnv

OPPONENTS: Dict[str, Dict[str, Any]] = {
    "random": {"opponent": "random"},
    "1 node, epsilon 0.5": {"opponent": 1, "epsilon": 0.5},
    "1 node": {"opponent": 1},
    "100 nodes, temperature 0.3": {"opponent": 100, "temperature": 0.3},
    "100 nodes, temperature 0.1": {"opponent": 100, "temperature": 0.1},
    "100 nodes, temperature 0.03": {"opponent": 100, "temperature": 0.03},
    "100 nodes, temperature 0.01": {"opponent": 100, "temperature": 0.01},
    "100 nodes": {"opponent": 100},
    "1,000 nodes": {"opponent": 1_000},
}


def points(cell: Tuple[str, str, int, int]) -> Tuple[float, float]:
    """The points of an opponent in a game, and their standard error, against so many nodes a move; with 0 against random moves."""
    name, game, nodes, games = cell
    mean = variance = 0.0
    for side in menagerie.Game(game).sides:
        envs = VectorEnv(game, games // 2, side=side, random_plies=4, **OPPONENTS[name])
        envs.reset(seed=1)
        results, playing = np.zeros(games // 2), np.ones(games // 2, bool)
        waiting = [[0][:0] for _ in results]
        while playing.any():
            actions = envs.random_actions()
            if nodes:
                positions = envs.positions()
                for index in np.flatnonzero(playing):
                    waiting[index] = waiting[index] or positions[index].think(nodes=nodes).move.actions
                    actions[index] = waiting[index].pop(0)
            _, reward, terminated, truncated, _ = envs.step(actions)
            ended = playing & (terminated | truncated)
            results[ended] = 50 - 50 * reward[ended]
            playing &= ~ended
        mean += results.mean() / 2
        variance += results.var(ddof=1) / len(results) / 4
    return mean, math.sqrt(variance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--game", action="append", choices=menagerie.names(), help="a game (default: all)")
    options = parser.parse_args()
    games = options.game or menagerie.names()
    cells = list(itertools.product(OPPONENTS, games, (0, 1), [options.games]))
    print(f"{'points against random, 1 node':30}" + "".join(f"{game:>20}" for game in games))
    with multiprocessing.get_context("spawn").Pool() as pool:
        told = pool.imap(points, cells)
        for name in OPPONENTS:
            row = ("{:6.1f} ± {:3.1f}".format(*next(told)) for _ in range(2 * len(games)))
            print(f"{name:30}" + "".join(row), flush=True)


if __name__ == "__main__":
    main()
