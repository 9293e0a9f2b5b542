"""Menagerie: Halma, Wolves and Sheep, Squirrels, FoxGame, Foxes and Geese, each with a strong player.

>>> import menagerie
>>> position = menagerie.Game("foxgame").start()
>>> position.side, len(position.legal_moves())
('FOX', 6)
>>> report = position.think(nodes=5_000)
>>> after = position.play(report.move)
>>> after.side
'SHEEP'
"""

from __future__ import annotations

from typing import Any

from ._errors import InputError, MoveError
from ._match import Match, Played, match
from ._menagerie import Game, Move, Outcome, Position, Report, Verdict, judge, names

__all__ = [
    "Game",
    "InputError",
    "Match",
    "Move",
    "MoveError",
    "Outcome",
    "Played",
    "Position",
    "Report",
    "Verdict",
    "env",
    "judge",
    "match",
    "names",
]


def env(game: str, **options: Any) -> Any:
    """Returns a game as a PettingZoo environment in PettingZoo's usual wrappers. Needs the packages `pettingzoo` and `numpy`
    (`pip install menagerie[pettingzoo]`). The options are those of `menagerie.pettingzoo.Environment`."""
    from . import pettingzoo

    return pettingzoo.env(game, **options)
