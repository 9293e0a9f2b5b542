from os import PathLike
from typing import Callable, Literal, Optional, Union, final

from typing_extensions import Self

__all__ = ["Game", "Move", "Outcome", "Position", "Report", "Verdict", "judge", "names"]

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
    @property
    def rules(self) -> str:
        """The name of the rule set."""
    @property
    def rule_sets(self) -> list[str]:
        """The names of all rule sets of the game."""
    @property
    def ply_limit(self) -> int:
        """The number of plies after which a referee ends a game as a draw."""
    @property
    def _spelling(self) -> Optional[tuple[Literal["code", "ends", "steps"], Optional[int]]]:
        """How a move is told by numbers, and a bound of the codes."""
    def start(self) -> Position:
        """Returns the starting position, without a clock."""
    def read(self, text: str, *, file: Optional[str] = None) -> Position:
        """Parses an input text, and returns its position with its clock. Raises `InputError`, which has the line, and the
        file if `file` is given."""
    def read_file(self, path: Union[str, PathLike[str]]) -> Position:
        """Reads an input file, and returns its position with its clock. Raises `InputError`, and `OSError` if the file cannot
        be read."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Game], tuple[str, str]]: ...

@final
class Position:
    """An immutable position of a game. Two positions are equal if nothing distinguishes them for the rest of the game."""

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
    def control(self) -> Optional[Literal["SINGLE", "GAME"]]:
        """The time control: `SINGLE` if the clock is for this move, `GAME` if it is for the rest of the game. `None` without a
        clock."""
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
    def move(self, text: str) -> Move:
        """Parses a legal move in the format of output.txt. Raises `MoveError` with the judge's message."""
    def play(self, mv: Union[Move, str]) -> Position:
        """Returns the position after a move, given as a `Move` or as the text of one. Raises `MoveError`, and `ValueError` when
        the game is over."""
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
    def counts(self) -> dict[str, dict[str, int]]:
        """Returns counts that people can make on the board, by side: pieces lost, distance to go."""
    def perft(self, depth: int) -> int:
        """Returns the number of lines of `depth` moves. In FoxGame a chain counts once for each order of its jumps."""
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
        the transposition table in MiB; by default 128, or what the clock can fill if that is less. `full_width` turns the
        selective options off, which gives the value of plain minimax. `on_iteration` is called with each finished iteration,
        and ends the search by returning `False`.

        Other Python threads run during the search. In the main thread ^C ends it with `KeyboardInterrupt`; an exception of
        `on_iteration` ends it with that exception. Raises `ValueError` for invalid limits, and when the game is over."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

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
    def disputed(self) -> bool:
        """Whether some graders might refuse this legal move."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

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
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

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

@final
class Verdict:
    """The judge's verdict on an answer. It is true if the move is legal; `str()` gives `text`."""

    @property
    def legal(self) -> bool:
        """Whether the move is legal."""
    @property
    def text(self) -> str:
        """The judge's text: the move and the board after it, or the reason for the refusal."""
    @property
    def move(self) -> Optional[Move]:
        """The move; `None` if it is refused."""
    @property
    def position(self) -> Optional[Position]:
        """The position after the move; `None` if it is refused."""
    def __bool__(self) -> bool: ...

def names() -> list[str]:
    """Returns the names of the games."""

def judge(
    game: str,
    input: str,
    output: str,
    *,
    rules: Optional[str] = None,
    input_file: str = "input.txt",
    output_file: str = "output.txt",
) -> Verdict:
    """Checks the text of an output file against the text of its input file, as `judge check` does. `rules` is the rule set
    to refuse by; the default is the most permissive one. The names of the files are used in messages only. Raises
    `InputError` if the input text is refused."""
