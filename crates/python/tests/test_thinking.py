"""Tests of `Position.think`: the agents' moves, limits, other threads, signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Callable, Iterator, List, Optional

import pytest
from conftest import ROOT, inputs

from menagerie import Game, Position, Report

CASES = pytest.mark.parametrize(
    "name,path", inputs(), ids=lambda value: value if isinstance(value, str) else value.stem
)
# A number of nodes that no search finishes.
ENDLESS = 10**15


@CASES
def test_the_move_is_the_expected_one(name: str, path: Path) -> None:
    """Compares with the expected answers of `make check`, which runs the agents with the same number of nodes."""
    expected = (ROOT / "expected" / name / path.name).read_bytes().decode()
    assert Game(name).read_file(path).think(nodes=200_000).move.text == expected


@CASES
def test_the_move_is_the_program_s(name: str, path: Path, program: Callable[[str], Path]) -> None:
    command = [str(program(name)), "--input", str(path), "--output", "-", "--nodes", "20000"]
    answer = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert Game(name).read_file(path).think(nodes=20_000).move.text == answer


def test_a_report_tells_what_was_found(game: Game) -> None:
    start = game.start()
    report = start.think(depth=4, hash=1)
    if report.advice is None:
        assert report.depth == 4 and report.nodes > 0 and report.score is not None and report.says
        assert report.pv[0] == report.move and report.expected is not None and 0 <= report.expected <= 1
        at = start
        for move in report.pv:
            at = at.play(move)
    assert report.move in start.legal_moves()
    assert start.think(depth=4, hash=1).score == report.score


def test_the_full_width_is_plain_minimax() -> None:
    position = Game("squirrels").read_file(ROOT / "inputs/squirrels/competition-single-8-left.txt")

    def minimax(at: Position, depth: int) -> int:
        outcome = at.outcome()
        if outcome and outcome.margin is not None:
            return outcome.margin if at.side == "X" else -outcome.margin
        return max(-minimax(at.play(move), depth - 1) for move in at.legal_moves())

    chosen = position.play(position.think(depth=8, full_width=True).move)
    empty = position.cells.count(b".")
    while empty > 6:
        # Minimax in Python is fast enough for the last six squares only.
        position = position.play(position.think(depth=8, full_width=True).move)
        empty -= 1
    report = position.think(depth=6, full_width=True)
    assert report.score == minimax(position, 6) and report.proven
    assert chosen.cells.count(b".") == 7


def test_a_proof_is_told_apart_from_an_estimate() -> None:
    report = Game("foxgeese").start().think(seconds=0.5)
    assert report.advice and report.proven and report.expected == 1.0


def test_iterations_are_told_and_can_end_the_thinking() -> None:
    told: List[Report] = []

    def listen(report: Report) -> bool:
        told.append(report)
        return report.depth < 3

    report = Game("halma").start().think(nodes=ENDLESS, on_iteration=listen)
    assert [each.depth for each in told] == [1, 2, 3]
    assert (report.depth, report.move) == (3, told[-1].move)


def test_an_exception_of_the_listener_ends_the_thinking() -> None:
    def listen(report: Report) -> None:
        raise LookupError(f"depth {report.depth}")

    with pytest.raises(LookupError, match="depth 1"):
        Game("wolves").start().think(nodes=ENDLESS, on_iteration=listen)


@pytest.mark.parametrize(
    "limits,said",
    [
        ({"depth": 0}, "depth: expected 1 to"),
        ({"depth": 120}, "depth: expected 1 to"),
        ({"depth": -1}, "depth: expected 1 to"),
        ({"nodes": 0}, "nodes: expected 1 or more, found 0"),
        ({"nodes": -1}, "nodes: expected 1 or more, found -1"),
        ({"nodes": -(10**30)}, f"nodes: expected 1 or more, found -{10**30}"),
        ({"seconds": 0.0}, "seconds: expected above 0, found 0"),
        ({"seconds": float("nan")}, "seconds: expected above 0, found NaN"),
        ({"seconds": 1.0, "nodes": 5}, "seconds: expected alone"),
        ({"depth": 1, "hash": 0}, "hash"),
        ({"depth": 1, "hash": 10**30}, f"hash: expected 1 to 65536, found {10**30}"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=said):
        Game("halma").start().think(**limits)


def test_a_clock_of_the_position_counts() -> None:
    position = Game("halma").read(Game("halma").start().input(seconds=0.05, control="SINGLE"))
    assert position.think().move in position.legal_moves()


def test_other_threads_run_while_one_thinks() -> None:
    started, done, waits = threading.Event(), threading.Event(), 0

    def think() -> None:
        started.set()
        Game("halma").start().think(nodes=400_000)
        done.set()

    thinker = threading.Thread(target=think)
    thinker.start()
    started.wait()
    # If `think` held the interpreter lock, this loop would not run before the search has ended.
    while not done.wait(0.001):
        waits += 1
    thinker.join()
    assert waits > 0


def test_two_threads_think_at_once() -> None:
    found: List[str] = []
    start = Game("foxgame").start()
    threads = [threading.Thread(target=lambda: found.append(str(start.think(nodes=50_000).move))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [str(start.think(nodes=50_000).move)] * 2


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Sends SIGINT to the process after 0.2 s. Installs Python's handler, because shells make background processes ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupt = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    yield
    interrupt.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("limits", [{"nodes": ENDLESS}, {"depth": 100}, {"seconds": 1e6}], ids=str)
def test_an_interrupt_ends_the_thinking(limits: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(KeyboardInterrupt):
        Game("halma").start().think(**limits)


@pytest.mark.usefixtures("interrupted")
def test_an_interrupt_ends_an_exact_solution() -> None:
    """An exact solver reports no iterations: with a long clock the empty board of Squirrels is solved exactly."""
    with pytest.raises(KeyboardInterrupt):
        Game("squirrels").start().think(seconds=1e6, hash=64)


def test_a_handler_s_exception_comes_through() -> None:
    class Alarm(Exception):
        pass

    def ring(*_: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Alarm):
            Game("wolves").start().think(nodes=ENDLESS)
    finally:
        signal.signal(signal.SIGALRM, before)


LITTLE_MEMORY = """
import resource, sys
import menagerie

name, limit, call = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
start = menagerie.Game(name).start()
try:
    print(eval(call).advice is not None)
except MemoryError as error:
    print(error)
print(start.think(nodes=100).move in start.legal_moves())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the address space of a process can be limited on Linux alone")
@pytest.mark.parametrize(
    "limit,call,asked",
    [
        (6_000_000_000, "start.think(nodes=100, hash=8192)", 8192),
        (6_000_000_000, "start.think(depth=2, hash=65536, full_width=True)", 65536),
        (2_000_000_000, "start.think(seconds=1e6, hash=65536, on_iteration=lambda _: False)", None),
    ],
    ids=["nodes", "depth", "seconds"],
)
def test_a_table_that_cannot_be_had_is_a_memory_error(game: Game, limit: int, call: str, asked: Optional[int]) -> None:
    """A move that needs no table, as it is known, is found all the same. The exact solver of Squirrels has a table of its own."""
    words = [sys.executable, "-c", LITTLE_MEMORY, game.name, str(limit), call]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    said, goes_on = done.stdout.splitlines()
    assert goes_on == "True"
    assert said == "True" or (f"a table of {asked} MiB cannot be had" if asked else "MiB cannot be had") in said
    assert said != "True" or game.name in ("wolves", "foxgeese", "foxgame")


def test_the_moves_are_rated(game: Game) -> None:
    start = game.start()
    rated = start.rate_moves(nodes=2_000)
    assert [move for move, _ in rated] == start.legal_moves()
    assert all(0 <= expected <= 1 for _, expected in rated) and rated == start.rate_moves(nodes=2_000)
    position = start
    while not position.outcome():
        before, position = position, position.play(position.think(nodes=500).move)
        if len(position.history) > 400:
            return
    outcome = position.outcome()
    assert outcome
    last = dict(zip(before.legal_moves(), (expected for _, expected in before.rate_moves(nodes=500))))
    if outcome.winner:
        assert last[position.history[-1]] == (1 if outcome.winner == before.side else 0)
    with pytest.raises(ValueError, match="the game is over"):
        position.rate_moves()
