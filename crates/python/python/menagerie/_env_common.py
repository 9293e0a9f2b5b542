"""What the environments of PettingZoo and of Gymnasium share: observations, the options of games, and how a board is rendered."""

from __future__ import annotations

import os
from typing import Any, Dict, Literal, Optional, Sequence, Tuple, TypedDict, Union, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import menagerie

from ._errors import OVERWRITTEN
from ._menagerie import Game, Position, State
from ._own_game import OwnGame, OwnState

if getattr(menagerie, "Game", None) is not Game:
    raise ImportError(OVERWRITTEN)

RenderMode = Literal["ansi", "human", "rgb_array", "svg"]
RENDER_MODES = ("ansi", "human", "rgb_array", "svg")


class Observation(TypedDict):
    """What a side sees."""

    observation: NDArray[np.float32]
    """The planes of numbers from 0 to 1."""
    action_mask: NDArray[np.int8]
    """1 for each action that is legal now."""


def space(planes: Tuple[int, int, int], actions: int) -> spaces.Dict:
    """Returns the space of observations with planes of this shape, and with so many actions."""
    seen, mask = spaces.Box(0, 1, planes, np.float32), spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask})


class ActionSpace(spaces.Discrete):
    """The actions of a game. It draws by a mask as its base does, and in less time where the mask is long."""

    def sample(self, mask: Any = None, *others: Any, **named: Any) -> np.int64:
        """Draws an action, by a mask one of its ones."""
        if getattr(mask, "dtype", None) == np.int8 and mask.shape == (self.n,):
            # numpy looks through truth values much faster than through numbers.
            legal = np.flatnonzero(mask.view(np.bool_))
            if len(legal):
                return cast(np.int64, self.np_random.choice(legal))
        return super().sample(mask, *others, **named)


def checked_render_mode(mode: Optional[str]) -> Optional[str]:
    """Returns a render mode that exists and whose packages are installed, or `None`."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected {', '.join(RENDER_MODES)}, found {mode!r}")
    if mode == "rgb_array":
        from importlib.util import find_spec

        if not (find_spec("resvg_py") and find_spec("PIL")):
            raise ImportError("render_mode 'rgb_array' needs resvg-py and Pillow: pip install 'menagerie-games[render]'")
    return mode


def game_of(name: str, rules: Optional[str]) -> Game:
    """Returns a game of the module, or for the name of a folder with a slash a game of one's own, which has the same functions."""
    if "/" not in name and os.sep not in name:
        return Game(name, rules)
    if rules is not None:
        raise ValueError("rules: expected with the name of a game, not with a folder")
    return cast(Game, OwnGame(name))


def state_of(game: Game, position: Position, ply_limit: int, actions: str) -> State:
    """Returns a state that begins with a position."""
    own: Any = game
    if not isinstance(own, OwnGame):
        return State(position, ply_limit=ply_limit, actions=actions)
    if actions != "moves":
        raise ValueError(f"actions: expected 'moves' for a game of one's own, found {actions!r}")
    return cast(State, OwnState(own, cast(Any, position), ply_limit))


def checked_ply_limit(game: Game, random_values: bool, ply_limit: Optional[int]) -> int:
    """Checks the options that all environments have, and returns the limit of plies."""
    if random_values and game.start().values is None:
        raise ValueError(f"random_values: the squares of {game.name} have no values")
    if ply_limit is None:
        return game.ply_limit
    if not 1 <= ply_limit < 2**32:
        raise ValueError(f"ply_limit: expected 1 to {2**32 - 1}, found {ply_limit}")
    return ply_limit


Reward = Literal["result", "margin"]


def checked_reward(game: Game, reward: str) -> bool:
    """Returns whether the reward is the margin."""
    if reward not in ("result", "margin"):
        raise ValueError(f"reward: expected 'result' or 'margin', found {reward!r}")
    if reward == "margin" and game.start().values is None:
        raise ValueError(f"reward: {game.name} counts no points, and has no margin")
    return reward == "margin"


Actions = Literal["moves", "squares"]


def margin_returns(position: Position) -> Tuple[float, float]:
    """Returns for both sides the margin of a finished game, as a share of all points; 0 before its end."""
    outcome, values = position.outcome(), position.values
    if outcome is None or outcome.margin is None or values is None:
        return 0.0, 0.0
    share = outcome.margin / max(1, sum(values))
    return share, -share


TRIES = 100
"""The number of tries to begin a game with random plies."""


class Beginning:
    """What the games of an environment begin with: the start, or one of `starts`, and then random plies."""

    def __init__(self, game: Game, random_values: bool, random_plies: int, starts: Optional[Sequence[Position]]) -> None:
        if not 0 <= random_plies <= 1_000:
            raise ValueError(f"random_plies: expected 0 to 1000, found {random_plies}")
        if starts is not None and not starts:
            raise ValueError("starts: expected one position or more")
        if random_values and starts:
            raise ValueError("random_values: expected without starts, which have values of their own")
        self.game, self.random_values, self.random_plies = game, random_values, random_plies
        self.starts = [checked_position(game, position) for position in starts or ()]

    def draw(self, chance: np.random.Generator) -> Position:
        """Draws the beginning of a game. It is not over."""
        own: Any = self.game
        # The number decides the dice and cards of a game of one's own.
        start = self.game.start()
        if isinstance(own, OwnGame):
            start = cast(Position, own.start(int(chance.integers(2**31))))
        if self.random_values:
            start = with_random_values(self.game, chance)
        elif self.starts:
            start = self.starts[int(chance.integers(len(self.starts)))]
        for _ in range(TRIES):
            position = start
            for _ in range(self.random_plies):
                moves = position.legal_moves()
                if not moves:
                    break
                position = position.play(moves[int(chance.integers(len(moves)))])
            if position.outcome() is None:
                return position
        return start


def checked_position(game: Game, position: Position) -> Position:
    """Returns a position that a game can begin with."""
    if (position.game, position.rules) != (game.name, game.rules):
        raise ValueError(f"a position of {position.game} by the rules {position.rules}, expected {game.name} by {game.rules}")
    if position.outcome() is not None:
        raise ValueError("a position whose game is over: nothing can be played from there")
    return position


def given_position(game: Game, options: Optional[Dict[str, Any]], *others: str) -> Optional[Position]:
    """Returns the position that the options of `reset` ask for. `others` are options that the caller understands."""
    options = options or {}
    known = ("input", "position", *others)
    for key in options:
        if key not in known:
            raise ValueError(f"options: expected {', '.join(known)}, found {key!r}")
    if len(options) > 1:
        raise ValueError(f"options: expected one of {', '.join(known)}, found several")
    if "input" in options:
        return checked_position(game, game.read(options["input"]))
    return checked_position(game, options["position"]) if "position" in options else None


def with_random_values(game: Game, chance: np.random.Generator) -> Position:
    """Returns the start of Squirrels with the values of its squares drawn from 1 to 99."""
    lines = game.start().input().splitlines()
    lines[3:8] = [" ".join(map(str, row)) for row in chance.integers(1, 100, (5, 5))]
    return game.read("\n".join(lines) + "\n")


def pixels(position: Position) -> NDArray[np.uint8]:
    """Draws a board as the SVG document shows it: rows, columns, and red, green and blue."""
    import io

    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=position.render_svg(), background="white")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def rendered(position: Position, mode: Optional[str]) -> Union[str, NDArray[np.uint8], None]:
    """Returns a board as a text, an SVG document or pixels, or prints it in the mode `human`."""
    if mode == "svg":
        return position.render_svg()
    if mode == "rgb_array":
        return pixels(position)
    if mode == "human":
        print(position.render())
        return None
    return position.render()
