"""The encoding of positions as planes of numbers from 0 to 1."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from .._menagerie import Game, Position
from ._actions import Turn, size

OWN, OTHER, BOARD, VALUE, CHAIN, FIRST, TIME = range(7)
PLANES = 7

# The largest value of a square in Squirrels, and the number of moves that the geese may make.
MOST_VALUE = 10_000
MOST_MOVES = 100


def shape(game: str) -> Tuple[int, int, int]:
    """Returns the shape of an observation: rows, columns, planes."""
    columns, rows = size(game)
    return (rows, columns, PLANES)


def values(position: Position) -> Any:
    """Returns the values of Squirrels' squares divided by `MOST_VALUE`; 0 everywhere in other games."""
    columns, rows = size(position.game)
    if position.game != "squirrels" or position.outcome():
        return np.zeros((rows, columns), np.float32)
    lines = position.input().splitlines()[3 : 3 + rows]
    return np.array([line.split() for line in lines], np.float32) / MOST_VALUE


def time(position: Position, plies: int, ply_limit: int) -> float:
    """Returns the elapsed share of the game: of the geese's moves in Foxes and Geese, elsewhere of the ply limit."""
    if position.game == "foxgeese" and not position.outcome():
        return int(position.input().splitlines()[3].split()[1]) / MOST_MOVES
    return min(plies / ply_limit, 1.0)


def observe(turn: Turn, viewer: int, worth: Any, over: float) -> Any:
    """Returns the planes from the point of view of a side (0 the first, 1 the second): its own pieces, the opponent's, the cells
    of the board, the squares' values, the piece whose chain is unfinished, whether the viewer is the first side, the time."""
    position = turn.position
    columns, rows = size(position.game)
    cells = np.frombuffer(position.cells, np.uint8).reshape(rows, columns)
    pieces = [(cells == ord("0")).astype(np.float32), (cells == ord("1")).astype(np.float32)]
    planes = np.zeros(shape(position.game), np.float32)
    mover = sides(position).index(position.side)
    jumps = turn.jumps()
    for start, end in jumps:
        (y1, x1), (y2, x2) = divmod(start, columns), divmod(end, columns)
        pieces[mover][y1, x1], pieces[mover][y2, x2] = 0, 1
        pieces[1 - mover][(y1 + y2) // 2, (x1 + x2) // 2] = 0
    if jumps:
        y, x = divmod(jumps[-1][1], columns)
        planes[y, x, CHAIN] = 1
    planes[..., OWN], planes[..., OTHER] = pieces[viewer], pieces[1 - viewer]
    planes[..., BOARD] = cells != ord("#")
    planes[..., VALUE], planes[..., FIRST], planes[..., TIME] = worth, viewer == 0, over
    return planes


def sides(position: Position) -> List[str]:
    """Returns the names of the two sides."""
    return list(Game(position.game).sides)
