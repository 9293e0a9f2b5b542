"""What the environments of PettingZoo and of Gymnasium share: observations, the options of games, and how a board is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict

from ._menagerie import Game, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RenderMode = Literal["ansi", "human", "svg"]
RENDER_MODES = ("ansi", "human", "svg")


class Observation(TypedDict):
    """What a side sees."""

    observation: NDArray[np.float32]
    """The planes of numbers from 0 to 1."""
    action_mask: NDArray[np.int8]
    """1 for each action that is legal now."""


def checked_render_mode(mode: Optional[str]) -> Optional[str]:
    """Returns a render mode that exists, or `None`."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected {', '.join(RENDER_MODES)}, found {mode!r}")
    return mode


def checked_ply_limit(game: Game, random_values: bool, ply_limit: Optional[int]) -> int:
    """Checks the options that all environments have, and returns the limit of plies."""
    if random_values and game.start().values is None:
        raise ValueError(f"random_values: the squares of {game.name} have no values")
    if ply_limit is not None and ply_limit < 1:
        raise ValueError("ply_limit: expected 1 or more")
    return ply_limit or game.ply_limit


def with_random_values(game: Game, chance: np.random.Generator) -> Position:
    """Returns the start of Squirrels with the values of its squares drawn from 1 to 99."""
    lines = game.start().input().splitlines()
    lines[3:8] = [" ".join(map(str, row)) for row in chance.integers(1, 100, (5, 5))]
    return game.read("\n".join(lines) + "\n")


def rendered(position: Position, mode: Optional[str]) -> Optional[str]:
    """Returns a board as a text or an SVG document, or prints it in the mode `human`."""
    if mode == "svg":
        return position.render_svg()
    if mode == "human":
        print(position.render())
        return None
    return position.render()
