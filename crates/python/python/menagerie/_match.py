"""Matches between programs, played by the program `judge`, which runs each player in a sandbox and measures its CPU time."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

Engine = Union[str, Mapping[str, object]]
"""A player, in the format of the judge's option --engine, `"cmd='python3 homework.py' name=mine"`, or as a mapping of its keys."""


@dataclass(frozen=True)
class Played:
    """One game of a match."""

    number: int
    """The number of the game in the schedule, from 1."""
    players: Tuple[str, str]
    """The names of the players, by side."""
    winner: Optional[str]
    """The name of the winner; `None` for a draw."""
    points: Optional[int]
    """The first side's points minus the second's; `None` in games without points."""
    termination: str
    """The kind of the end: `normal`, `time forfeit`, `illegal move`, `crash` ..."""
    reason: str
    """The reason why the game ended, as text."""
    opening: str
    """The input text of the first turn."""
    moves: Tuple[str, ...]
    """The output texts of all turns, in order."""
    cpu: Tuple[float, float]
    """The CPU seconds of the players, by side."""


@dataclass(frozen=True)
class Match:
    """The result of a match."""

    games: Tuple[Played, ...]
    """The games, in the order of the schedule."""
    standings: str
    """The judge's text on the result, with error bars."""

    def score(self, name: str) -> float:
        """The total points of a player: 1 for a win, 1/2 for a draw."""
        played = [game for game in self.games if name in game.players]
        return sum(1.0 if game.winner == name else 0.5 if game.winner is None else 0.0 for game in played)


def program(name: str) -> Path:
    """Finds one of Menagerie's programs: in the folder that the environment variable MENAGERIE_PROGRAMS names, beside this
    Python, or on the path. Raises `FileNotFoundError` if there is none."""
    places = [os.environ.get("MENAGERIE_PROGRAMS"), sysconfig.get_path("scripts"), os.environ.get("PATH")]
    for place in places:
        found = shutil.which(name, path=place) if place else None
        if found:
            return Path(found)
    raise FileNotFoundError(errno.ENOENT, "no such program: pip install menagerie-programs (the judge runs on Linux alone)", name)


def match(
    game: str,
    *engines: Engine,
    games: int = 10,
    each: Engine = "",
    rules: Optional[str] = None,
    openings: Optional[str] = None,
    seed: Optional[int] = None,
    max_plies: Optional[int] = None,
    concurrency: Optional[int] = None,
    record: Union[None, str, "os.PathLike[str]"] = None,
    options: Sequence[str] = (),
) -> Match:
    """Plays a match between two or more programs by `judge match`, whose --help lists the keys of engines and all options.
    `options` are further options for it. `record` names a new file for the judge's record.

    >>> menagerie.match("wolves", "cmd='python3 homework.py' name=mine", "engine=reference:greedy", games=2)  # doctest: +SKIP

    Raises `FileNotFoundError` if the program `judge` is missing, and `RuntimeError` with the judge's message if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(record) if record is not None else Path(scratch) / "record.jsonl"
        command = [str(program("judge")), "match", "--game", game, "--games", str(games), "--record", str(kept), "--interval", "0"]
        named = {"--rules": rules, "--openings": openings, "--seed": seed, "--max-plies": max_plies}
        for option, value in {**named, "--concurrency": concurrency}.items():
            command += [] if value is None else [option, str(value)]
        for engine in engines:
            command += ["--engine", *_words(engine)]
        command += ["--each", *_words(each)] if each else []
        done = subprocess.run([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"the judge ended with code {done.returncode}")
        events = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    return Match(_played(events), done.stdout)


def _words(engine: Engine) -> List[str]:
    if isinstance(engine, str):
        return shlex.split(engine)
    return [f"{key}={value}" for key, value in engine.items()]


def _played(events: List[Dict[str, Any]]) -> Tuple[Played, ...]:
    openings: Dict[int, str] = {}
    moves: Dict[int, List[str]] = {}
    ended: Dict[int, Played] = {}
    for event in events:
        kind = event["event"]
        number: int = event.get("game", 0)
        if kind == "start":
            openings[number], moves[number] = event["opening"], []
        elif kind == "move":
            moves[number].append(event["output"])
        elif kind == "end":
            players, winner = event["players"], event.get("winner")
            ended[number] = Played(
                number=number,
                players=(players[0], players[1]),
                winner=None if winner is None else players[winner],
                points=event.get("points"),
                termination=event["termination"],
                reason=event["reason"],
                opening=openings[number],
                moves=tuple(moves[number]),
                cpu=(event["cpu"][0], event["cpu"][1]),
            )
    return tuple(ended[number] for number in sorted(ended))
