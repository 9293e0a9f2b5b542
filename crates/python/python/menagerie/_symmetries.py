"""The symmetries of the games: rotations and reflections of the board that the rules do not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, List, NamedTuple, Tuple

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


_Place = Tuple[int, int]

# Where the cell in column x, row y of a board of so many columns and rows goes, counted from the middle: 2x - (columns - 1).
_WAYS: Dict[str, Callable[[int, int], _Place]] = {
    "none": lambda x, y: (x, y),
    "left-right": lambda x, y: (-x, y),
    "up-down": lambda x, y: (x, -y),
    "half turn": lambda x, y: (-x, -y),
    "transpose": lambda x, y: (y, x),
    "quarter turn right": lambda x, y: (-y, x),
    "quarter turn left": lambda x, y: (y, -x),
    "transpose across": lambda x, y: (-y, -x),
}


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
    _, rows, columns = state.observation_tensor_shape()
    count, cells = state.num_distinct_actions(), rows * columns
    found: List[Symmetry] = []
    for name in known._symmetries:
        to = np.empty(cells, np.intp)
        for cell in range(cells):
            x, y = _WAYS[name](2 * (cell % columns) - (columns - 1), 2 * (cell // columns) - (rows - 1))
            to[cell] = (y + rows - 1) // 2 * columns + (x + columns - 1) // 2
        # An action is a cell, or from * cells + to; the one that ends a chain, behind them, stays as it is.
        moved = np.arange(count)
        if count <= cells + 1:
            moved[:cells] = to
        else:
            pairs = np.arange(cells * cells)
            moved[: cells * cells] = to[pairs // cells] * cells + to[pairs % cells]
        found.append(Symmetry(name, np.argsort(to), np.argsort(moved)))
    return found
