"""Positions as planes of numbers from 0 to 1, for learners."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from .._menagerie import Game, Position
from ._actions import WIDTHS, Turn

OWN, OTHER, BOARD, VALUE, CHAIN, FIRST, TIME = range(7)
PLANES = 7

# The largest value of a square of Squirrels, and the moves that the geese may make.
MOST_VALUE = 10_000
MOST_MOVES = 100


def shape(game: str) -> Tuple[int, int, int]:
    """Rows, columns, planes."""
    return (WIDTHS[game], WIDTHS[game], PLANES)


def values(position: Position) -> Any:
    """The values of the squares of Squirrels, of the largest there may be; 0 everywhere in other games."""
    width = WIDTHS[position.game]
    if position.game != "squirrels" or position.outcome():
        return np.zeros((width, width), np.float32)
    rows = position.input().splitlines()[3 : 3 + width]
    return np.array([row.split() for row in rows], np.float32) / MOST_VALUE


def time(position: Position, plies: int, ply_limit: int) -> float:
    """The part of the time that is over: the geese's moves where they are counted, plies elsewhere."""
    if position.game == "foxgeese" and not position.outcome():
        return int(position.input().splitlines()[3].split()[1]) / MOST_MOVES
    return min(plies / ply_limit, 1.0)


def observe(turn: Turn, viewer: int, worth: Any, over: float) -> Any:
    """The planes as a side (0 the first, 1 the second) sees them: its own pieces, the other's, the cells that the board has,
    the squares' values, the piece whose chain is under way, whether the viewer is the first side, and the time."""
    position = turn.position
    width = WIDTHS[position.game]
    cells = np.frombuffer(position.cells, np.uint8).reshape(width, width)
    pieces = [(cells == ord("0")).astype(np.float32), (cells == ord("1")).astype(np.float32)]
    planes = np.zeros(shape(position.game), np.float32)
    mover = sides(position).index(position.side)
    jumps = turn.jumps()
    for start, end in jumps:
        (y1, x1), (y2, x2) = divmod(start, width), divmod(end, width)
        pieces[mover][y1, x1], pieces[mover][y2, x2] = 0, 1
        pieces[1 - mover][(y1 + y2) // 2, (x1 + x2) // 2] = 0
    if jumps:
        y, x = divmod(jumps[-1][1], width)
        planes[y, x, CHAIN] = 1
    planes[..., OWN], planes[..., OTHER] = pieces[viewer], pieces[1 - viewer]
    planes[..., BOARD] = cells != ord("#")
    planes[..., VALUE], planes[..., FIRST], planes[..., TIME] = worth, viewer == 0, over
    return planes


def sides(position: Position) -> List[str]:
    """The words of the two sides."""
    return list(Game(position.game).sides)
