"""Tests that ^C ends every call that can take long."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any, Callable, Dict, List

import pytest

import menagerie
from menagerie import Game

# A number of nodes that no search finishes.
ENDLESS = 10**15
# CPU seconds that a call may go on after the signal. The machine's load does not count.
AT_ONCE = 0.3


def ended_by_an_interrupt(call: Callable[[], object], threads: int = 1) -> None:
    """Calls a function that takes long, sends SIGINT after 0.2 s, and checks that KeyboardInterrupt comes at once."""
    sent: List[float] = []

    def interrupt() -> None:
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    # Shells make background processes ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            # On a loaded machine the signal comes before this call ends.
            timer.start()
            call()
            time.sleep(60)
        used = time.process_time() - sent[0]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert used < AT_ONCE * threads


CALLS: Dict[str, Callable[[], object]] = {
    "perft": lambda: Game("halma").start().perft(60),
    "perft with captures": lambda: Game("foxgame").start().perft(60),
    "rate_moves": lambda: Game("halma").start().rate_moves(nodes=ENDLESS),
    "long playouts": lambda: menagerie.playouts(Game("halma").start(), 10, ply_limit=2**31),
    "think": lambda: Game("squirrels").start().think(nodes=ENDLESS),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_ends_a_call(name: str) -> None:
    ended_by_an_interrupt(CALLS[name])


def test_an_interrupt_ends_long_games_of_other_threads() -> None:
    ended_by_an_interrupt(lambda: menagerie.playouts(Game("halma").start(), 10, threads=3, ply_limit=2**31), 3)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
@pytest.mark.parametrize("temperature", [0.0, 0.1])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_step_of_many_games(threads: int, temperature: float) -> None:
    from menagerie.gymnasium import VectorEnv

    start = Game("halma").start()
    options: Dict[str, Any] = {"side": start.side, "threads": threads, "temperature": temperature}
    envs = VectorEnv("halma", 4, opponent=ENDLESS, **options)
    envs.reset(seed=1)
    actions = envs.random_actions()
    ended_by_an_interrupt(lambda: envs.step(actions), threads)
    for call in (lambda: envs.step(actions), envs.random_actions):
        with pytest.raises(ValueError, match="an interrupt has ended the last call in its middle"):
            call()
    envs.reset()
    assert (envs.sides() == Game("halma").sides.index(start.side)).all()
    # The opponent begins.
    other = next(side for side in Game("halma").sides if side != start.side)
    waiting = VectorEnv("halma", 4, opponent=ENDLESS, **{**options, "side": other})
    ended_by_an_interrupt(lambda: waiting.reset(seed=1), threads)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_an_interrupt_ends_a_step_of_one_game() -> None:
    from menagerie.gymnasium import SingleAgentEnv

    env = SingleAgentEnv("halma", opponent=ENDLESS, side=Game("halma").start().side)
    env.reset(seed=1)
    action = int(env.action_masks().nonzero()[0][0])
    ended_by_an_interrupt(lambda: env.step(action))
