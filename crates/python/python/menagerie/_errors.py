"""The exceptions of the package."""

from __future__ import annotations

from typing import Optional


OVERWRITTEN = (
    "another project's package `menagerie` is installed over this one: pip uninstall menagerie, then"
    " pip install --force-reinstall --no-deps menagerie-games (or its wheel)"
)


class InputError(ValueError):
    """Raised if an input text is refused. The message has the file, if there is one, the line, what is expected there and what
    is found: `input.txt:9: expected 16 symbols W, B or ., found 'X' in column 7`."""

    line: int
    """The line at fault, counted from 1."""
    expected: str
    """What is expected in that line."""
    found: str
    """What is found in that line."""
    file: Optional[str]
    """The name of the file; `None` if the text was not read from a file."""

    def __init__(self, message: str, line: int, expected: str, found: str, file: Optional[str] = None) -> None:
        super().__init__(message, line, expected, found, file)
        self.line, self.expected, self.found, self.file = line, expected, found, file

    def __str__(self) -> str:
        return str(self.args[0])


class MoveError(ValueError):
    """Raised if a text is not a legal move of the position, or a move belongs to another position. The message says why."""

    line: Optional[int]
    """The line that cannot be parsed, counted from 1; `None` if the rules forbid the move."""

    def __init__(self, message: str, line: Optional[int] = None) -> None:
        super().__init__(message, line)
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0])
