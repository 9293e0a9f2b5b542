from os import PathLike
from typing import Callable, Literal, Optional, Union, final

from typing_extensions import Self

__all__ = ["Game", "Move", "Outcome", "Position", "Report", "Verdict", "judge", "names"]

@final
class Game:
    """One of the five games, with one of its rule sets.

    `name` is one of `names()`. `rules` is one of `rule_sets`; unless given, the one that the agents keep, whose moves
    every grader allows. Raises `ValueError` for names that do not exist."""

    def __new__(cls, name: str, rules: Optional[str] = None) -> Self: ...
    @property
    def name(self) -> str:
        """The name on command lines, such as `halma`."""
    @property
    def title(self) -> str:
        """The name for people."""
    @property
    def sides(self) -> tuple[str, str]:
        """The words of the two sides, as the files have them."""
    @property
    def rules(self) -> str:
        """The name of the rule set."""
    @property
    def rule_sets(self) -> list[str]:
        """The names of all rule sets that the game knows."""
    @property
    def ply_limit(self) -> int:
        """Plies after which a referee calls a game a draw."""
    def start(self) -> Position:
        """The position that games start from, without a clock."""
    def read(self, text: str, *, file: Optional[str] = None) -> Position:
        """The position of an input text, with its clock. Raises `InputError`, which names the line, and the file if it is
        told."""
    def read_file(self, path: Union[str, PathLike[str]]) -> Position:
        """The position of an input file. Raises `InputError`, and `OSError` if there is no such file."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Game], tuple[str, str]]: ...

@final
class Position:
    """A position of a game. It never changes: a move leads to another position. Two are equal if nothing tells them apart
    for the rest of the game."""

    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def rules(self) -> str:
        """The name of the rule set."""
    @property
    def side(self) -> str:
        """The side to move, in the words of the files."""
    @property
    def control(self) -> Optional[Literal["SINGLE", "GAME"]]:
        """What the clock is for: this move, or the rest of the game. `None` without a clock."""
    @property
    def clock(self) -> Optional[float]:
        """Seconds on the clock, as the input text said; moves do not alter it. `None` without a clock."""
    @property
    def cells(self) -> bytes:
        """The board, a byte a cell, row by row from the top left: `0` a piece of the first side, `1` one of the second, `.`
        an empty cell, `#` no cell."""
    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the board."""
    def legal_moves(self) -> list[Move]:
        """Every legal move once, in an order that depends on the position alone; empty when the game is over. Chains that
        come to the same are one move."""
    def move(self, text: str) -> Move:
        """The legal move that a text names, in the form of output.txt. Raises `MoveError`, in the judge's words."""
    def play(self, mv: Union[Move, str]) -> Position:
        """The position after a move, given as a `Move` or as the text of one. Raises `MoveError`, and `ValueError` when the
        game is over."""
    def outcome(self) -> Optional[Outcome]:
        """How the game ended; `None` while it goes on. Move limits are a referee's: see `Game.ply_limit`."""
    def render(self) -> str:
        """The board as text, the last move marked."""
    def render_svg(self, width: Optional[int] = None) -> str:
        """The board as an SVG document, `width` pixels wide, the last move marked. Notebooks show it by themselves."""
    def _repr_svg_(self) -> str: ...
    def input(self, seconds: Optional[float] = None, control: Optional[Literal["SINGLE", "GAME"]] = None) -> str:
        """The input file that asks for a move, with the position's own clock (1 s for a game, if it has none) unless told
        otherwise. Raises `ValueError` when the game is over."""
    def counts(self) -> dict[str, dict[str, int]]:
        """What people can count on the board, by side: pieces lost, the way to go."""
    def perft(self, depth: int) -> int:
        """The number of lines of `depth` moves, as the rules pages count them."""
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

        `nodes` and `depth` (plies, 1 to 119) limit the search, and give the same move on every machine; `seconds` is wall
        time, and stands alone. Without any, the position's clock counts; without a clock, 1 s. `hash` is the size of the
        transposition table in MiB; by default 128, or what the clock can fill if that is less. `full_width` leaves out the
        selective options: the value of plain minimax. `on_iteration` is called with each finished iteration; by returning
        `False` it ends the thinking.

        Other threads run meanwhile. In the main thread ^C ends the thinking with `KeyboardInterrupt`, and an exception of
        `on_iteration` ends it with that exception. Raises `ValueError` for limits that make no sense, and when the game is
        over."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

@final
class Move:
    """A legal move of a position. `str()` has it on one line, for people. Two moves of a game are equal if they move the
    same piece the same way."""

    @property
    def text(self) -> str:
        """The move as output.txt has it."""
    @property
    def code(self) -> int:
        """The engine's number for the move, from 0 to 2**32 - 2; different for the moves of one position."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def path(self) -> list[tuple[int, int]]:
        """The places that the move goes through, start and end included, as column and row from 0 at the top left. Empty for
        a pass."""
    @property
    def changed(self) -> list[tuple[int, int]]:
        """The places whose piece the move takes or turns over."""
    @property
    def disputed(self) -> bool:
        """Whether some graders might refuse this legal move."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

@final
class Outcome:
    """How a game ended."""

    @property
    def winner(self) -> Optional[str]:
        """The side that has won; `None` for a draw."""
    @property
    def margin(self) -> Optional[int]:
        """The first side's points less the second side's; `None` in games that count none."""
    @property
    def reason(self) -> Optional[str]:
        """Why, in a few words, where the game tells."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Report:
    """The result of thinking, or of one iteration of it."""

    @property
    def move(self) -> Move:
        """The move to play."""
    @property
    def score(self) -> Optional[int]:
        """The score for the side to move, in points of the game's evaluation; a win in n plies is 500,000 - n. `None` if
        nothing was searched."""
    @property
    def says(self) -> Optional[str]:
        """The score for people: `+12`, `win in 5`."""
    @property
    def depth(self) -> int:
        """The last completed depth, in plies; 0 if none was."""
    @property
    def nodes(self) -> int:
        """Nodes visited."""
    @property
    def pv(self) -> list[Move]:
        """The expected line of play, the best move first."""
    @property
    def proven(self) -> bool:
        """Whether the result is certain, not an estimate."""
    @property
    def expected(self) -> Optional[float]:
        """The expected result of the side to move, from 0 (a loss) to 1 (a win); `None` where nobody knows."""
    @property
    def advice(self) -> Optional[str]:
        """Where the move comes from, if not from a search: a table, a proof, a plan."""

@final
class Verdict:
    """The judge's finding on an answer; true if the move is legal. `str()` is `text`."""

    @property
    def legal(self) -> bool:
        """Whether the move is legal."""
    @property
    def text(self) -> str:
        """The judge's words: the move and the board after it, or why it is refused."""
    @property
    def move(self) -> Optional[Move]:
        """The move; `None` if it is refused."""
    @property
    def position(self) -> Optional[Position]:
        """The position after the move; `None` if it is refused."""
    def __bool__(self) -> bool: ...

def names() -> list[str]:
    """The names of the games."""

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
    to refuse by, the most permissive one unless given. The names of the files only appear in the words. Raises `InputError`
    if the input text is refused."""
