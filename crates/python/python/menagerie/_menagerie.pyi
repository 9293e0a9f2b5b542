from os import PathLike
from typing import Any, Callable, ClassVar, Iterable, Literal, Optional, Sequence, Union, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

__all__ = [
    "Batch",
    "Game",
    "Move",
    "Outcome",
    "Playouts",
    "Position",
    "Report",
    "State",
    "names",
    "observations",
    "playouts",
]

__version__: str
_rules_module: str

@final
class Game:
    """One of the games, with one of its rule sets.

    `name` is one of `names()`. `rules` is one of `rule_sets`; the default is the rule set of the agents, whose moves every
    grader allows. Raises `ValueError` for unknown names."""

    def __new__(cls, name: str, rules: Optional[str] = None) -> Self: ...
    @property
    def name(self) -> str:
        """The name on command lines, such as `halma`."""
    @property
    def title(self) -> str:
        """The title for people."""
    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides, as in the files."""
    def _symmetries(self, size: int) -> list[tuple[str, list[int]]]: ...
    @property
    def rules(self) -> str:
        """The name of the rule set."""
    @property
    def rule_sets(self) -> list[str]:
        """The names of all rule sets of the game."""
    @property
    def ply_limit(self) -> int:
        """The number of plies after which a referee ends a game as a draw."""
    def start(self) -> Position:
        """Returns the starting position, without a clock."""
    def read(self, text: str, *, file: Optional[str] = None) -> Position:
        """Parses an input text, and returns its position with its clock. Raises `InputError`, which has the line, and the
        file if `file` is given."""
    def read_file(self, path: Union[str, PathLike[str]]) -> Position:
        """Reads an input file of at most 1 MiB, and returns its position with its clock. Raises `InputError`, and `OSError` if the file cannot
        be read."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Game], tuple[str, str]]: ...

@final
class Position:
    """An immutable position of a game. Two positions are equal if nothing distinguishes them for the rest of the game, whatever
    moves led to them. `position[x, y]` is the name of the side whose piece stands on column x, row y, both from 0 at the top left;
    `None` for an empty cell, and `IndexError` off the board. A pickled position keeps its history."""

    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def rules(self) -> str:
        """The name of the rule set."""
    @property
    def side(self) -> str:
        """The name of the side to move, as in the files."""
    @property
    def clock(self) -> Optional[float]:
        """The seconds on the clock, as in the input text; moves do not change it. `None` without a clock."""
    @property
    def cells(self) -> bytes:
        """The board, one byte a cell, row by row from the top left: `0` for a piece of the first side, `1` for one of the
        second, `.` for an empty cell, `#` off the board."""
    @property
    def size(self) -> tuple[int, int]:
        """The numbers of columns and rows of the board."""
    def legal_moves(self) -> list[Move]:
        """Returns every legal move once, in an order that depends only on the position; empty when the game is over. Chains of
        jumps with the same effect are one move."""
    def play(self, mv: Union[Move, str]) -> Position:
        """Returns the position after a move: a `Move`, its text as in output.txt (`E 1,2 3,4`), or its text for people (`A1 Sneak`).
        Raises `MoveError` with the judge's message, and `ValueError` when the game is over."""
    def undo(self) -> Position:
        """Returns the position before the last move. Raises `ValueError` if no move led to this position."""
    @property
    def history(self) -> list[Move]:
        """The moves that led to this position from the start or from the input file, the oldest first."""
    def outcome(self) -> Optional[Outcome]:
        """Returns the outcome; `None` while the game goes on. The ply limit is the referee's: see `Game.ply_limit`."""
    def render(self) -> str:
        """Returns the board as text, the last move marked."""
    def render_svg(self, width: Optional[int] = None) -> str:
        """Returns the board as an SVG document, `width` pixels wide, the last move marked. Notebooks display a position this
        way."""
    def _repr_svg_(self) -> str: ...
    def input(self, seconds: Optional[float] = None, control: Optional[Literal["SINGLE", "GAME"]] = None) -> str:
        """Returns the input file that asks for a move, by default with the position's own clock, or 1 s for a game if it has
        none. Raises `ValueError` when the game is over."""
    @property
    def values(self) -> Optional[list[int]]:
        """The values of Squirrels' squares, row by row from the top left; `None` in other games."""
    def __getitem__(self, place: tuple[int, int], /) -> Optional[str]: ...
    def perft(self, depth: int) -> int:
        """Returns the number of lines of `depth` moves. In FoxGame a chain counts once for each order of its jumps. ^C ends it with
        `KeyboardInterrupt`."""
    def rate_moves(self, *, nodes: int = 20_000) -> list[tuple[Move, float]]:
        """Returns every legal move with its expected result for the side to move, from 0 (a loss) to 1 (a win), in the order of
        `legal_moves`. Each is searched by itself, and the nodes are divided among them: the best of these moves is weaker than
        that of `think`. Neither tables nor proofs are asked. ^C ends it with `KeyboardInterrupt`. Raises `ValueError` when the
        game is over."""
    def best_lines(self, count: int = 3, *, nodes: int = 60_000) -> list[Report]:
        """Returns so many best moves, each as a report with its line, the best one first; fewer if there are fewer legal moves. The nodes
        are divided among them. Neither tables nor proofs are asked, so that the first may differ from that of `think`. ^C ends
        it with `KeyboardInterrupt`. Raises `ValueError` when the game is over."""
    def minimax(
        self,
        evaluate: Callable[[list[Position]], Iterable[float]],
        *,
        depth: int = 1,
        batch: int = 1024,
    ) -> Report:
        """Returns the move of full-width minimax of `depth` plies, with an evaluation of your own at its end.

        `evaluate` is called with lists of positions whose game is not over, at most `batch` of them at a time, and returns a sequence of
        as many numbers: the expected result of each position for its side to move, from 0 (a loss) to 1 (a win). Finished
        games count 1, 0 or 0.5. The report has `expected`, `pv`, and `nodes`, the number of positions that were evaluated; of moves
        of equal value the first in the order of `legal_moves` is chosen. Raises `ValueError` for numbers that are not from 0 to
        1, for a tree of more than a million positions, and when the game is over. ^C ends it with `KeyboardInterrupt`."""
    def think(
        self,
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        seconds: Optional[float] = None,
        hash: Optional[int] = None,
        full_width: bool = False,
        on_iteration: Optional[Callable[[Report], object]] = None,
    ) -> Report:
        """Chooses a move as the agents do.

        `nodes` and `depth` (plies, 1 to 119) limit the search, and give the same move on every machine. `seconds` is wall time
        and excludes the other two. Without a limit the position's clock counts, or 1 s if it has none. `hash` is the size of
        the transposition table in MiB; by default what the nodes or the clock can fill, at most 128. `full_width` turns the
        selective options off, which gives the value of plain minimax. `on_iteration` is called with each finished iteration,
        and ends the search by returning `False`.

        Other Python threads run during the search. In the main thread ^C ends it with `KeyboardInterrupt`; an exception of
        `on_iteration` ends it with that exception. Raises `ValueError` for invalid limits, and when the game is over, and
        `MemoryError` if the table cannot be had."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class Move:
    """A legal move of a position. `str()` describes it on one line, for people. Two moves of a game are equal if they have the
    same code."""

    @property
    def text(self) -> str:
        """The move in the format of output.txt."""
    @property
    def code(self) -> int:
        """The engine's code for the move, from 0 to 2**32 - 2, unique among the moves of one position."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def path(self) -> list[tuple[int, int]]:
        """The path of the move, start and end included, each place as column and row from 0 at the top left. Empty for a
        pass."""
    @property
    def changed(self) -> list[tuple[int, int]]:
        """The places whose piece the move captures or changes."""
    @property
    def actions(self) -> list[int]:
        """The actions of the move in environments: one, or one for each jump of a chain, and the one that ends the chain if it could
        go on."""
    @property
    def disputed(self) -> bool:
        """Whether some graders might refuse this legal move."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class Outcome:
    """The result of a game."""

    @property
    def winner(self) -> Optional[str]:
        """The name of the side that has won; `None` for a draw."""
    @property
    def margin(self) -> Optional[int]:
        """The first side's points minus the second's; `None` in games without points."""
    @property
    def reason(self) -> Optional[str]:
        """The reason in a few words, if the game has one."""
    @property
    def returns(self) -> tuple[float, float]:
        """The result of the first and of the second side: 1 for a win, -1 for a loss, 0 for a draw."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class Report:
    """The result of a search, or of one of its iterations."""

    @property
    def move(self) -> Move:
        """The move to play."""
    @property
    def score(self) -> Optional[int]:
        """The score for the side to move, in points of the game's evaluation; a win in n plies is 500,000 - n. `None` if
        nothing was searched."""
    @property
    def says(self) -> Optional[str]:
        """The score as text for people: `+12`, `win in 5`."""
    @property
    def depth(self) -> int:
        """The last completed depth, in plies; 0 if there is none."""
    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
    @property
    def pv(self) -> list[Move]:
        """The principal variation, the best move first."""
    @property
    def proven(self) -> bool:
        """Whether the result is proven, not an estimate."""
    @property
    def expected(self) -> Optional[float]:
        """The expected result of the side to move, from 0 (a loss) to 1 (a win); `None` if it is unknown."""
    @property
    def advice(self) -> Optional[str]:
        """The source of a move that does not come from a search: a table, a proof, a plan. `None` for a searched move."""
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class Playouts:
    """The results of random games: see `playouts`."""

    @property
    def expected(self) -> float:
        """The mean result of the side to move, from 0 (always lost) to 1 (always won); a draw and an unfinished game count 1/2."""
    @property
    def wins(self) -> dict[str, int]:
        """The number of games that each side has won."""
    @property
    def draws(self) -> int:
        """The number of draws."""
    @property
    def unfinished(self) -> int:
        """The number of games that were cut at the limit of plies."""
    @property
    def margin(self) -> Optional[float]:
        """The first side's points minus the second's, on the average; `None` in games without points."""
    @property
    def games(self) -> int:
        """The number of games."""
    @property
    def plies(self) -> int:
        """The number of plies of all games."""
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class State:
    """A game that is played by actions, numbers of a fixed range, and seen as planes of numbers. The names are those of OpenSpiel's
    `State`; player 0 is the first side. A chain of jumps takes one action for each jump, by the same player. A state changes with
    each action; `clone()`, `copy.copy` and `pickle` keep an unfinished chain. States are equal if nothing distinguishes them for
    the rest of the game; they have no hash, as they change. `menagerie.openspiel` has the games for OpenSpiel itself.

    The actions and the planes are those of `menagerie.pettingzoo`. With `actions="squares"` an action is a cell: a move takes one for
    its start and one for each place that it goes to, so that Halma has 256 actions and not 65,536. A game that reaches `ply_limit`
    plies (by default the game's) is over, with 0 for both."""

    def __new__(cls, position: Position, *, ply_limit: Optional[int] = None, actions: str = "moves") -> Self: ...
    def actions_of(self, move: Union[Move, str]) -> list[int]:
        """Returns the actions of a legal move of the position, or of its text as `Position.play` takes it, the first one first. Raises
        `MoveError` if it is not legal."""
    def current_player(self) -> int:
        """Returns the player to move: 0, 1, or -4 when the game is over."""
    def legal_actions(self) -> list[int]:
        """Returns the legal actions in increasing order; empty when the game is over."""
    def legal_actions_mask(self) -> NDArray[np.int8]:
        """Returns 1 for each action that `legal_actions` returns and 0 for the others. Needs numpy."""
    def apply_action(self, action: int) -> None:
        """Takes an action. Raises `ValueError` if it is not legal."""
    def is_terminal(self) -> bool:
        """Returns whether the game is over, by its rules or by the limit of plies."""
    def returns(self) -> list[float]:
        """Returns the results of both players: 1 for a win, -1 for a loss, 0 for a draw and while the game goes on."""
    def observation_tensor(self, player: Optional[int] = None) -> NDArray[np.float32]:
        """Returns what a player sees, by default the side to move (planes, rows, columns): the own pieces; the opponent's; the cells
        of the board; the values of the squares divided by 10,000; the piece whose chain is unfinished; all 1 for the first side;
        the elapsed share of the game (in Foxes and Geese of the 100 moves of the geese, elsewhere of the limit of plies). FoxGame's
        earlier boards, which must not come back, are not included. Needs numpy."""
    def clone(self) -> State:
        """Returns a copy, which is played on independently."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def num_distinct_actions(self) -> int:
        """Returns the number of actions of the game, legal or not."""
    def observation_tensor_shape(self) -> tuple[int, int, int]:
        """Returns the numbers of planes, rows and columns."""
    @property
    def position(self) -> Position:
        """The position, without the jumps of an unfinished chain."""
    @property
    def plies(self) -> int:
        """The number of plies so far."""
    @property
    def ply_limit(self) -> int:
        """The number of plies at which the game is cut."""
    @property
    def truncated(self) -> bool:
        """Whether the limit of plies has ended the game."""
    @property
    def chain(self) -> list[int]:
        """The actions of the unfinished chain."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: object, /) -> State: ...
    def __reduce__(self) -> tuple[object, ...]: ...

@final
class Batch:
    """Many games at once: see `menagerie.gymnasium.VectorEnv`."""

    def __new__(
        cls,
        game: str,
        rules: str,
        games: int,
        ply_limit: int,
        random_values: bool,
        opponent: Optional[tuple[int, float, float]],
        side: Optional[int],
        threads: int,
        random_plies: int,
        margin: bool,
        actions: str,
        next_step: bool,
        starts: list[Position],
    ) -> Self: ...
    @property
    def actions(self) -> int: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    def reset(self, seed: Optional[int] = None, positions: Optional[list[Position]] = None) -> None:
        """Begins all games anew, with these positions, one for each game, if there are any."""
    def step(self, actions: bytes) -> tuple[bytearray, bytearray, bytearray, NDArray[np.float32]]: ...
    def observe(self, places: bool) -> tuple[NDArray[np.float32], NDArray[Any]]: ...
    def random_actions(self) -> bytearray: ...
    def viewers(self) -> bytearray: ...
    def position(self, game: int) -> Position: ...

def observations(states: Sequence[State]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Returns the observations of states of one game, each for its side to move, and the masks of their legal actions, as two arrays:
    (states, planes, rows, columns) and (states, actions). The mask of a finished game is all 0. Raises `ValueError` for states
    of several games. Needs numpy."""

def names() -> list[str]:
    """Returns the names of the games."""

def playouts(
    position: Position,
    n: int = 1000,
    seed: int = 0,
    threads: int = 1,
    *,
    ply_limit: Optional[int] = None,
) -> Playouts:
    """Plays `n` random games from a position, each to its end or for `ply_limit` plies (by default the game's), and returns the sums.
    Each legal move is equally likely. The result depends on the seed alone, not on the number of threads. Other Python threads run
    meanwhile; ^C ends it with `KeyboardInterrupt`."""

# What pickle calls.
_Pickled = tuple[str, str, Optional[str], list[int]]

def _move(position: _Pickled, code: int) -> Move: ...
def _outcome(
    winner: Optional[str], margin: Optional[int], reason: Optional[str], returns: tuple[float, float]
) -> Outcome: ...
def _playouts(game: str, mover: int, sums: tuple[int, list[int], int, int, int]) -> Playouts: ...
def _position(position: _Pickled, clock: Optional[tuple[bool, int]]) -> Position: ...
def _report(
    position: _Pickled,
    best: int,
    line: list[int],
    rest: tuple[Optional[int], Optional[str], int, int, bool, Optional[float], Optional[str]],
) -> Report: ...
def _state(
    position: Position,
    plies: int,
    ply_limit: int,
    chain: list[int],
    squares: bool,
) -> State: ...
