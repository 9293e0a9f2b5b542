#!/usr/bin/env python3
"""Measures the opponents of menagerie.gymnasium against random moves and against one another.

    pip install 'menagerie-games[gymnasium]' --find-links target/wheels    # after make wheel
    python opponents.py

Each opponent plays --games games against random moves and as many against the search with one node, half of them as each side, after four random
plies. Prints its points of 100: a win counts 1, a draw and a game that is cut 1/2.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, List

import numpy as np

import menagerie
from menagerie.gymnasium import VectorEnv

OPPONENTS: Dict[str, Dict[str, Any]] = {
    "random": {"opponent": "random"},
    "1 node, epsilon 0.5": {"opponent": 1, "epsilon": 0.5},
    "100 nodes, temperature 0.3": {"opponent": 100, "temperature": 0.3},
    "100 nodes, temperature 0.1": {"opponent": 100, "temperature": 0.1},
    "100 nodes, temperature 0.03": {"opponent": 100, "temperature": 0.03},
    "1 node": {"opponent": 1},
    "100 nodes": {"opponent": 100},
    "1,000 nodes": {"opponent": 1_000},
}


def points(game: str, nodes: int, games: int, **opponent: Any) -> float:
    """The points of an opponent against so many nodes a move; against random moves with 0."""
    rewards: List[float] = []
    for side in menagerie.Game(game).sides:
        envs = VectorEnv(game, games // 2, side=side, random_plies=4, **opponent)
        envs.reset(seed=1)
        playing, waiting = np.ones(games // 2, bool), [[0][:0] for _ in range(games // 2)]
        while playing.any():
            actions = envs.random_actions()
            if nodes:
                for index, position in enumerate(envs.positions()):
                    if playing[index]:
                        waiting[index] = waiting[index] or position.think(nodes=nodes).move.actions
                        actions[index] = waiting[index].pop(0)
            _, reward, terminated, truncated, _ = envs.step(actions)
            ended = playing & (terminated | truncated)
            rewards += reward[ended].tolist()
            playing &= ~ended
    return 50 - 50 * float(np.mean(rewards))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    print(f"{'points against random, 1 node':30}" + "".join(f"{name:>12}" for name in menagerie.names()))
    for name, opponent in OPPONENTS.items():
        cells = ["".join(f"{points(game, nodes, options.games, **opponent):6.0f}" for nodes in (0, 1)) for game in menagerie.names()]
        print(f"{name:30}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
