"""Menagerie: Halma, Wolves and Sheep, Squirrels, FoxGame, Foxes and Geese, each with a strong player.

>>> import menagerie
>>> position = menagerie.Game("foxgame").start()
>>> position.side, len(position.legal_moves())
('FOX', 6)
>>> report = position.think(nodes=5_000)
>>> after = position.play(report.move)
>>> after.side
'SHEEP'

Begin with `help(menagerie.Position)`. What there is, in the order in which one comes to need it:

    names(), Game          the games; Game("halma").start() is a position
    Position, Move         boards, legal moves, play, undo, history
    Outcome                the result of a game
    Position.think, Report the agents' own move, and what was found
    playouts, Playouts     many random games from a position
    State                  a game by numbers: actions and planes, with the names of OpenSpiel
    observations           planes and masks of many states at once
    symmetries, Symmetry   boards that the rules do not tell apart, for training
    env                    the same as an environment of PettingZoo: menagerie.pettingzoo.Environment
    menagerie.gymnasium    environments for one learner, and for many games at once
    menagerie.openspiel    the games as OpenSpiel's
    InputError, MoveError  texts that are refused
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import OVERWRITTEN, InputError, MoveError
from ._menagerie import (
    Game,
    Move,
    Outcome,
    Playouts,
    Position,
    Report,
    State,
    __version__,
    names,
    observations,
    playouts,
)
from ._symmetries import Symmetry, symmetries

if TYPE_CHECKING:
    from .pettingzoo import Environment

    env = Environment

__all__ = [
    "names",
    "Game",
    "Position",
    "Move",
    "Outcome",
    "Report",
    "playouts",
    "Playouts",
    "State",
    "observations",
    "symmetries",
    "Symmetry",
    "InputError",
    "MoveError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    # Only who asks for an environment needs PettingZoo.
    if name != "env":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .pettingzoo import Environment

    return Environment


if any(Path(__file__).parents[1].glob("menagerie-*.dist-info")):
    warnings.warn(OVERWRITTEN, stacklevel=2)
