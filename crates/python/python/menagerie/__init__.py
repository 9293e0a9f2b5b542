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
    judge, Verdict         whether an answer to an input file is legal, in the judge's words
    match, Match, Played   games between programs, by the program `judge`
    playouts, Playouts     many random games from a position
    State                  a game by numbers: actions and planes, with the names of OpenSpiel
    observations           planes and masks of many states at once
    symmetries, Symmetry   boards that the rules do not tell apart, for training
    env, GameEnv           the same as an environment of PettingZoo
    menagerie.gymnasium    environments for one learner, and for many games at once
    InputError, MoveError  texts that are refused
"""

from __future__ import annotations

from ._env import GameEnv, env
from ._env_common import Observation
from ._errors import InputError, MoveError
from ._match import Match, Played, match
from ._menagerie import (
    Game,
    Move,
    Outcome,
    Playouts,
    Position,
    Report,
    State,
    Verdict,
    __version__,
    judge,
    names,
    observations,
    playouts,
)
from ._symmetries import Symmetry, symmetries

__all__ = [
    "names",
    "Game",
    "Position",
    "Move",
    "Outcome",
    "Report",
    "judge",
    "Verdict",
    "match",
    "Match",
    "Played",
    "playouts",
    "Playouts",
    "State",
    "observations",
    "symmetries",
    "Symmetry",
    "env",
    "GameEnv",
    "Observation",
    "InputError",
    "MoveError",
    "__version__",
]
