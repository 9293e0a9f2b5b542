"""Moves as numbers of a fixed range, for learners: which action stands for what, game by game."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from .._menagerie import Move, Position

# Cells in a row of the board.
WIDTHS = {"halma": 16, "wolves": 5, "squirrels": 5, "foxgame": 7, "foxgeese": 7}
# Games whose chains of jumps are spelled out, an action a jump: what a chain takes depends on its way.
CHAINED = frozenset({"foxgame", "foxgeese"})


def count(game: str) -> int:
    """The number of actions of a game."""
    cells = WIDTHS[game] ** 2
    if game == "squirrels":
        return cells
    return cells * cells + (game in CHAINED)


def spelled(move: Move) -> Tuple[int, ...]:
    """The actions that make up a move, one after the other."""
    if move.game in ("halma", "squirrels"):
        # The engine's own numbers: from * 256 + to, and the cell.
        return (move.code,)
    width = WIDTHS[move.game]
    places = [y * width + x for x, y in move.path]
    if move.game not in CHAINED:
        places = [places[0], places[-1]]
    return tuple(a * width * width + b for a, b in zip(places, places[1:]))


class Turn:
    """What the side to move may choose: whole moves, or one jump of a chain after the other."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.stop = count(position.game) - 1 if position.game in CHAINED else None
        """The action that ends a chain which could go on; `None` where there are no chains."""
        self.chosen: List[int] = []
        """The actions of a chain that is under way."""
        self._moves: Dict[Tuple[int, ...], Move] = {spelled(move): move for move in position.legal_moves()}

    def actions(self) -> List[int]:
        """The actions that are legal now, each once."""
        done = len(self.chosen)
        chosen = tuple(self.chosen)
        going_on = {steps[done] for steps in self._moves if len(steps) > done and steps[:done] == chosen}
        if self.stop is not None and chosen in self._moves:
            going_on.add(self.stop)
        return sorted(going_on)

    def choose(self, action: int) -> Optional[Move]:
        """Takes an action: the move that it completes, or `None` if the same side goes on with its chain.

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
        """The jumps of the chain that is under way, each from cell to cell."""
        cells = WIDTHS[self.position.game] ** 2
        return [divmod(action, cells) for action in self.chosen]


def spelled_out(position: Position, move: Move) -> List[int]:
    """All actions of a legal move, with the one that ends its chain if that could go on."""
    turn, actions, done = Turn(position), list(spelled(move)), None
    for action in actions:
        done = turn.choose(action)
    if done is None and turn.stop is not None:
        actions.append(turn.stop)
    return actions
