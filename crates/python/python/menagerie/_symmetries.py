"""The symmetries of the games: rotations and reflections of the board that the rules do not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple

from ._menagerie import Game, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Symmetry(NamedTuple):
    """A symmetry of a game, as permutations for numpy. With `planes` of `State.observation_tensor`, and a mask or a policy of as many
    numbers as there are actions,

        planes.reshape(len(planes), -1)[:, symmetry.cells].reshape(planes.shape)
        mask[symmetry.actions], policy[symmetry.actions]

    are those of the turned board."""

    name: str
    """What it does to the board: `none`, `left-right`, `up-down`, `half turn`, `transpose`, and so on."""
    cells: NDArray[np.intp]
    """For each cell of the turned board the cell that it comes from, row by row from the top left."""
    actions: NDArray[np.intp]
    """For each action on the turned board the action that it comes from."""


def symmetries(game: str, actions: str = "moves") -> List[Symmetry]:
    """Returns the symmetries of a game, the identity first, with `actions` as of `State`: each makes eight, or two, training examples of one.
    Needs numpy.

    >>> [symmetry.name for symmetry in symmetries("halma")]
    ['none', 'transpose']
    """
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError(f"{error}: symmetries need numpy: pip install 'menagerie-games[numpy]'") from error

    known = Game(game)
    state = State(known.start(), actions=actions)
    columns = state.observation_tensor_shape()[2]
    count, cells = state.num_distinct_actions(), columns * columns
    found: List[Symmetry] = []
    for name, way in known._symmetries(columns):
        to = np.array(way, np.intp)
        # An action is a cell, or from * cells + to; the one that ends a chain, behind them, stays as it is.
        moved = np.arange(count)
        if count <= cells + 1:
            moved[:cells] = to
        else:
            pairs = np.arange(cells * cells)
            moved[: cells * cells] = to[pairs // cells] * cells + to[pairs % cells]
        found.append(Symmetry(name, np.argsort(to), np.argsort(moved)))
    return found
