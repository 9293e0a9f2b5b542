"""Tests that a size or a number of threads that cannot be had raises `MemoryError`, `OverflowError` or `OSError`, and ends no interpreter."""

from __future__ import annotations

import subprocess
import sys
from typing import List

import pytest

from menagerie import Game

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the address space of a process can be limited on Linux alone"),
    pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10"),
]

# Limits the address space to what is in use and so many MiB more, and prints what becomes of each call.
LIMITED = """
import resource, sys
import menagerie
from menagerie.gymnasium import VectorEnv

limit, *calls = sys.argv[1:]

def step(name, count, **options):
    envs = VectorEnv(name, count, **options)
    envs.reset(seed=1)
    for _ in range(3):
        envs.step(envs.random_actions())
    return envs.positions()

start = {name: menagerie.Game(name).start() for name in menagerie.names()}
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
most = used + (int(limit) << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for call in calls:
    try:
        eval(call)
        print("went well")
    except Exception as error:
        print([kind for kind in (MemoryError, OverflowError, OSError) if isinstance(error, kind)][0].__name__)
# The interpreter plays on.
assert menagerie.playouts(start["wolves"], 10).games == 10
"""


def became(limit: int, *calls: str) -> List[str]:
    done = subprocess.run([sys.executable, "-c", LIMITED, str(limit), *calls], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.split("\n")[:-1]


def test_more_games_than_memory_are_a_memory_error(game: Game) -> None:
    """Each number of games either is played or is refused; the largest do not even fit the numbers."""
    counts = [1, 10**3, 3 * 10**4, 10**5, 3 * 10**5, 10**6, 10**7, 10**8, 10**10, 10**15, 2**63, 10**30]
    told = became(300, *(f"step('{game.name}', {count}, ply_limit=2)" for count in counts))
    assert told[0] == "went well" and told[-7:-2] == ["MemoryError"] * 5 and told[-1] == "OverflowError"
    assert set(told) <= {"went well", "MemoryError", "OverflowError"} and told == sorted(told, key=["went well", "MemoryError", "OverflowError"].index)


def test_threads_that_cannot_be_started_are_an_os_error() -> None:
    calls = [
        "menagerie.playouts(start['wolves'], 10**6, threads=1024)",
        "step('wolves', 2_000, threads=1_000)",
        "step('wolves', 2_000, threads=1_000, opponent=50)",
        "step('wolves', 2_000, threads=10**30)",
        "menagerie.playouts(start['halma'], 100, threads=3)",
    ]
    assert became(60, *calls) == ["OSError", "OSError", "OSError", "OverflowError", "went well"]


def test_other_sizes_are_memory_errors_or_go_well() -> None:
    calls = [
        "start['halma'].minimax(lambda positions: [0.5] * len(positions), depth=4, batch=2**20)",
        "start['squirrels'].minimax(lambda positions: [0.5] * len(positions), depth=4, batch=2**20)",
        "start['halma'].think(nodes=100, hash=65536)",
        "menagerie.observations([menagerie.State(start['halma'])] * 10**5)",
        "menagerie.Game('halma').read_file('/dev/zero')",
    ]
    assert became(60, *calls) == ["MemoryError", "MemoryError", "MemoryError", "MemoryError", "OSError"]
    assert became(60, "start['wolves'].minimax(lambda positions: [0.5] * len(positions), depth=3, batch=2**20)") == ["went well"]
    assert became(60, "start['halma'].best_lines(1_000)", "start['halma'].rate_moves(nodes=2_000)", "start['halma'].render_svg(1 << 16)") == ["went well"] * 3
