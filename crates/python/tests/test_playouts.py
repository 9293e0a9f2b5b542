"""Tests of `menagerie.playouts`, against random games that are played move by move."""

from __future__ import annotations

import copy
import pickle
import random
import signal
import threading
import time

import pytest

import menagerie
from menagerie import Game


def test_random_games_end_as_the_rules_say(game: Game) -> None:
    """Compares with random games in Python: the shares of wins differ by less than five standard deviations."""
    start, chance, games = game.start(), random.Random(1), 40
    limit = min(game.ply_limit, 120)
    wins, plies = {side: 0 for side in game.sides}, 0
    for _ in range(games):
        position = start
        for _ in range(limit):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(chance.choice(moves))
            plies += 1
        outcome = position.outcome()
        if outcome and outcome.winner:
            wins[outcome.winner] += 1
    result = menagerie.playouts(start, 2_000, seed=1, ply_limit=limit)
    assert result.games == 2_000 == sum(result.wins.values()) + result.draws + result.unfinished
    assert result.plies <= 2_000 * limit and 0 <= result.expected <= 1
    for side, won in wins.items():
        assert abs(won / games - result.wins[side] / 2_000) < 5 * (0.5 / games**0.5)
    assert abs(plies / games - result.plies / 2_000) < 0.2 * limit
    assert (result.margin is not None) == (game.name == "squirrels")


def test_the_seed_decides_and_the_threads_do_not(game: Game) -> None:
    start = game.start()
    one, three, other = (menagerie.playouts(start, 500, *rest) for rest in ((7, 1), (7, 3), (8, 1)))
    assert repr(one) == repr(three) and one.plies == three.plies
    assert (one.plies, one.margin, one.wins) != (other.plies, other.margin, other.wins) or game.name == "halma"


def test_a_finished_game_counts_as_it_ended() -> None:
    position = Game("squirrels").start()
    while not position.outcome():
        position = position.play(position.legal_moves()[0])
    result, outcome = menagerie.playouts(position, 10), position.outcome()
    assert outcome is not None and result.plies == 0 and result.margin == outcome.margin
    assert result.wins == {side: 10 if side == outcome.winner else 0 for side in ("X", "O")}
    assert result.expected == (1.0 if outcome.winner == position.side else 0.0)


def test_sums_can_be_pickled_and_copied(game: Game) -> None:
    sums = menagerie.playouts(game.start().play(game.start().legal_moves()[0]), 50, seed=1, ply_limit=80)
    for twin in (pickle.loads(pickle.dumps(sums)), copy.copy(sums), copy.deepcopy(sums)):
        assert [getattr(twin, name) for name in sums._fields] == [getattr(sums, name) for name in sums._fields]  # type: ignore[attr-defined]


def test_an_interrupt_ends_the_games() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            menagerie.playouts(Game("halma").start(), 10**12, threads=2)
            time.sleep(60)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
