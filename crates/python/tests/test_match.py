"""Tests of matches between programs, which the program `judge` plays."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Callable

import pytest

import menagerie
from menagerie import Game


def test_a_match_is_played_and_can_be_replayed(program: Callable[[str], Path], tmp_path: Path) -> None:
    program("judge")
    record = tmp_path / "games.jsonl"
    greedy = {"engine": "reference:greedy", "name": "greedy"}
    match = menagerie.match("wolves", greedy, "engine=reference:random name=chance", games=2, seed=3, max_plies=60, record=record)
    assert [game.number for game in match.games] == [1, 2] and record.is_file()
    assert match.score("greedy") + match.score("chance") == 2 and "greedy" in match.standings
    assert match.games[0].players == tuple(reversed(match.games[1].players))
    for played in match.games:
        position = Game("wolves").read(played.opening)
        for text in played.moves:
            position = position.play(text)
        outcome = position.outcome()
        assert (outcome is not None) == (played.termination == "normal")
        if outcome:
            assert played.winner == played.players[Game("wolves").sides.index(outcome.winner or "")]


def test_a_program_that_crashes_loses(program: Callable[[str], Path]) -> None:
    program("judge")
    broken = f"cmd='{sys.executable} -c 1/0' name=broken"
    match = menagerie.match("squirrels", broken, "engine=reference:greedy name=greedy", games=2, each="st=5")
    assert match.score("greedy") == 2 and {game.termination for game in match.games} == {"crash"}


def test_what_the_judge_refuses_is_an_error(program: Callable[[str], Path]) -> None:
    program("judge")
    with pytest.raises(RuntimeError, match="chess"):
        menagerie.match("chess", "engine=reference:random", "engine=reference:greedy")


def test_without_the_programs_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MENAGERIE_PROGRAMS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="pip install menagerie-programs") as raised:
        menagerie.match("wolves", "engine=reference:random", "engine=reference:greedy")
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, "judge")
