"""The exceptions of the package."""

from __future__ import annotations

from typing import Optional


class InputError(ValueError):
    """An input text is refused. The message names the file, if there is one, and the line, what is expected there and
    what is found: `input.txt:9: expected 16 symbols W, B or ., found 'X' in column 7`."""

    line: int
    """The line, counted from 1."""
    expected: str
    """What should stand there."""
    found: str
    """What stands there."""
    file: Optional[str]
    """The file; `None` if the text came from none."""

    def __init__(self, message: str, line: int, expected: str, found: str, file: Optional[str] = None) -> None:
        super().__init__(message, line, expected, found, file)
        self.line, self.expected, self.found, self.file = line, expected, found, file

    def __str__(self) -> str:
        return str(self.args[0])


class MoveError(ValueError):
    """A text is no legal move of the position, or a move belongs to another one; the message says why."""

    line: Optional[int]
    """The line that cannot be read, counted from 1; `None` if the text can be read and the rules forbid the move."""

    def __init__(self, message: str, line: Optional[int] = None) -> None:
        super().__init__(message, line)
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0])
