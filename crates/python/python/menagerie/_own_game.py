"""Games of one's own for the environments: a folder with `game.toml` and a program that knows the rules (docs/own-game.md)."""

from __future__ import annotations

import importlib
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import threading
import weakref
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._menagerie import Outcome, _outcome, _rules_module  # pyright: ignore[reportPrivateUsage]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANDOM_GAMES = 50
"""The number of random games that show the moves and the signs of a game."""


def _end(program: subprocess.Popen[str], owner: int) -> None:
    # A process that was forked has it, too.
    if owner == os.getpid():
        program.terminate()
        program.communicate()


class OwnGame:
    """A game of one's own. It has what environments ask of `menagerie.Game`. Its program runs without the judge's sandbox."""

    rules = "own"

    def __init__(self, folder: str) -> None:
        # Python 3.11 has it.
        toml = importlib.import_module("tomllib").loads((Path(folder) / "game.toml").read_text(encoding="utf-8"))
        self.folder = os.path.abspath(folder)
        self.name: str = toml["name"]
        if len(toml["sides"]) != 2:
            raise ValueError(f"sides: expected two words in {folder}/game.toml, found {len(toml['sides'])}")
        self.sides: Tuple[str, str] = (toml["sides"][0], toml["sides"][1])
        self.ply_limit: int = toml["plies"]
        self.input: str = toml.get("input", "input.txt")
        self._command = shlex.split(toml["rules"])
        if self._command[0] == "python3":
            self._command[0] = sys.executable
        self._program: Optional[subprocess.Popen[str]] = None
        self._owner = 0
        self._lock = threading.Lock()
        chance, moves, signs = random.Random(1), set[str](), {"."}
        for variant in range(RANDOM_GAMES):
            position = self.start(variant)
            for _ in range(self.ply_limit):
                signs.update(*position.cells)
                moves.update(position.legal_moves())
                if position.outcome():
                    break
                position = position.play(chance.choice(position.legal_moves()))
        # Shorter texts first, so that 2 comes before 10.
        self.moves = sorted(moves, key=lambda move: (len(move), move))
        self.signs = sorted(signs - {"."})

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_program": None, "_lock": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())

    def _begin(self) -> None:
        pipe, path = subprocess.PIPE, os.environ.get("PYTHONPATH")
        # A folder may be without menagerie_rules.py. The program has imported it once it answers.
        with tempfile.TemporaryDirectory() as modules:
            (Path(modules) / "menagerie_rules.py").write_text(_rules_module, encoding="utf-8")
            env = {**os.environ, "PYTHONPATH": os.pathsep.join([path, modules] if path else [modules])}
            self._program = subprocess.Popen(self._command, cwd=self.folder, env=env, stdin=pipe, stdout=pipe, encoding="utf-8")
            self._owner = os.getpid()
            weakref.finalize(self, _end, self._program, self._owner)
            self._answer("start", {"variant": None})

    def ask(self, do: str, **request: Any) -> Dict[str, Any]:
        """Asks the program, which is started if it does not run. Raises `ValueError` with its reason if it refuses or fails."""
        # Of two threads each has to read its own answer.
        with self._lock:
            answer = self._answer(do, request)
        if "absent" in answer:
            raise ValueError(f"{self.name}: an environment needs the function {do} of the rules")
        if "error" in answer or "refused" in answer:
            raise ValueError(f"{self.name}: {do}: {answer.get('why') or answer.get('error')}")
        return answer

    def _answer(self, do: str, request: Dict[str, Any]) -> Dict[str, Any]:
        if self._program is None or self._owner != os.getpid():
            self._begin()
        assert self._program and self._program.stdin and self._program.stdout
        try:
            self._program.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self._program.stdin.flush()
            answer: Dict[str, Any] = json.loads(self._program.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            self._program = None
            raise ValueError(f"{self.name}: the rules program has ended, or its answer is no JSON") from None
        except BaseException:
            # After ^C the answer would be taken for the next one.
            self._program = None
            raise
        return answer

    def start(self, variant: Optional[int] = None) -> OwnPosition:
        """Returns the start, of a game with dice or cards that of the game with this number."""
        return OwnPosition(self, self.ask("start", variant=variant)["state"], ())

    def read(self, text: str) -> OwnPosition:
        return OwnPosition(self, self.ask("position", files={self.input: text})["state"], ())


class OwnPosition:
    """A position of a game of one's own. It has what environments ask of `menagerie.Position`; moves are texts."""

    rules, values = "own", None

    def __init__(self, game: OwnGame, state: str, history: Tuple[str, ...]) -> None:
        self._game, self._state, self.history = game, state, history
        self.game = game.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnPosition) and (self.game, self._state) == (other.game, other._state)

    @cached_property
    def _view(self) -> Dict[str, Any]:
        return self._game.ask("view", state=self._state)

    @cached_property
    def cells(self) -> List[List[str]]:
        """The signs on the board, row by row."""
        move = self.history[-1] if self.history else None
        return [[cell[:1] for cell in row] for row in self._game.ask("draw", state=self._state, move=move)["cells"]]

    @property
    def turn(self) -> int:
        """The index of the side to move."""
        return int(self._view["turn"])

    @property
    def side(self) -> str:
        return self._game.sides[self.turn]

    def legal_moves(self) -> List[str]:
        return list(self._view["moves"])

    def play(self, move: str) -> OwnPosition:
        return OwnPosition(self._game, self._game.ask("play", state=self._state, move=move)["state"], (*self.history, move))

    def outcome(self) -> Optional[Outcome]:
        over = self._view["over"]
        if over is None:
            return None
        winner: Optional[int] = over["winner"]
        returns = {0: (1.0, -1.0), 1: (-1.0, 1.0), None: (0.0, 0.0)}[winner]
        return _outcome(None if winner is None else self._game.sides[winner], None, over.get("why"), returns)

    def render(self) -> str:
        return str(self._view["board"])

    def render_svg(self) -> str:
        raise ValueError(f"{self.game}: a game of one's own is rendered as text alone")


class OwnState:
    """A game by actions. It has what environments ask of `menagerie.State`. An action is the index of a move in `OwnGame.moves`. The
    planes: one for each of `OwnGame.signs`, one that is all 1 for the first side, and the plies out of the limit."""

    chain: Tuple[int, ...] = ()

    def __init__(self, game: OwnGame, position: OwnPosition, ply_limit: int) -> None:
        self._game, self.position, self.ply_limit, self.plies = game, position, ply_limit, 0

    def num_distinct_actions(self) -> int:
        return len(self._game.moves)

    def observation_tensor_shape(self) -> Tuple[int, int, int]:
        cells = self.position.cells
        return len(self._game.signs) + 2, len(cells), len(cells[0])

    @property
    def truncated(self) -> bool:
        return self.plies >= self.ply_limit and self.position.outcome() is None

    def is_terminal(self) -> bool:
        return self.plies >= self.ply_limit or self.position.outcome() is not None

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self.position.turn

    def returns(self) -> List[float]:
        outcome = self.position.outcome()
        return [0.0, 0.0] if outcome is None else list(outcome.returns)

    def actions_of(self, move: str) -> List[int]:
        try:
            return [self._game.moves.index(move)]
        except ValueError:
            raise ValueError(f"{self._game.name}: none of {RANDOM_GAMES} random games had the move {move}") from None

    def legal_actions_mask(self) -> NDArray[np.int8]:
        import numpy as np

        mask = np.zeros(len(self._game.moves), np.int8)
        for move in [] if self.is_terminal() else self.position.legal_moves():
            mask[self.actions_of(move)] = 1
        return mask

    def apply_action(self, action: int) -> None:
        move = self._game.moves[action] if 0 <= action < len(self._game.moves) else None
        if move is None or move not in self.position.legal_moves():
            raise ValueError(f"action {action} is not legal")
        self.position, self.plies = self.position.play(move), self.plies + 1

    def observation_tensor(self, player: int) -> NDArray[np.float32]:
        import numpy as np

        planes = np.zeros(self.observation_tensor_shape(), np.float32)
        cells = np.array(self.position.cells)
        for plane, sign in zip(planes, self._game.signs):
            plane[cells == sign] = 1
        planes[-2], planes[-1] = player == 0, self.plies / self.ply_limit
        return planes
