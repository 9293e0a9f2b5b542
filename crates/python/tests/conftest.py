"""Fixtures of the tests: the repository's files, and the programs that the module is compared with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, List, Tuple

import pytest

import menagerie

ROOT = Path(__file__).resolve().parents[3]
GAMES = menagerie.names()


def inputs() -> List[Tuple[str, Path]]:
    """Returns every input file that asks for a move; the homework's own formats ask for other things."""
    files = [(game, path) for game in GAMES for path in sorted((ROOT / "inputs" / game).glob("*.txt"))]
    return [(game, path) for game, path in files if path.read_bytes()[:1] in (b"S", b"G")]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> menagerie.Game:
    """A game; the test runs once for each."""
    return menagerie.Game(request.param)


@pytest.fixture
def program() -> Callable[[str], Path]:
    """A function that finds a program; the test is skipped if the program has not been built."""

    def find(name: str) -> Path:
        path = Path(os.environ.get("MENAGERIE_PROGRAMS", ROOT / "target" / "release")) / name
        if not path.is_file():
            pytest.skip(f"{name} is not built: make build")
        return path

    return find
