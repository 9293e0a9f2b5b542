"""The encoding of moves as actions, numbers of a fixed range, for each game."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, Optional, Tuple

from .._menagerie import Game, Move, Position


@lru_cache(maxsize=None)
def size(game: str) -> Tuple[int, int]:
    """Returns the numbers of columns and rows of a game's grid."""
    return Game(game).start().size


@lru_cache(maxsize=None)
def spelling(game: str) -> Tuple[str, int]:
    """Returns how a move of a game is told by actions, and the number of actions.

    By `code`, the engine's number of the move; by its `ends`, from * cells + to; by `steps`, an action for each step of its path,
    because the captures of a chain depend on its path, and one action more, which ends a chain.

    Raises `ValueError` if the game has no such numbers."""
    told = Game(game)._spelling
    if told is None:
        raise ValueError(f"game: {game} has no environment, because its moves are not told by numbers")
    way, codes = told
    columns, rows = size(game)
    return way, codes if codes is not None else (columns * rows) ** 2 + (way == "steps")


def count(game: str) -> int:
    """Returns the number of actions of a game."""
    return spelling(game)[1]


def spelled(move: Move) -> Tuple[int, ...]:
    """Returns the sequence of actions that makes up a move, without the one that ends its chain."""
    way = spelling(move.game)[0]
    if way == "code":
        return (move.code,)
    columns, rows = size(move.game)
    places = [y * columns + x for x, y in move.path]
    if way == "ends":
        places = [places[0], places[-1]]
    return tuple(a * columns * rows + b for a, b in zip(places, places[1:]))


class Turn:
    """The turn of a side, which takes one action, or several for a chain of jumps."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.stop = count(position.game) - 1 if spelling(position.game)[0] == "steps" else None
        """The action that ends a chain which could go on; `None` in games without chains."""
        self.chosen: List[int] = []
        """The actions of the unfinished chain."""
        self._moves: Dict[Tuple[int, ...], Move] = {spelled(move): move for move in position.legal_moves()}

    def actions(self) -> List[int]:
        """Returns the actions that are legal now, each once."""
        done = len(self.chosen)
        chosen = tuple(self.chosen)
        going_on = {steps[done] for steps in self._moves if len(steps) > done and steps[:done] == chosen}
        if self.stop is not None and chosen in self._moves:
            going_on.add(self.stop)
        return sorted(going_on)

    def choose(self, action: int) -> Optional[Move]:
        """Executes an action. Returns the move that it completes, or `None` if the chain goes on.

        Raises `ValueError` if the action is not legal now."""
        legal = self.actions()
        if action not in legal:
            raise ValueError(f"action {action} is not legal: one of {', '.join(map(str, legal))}")
        if action == self.stop:
            return self._moves[tuple(self.chosen)]
        self.chosen.append(int(action))
        if self.actions() in ([], [self.stop]):
            return self._moves[tuple(self.chosen)]
        return None

    def jumps(self) -> List[Tuple[int, int]]:
        """Returns the jumps of the unfinished chain, each as its start and its end cell."""
        columns, rows = size(self.position.game)
        return [divmod(action, columns * rows) for action in self.chosen]


def spelled_out(position: Position, move: Move) -> List[int]:
    """Returns all actions of a legal move, including the one that ends its chain if the chain could go on."""
    turn, actions, done = Turn(position), list(spelled(move)), None
    for action in actions:
        done = turn.choose(action)
    if done is None and turn.stop is not None:
        actions.append(turn.stop)
    return actions
