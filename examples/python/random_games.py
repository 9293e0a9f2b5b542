#!/usr/bin/env python3
"""Plays random games of each kind, and says how many a second of CPU time.

    pip install menagerie
    python random_games.py --games 1000

A game ends by its rules, or at the limit of plies at which a referee calls it a draw.
"""

from __future__ import annotations

import argparse
import random
import time

import menagerie


def play(game: menagerie.Game, chance: random.Random) -> int:
    """Plays one game; its plies."""
    position, plies = game.start(), 0
    while plies < game.ply_limit:
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
        plies += 1
    return plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'game':10} {'games/s':>9} {'plies/s':>9} {'plies a game':>13}")
    for name in menagerie.names():
        game, chance = menagerie.Game(name), random.Random(options.seed)
        begun = time.process_time()
        plies = sum(play(game, chance) for _ in range(options.games))
        seconds = max(time.process_time() - begun, 1e-9)
        print(f"{name:10} {options.games / seconds:9.0f} {plies / seconds:9.0f} {plies / options.games:13.0f}")


if __name__ == "__main__":
    main()
