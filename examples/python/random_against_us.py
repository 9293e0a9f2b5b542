#!/usr/bin/env python3
"""Plays random moves against our search, in an environment of PettingZoo.

    pip install 'menagerie-games[pettingzoo]' --find-links target/wheels    # after make wheel
    python random_against_us.py --game foxgame --games 10

The sides change from game to game. The search thinks for --nodes nodes a move; whoever looks for a learner's first opponent
begins with few. A chain of jumps is several actions, one after the other.
"""

from __future__ import annotations

import argparse
from typing import Iterator, List

import numpy as np

import menagerie
from menagerie.pettingzoo import Environment


def ours(env: Environment, nodes: int) -> Iterator[int]:
    """The actions of the search's move."""
    yield from env.position.think(nodes=nodes).move.actions


def play(env: Environment, we_are: str, nodes: int, chance: np.random.Generator) -> float:
    """Plays one game; our reward."""
    env.reset()
    waiting: List[int] = []
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        if env.agent_selection == we_are:
            waiting = waiting or list(ours(env, nodes))
            action = waiting.pop(0)
        else:
            mask = env.observe(env.agent_selection)["action_mask"]
            action = int(chance.choice(np.flatnonzero(mask)))
        env.step(action)
    return float(env.rewards[we_are])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=menagerie.names(), default="foxgame")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    env = Environment(options.game)
    chance = np.random.default_rng(options.seed)
    rewards = []
    for number in range(options.games):
        we_are = env.possible_agents[number % 2]
        rewards.append(play(env, we_are, options.nodes, chance))
        print(f"we are {we_are}: {env.position.outcome() or 'nobody has won within the limit of plies'}")
    print(f"the search won {rewards.count(1.0)} of {options.games} games, random moves {rewards.count(-1.0)}")


if __name__ == "__main__":
    main()
