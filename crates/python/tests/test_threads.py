"""Tests of many threads at once. On a free-threaded Python they run beside each other, with no lock of the interpreter."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any, Callable, List

import pytest
from conftest import GAMES

import menagerie
from menagerie import Game, State

THREADS = 8


def at_once(work: Callable[[int], Any]) -> List[Any]:
    """Returns what the work returns in threads that begin at the same time."""
    results: List[Any] = [None] * THREADS
    barrier = threading.Barrier(THREADS)

    def run(index: int) -> None:
        barrier.wait()
        results[index] = work(index)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="needs Python 3.13")
def test_the_module_needs_no_lock_of_the_interpreter() -> None:
    """A module that does not say so has a free-threaded Python take its lock again, with a warning."""
    code = "import sys; before = sys._is_gil_enabled(); import menagerie; assert sys._is_gil_enabled() == before"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


FIRST = """
import threading
barrier, found = threading.Barrier(8), []
def first():
    barrier.wait()
    import menagerie
    for name in menagerie.names():
        start = menagerie.Game(name).start()
        found.append((name, start.perft(2), str(start.think(nodes=500).move)))
threads = [threading.Thread(target=first) for _ in range(8)]
[thread.start() for thread in threads] and [thread.join() for thread in threads]
assert len(found) == 8 * len(set(found)) == 8 * 5, found
"""


def test_threads_may_be_the_first_to_use_the_module() -> None:
    """Its tables are made when they are needed first, each once."""
    subprocess.run([sys.executable, "-c", FIRST], check=True)


@pytest.mark.parametrize("name", GAMES)
def test_threads_share_positions(name: str) -> None:
    start = Game(name).start()

    def play(index: int) -> Any:
        position, shown = start, []
        for ply in range(12):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[ply * 7 % len(moves)])
            shown.append((position.render(), hash(position), len(position.history)))
        return shown, start.think(nodes=2_000).move.text, menagerie.playouts(start, 20, ply_limit=50).plies

    assert len({str(result) for result in at_once(play)}) == 1


def test_a_state_that_threads_share_stays_whole() -> None:
    """A call that finds the state in use by another thread may raise `RuntimeError`; what has been done is one line of play."""
    state = State(Game("wolves").start(), ply_limit=100_000)

    def act(_: int) -> int:
        done = 0
        for _ in range(300):
            try:
                state.apply_action(state.legal_actions()[0])
                done += 1
            except (RuntimeError, ValueError, IndexError):
                # Another thread has been faster.
                pass
        return done

    done = sum(at_once(act))
    position = Game("wolves").start()
    for move in state.position.history:
        position = position.play(move.text)
    assert position == state.position and state.plies == len(position.history) == done > 0


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_each_thread_may_have_its_own_vector() -> None:
    from menagerie.gymnasium import VectorEnv

    def play(_: int) -> Any:
        envs = VectorEnv("foxgame", 4, opponent="random", threads=2)
        observations, _infos = envs.reset(seed=1)
        sums = []
        for _step in range(30):
            observations, rewards, *_others = envs.step(envs.random_actions())
            sums.append((float(observations["observation"].sum()), int(observations["action_mask"].sum()), rewards.tolist()))
        return sums

    assert len({str(result) for result in at_once(play)}) == 1
