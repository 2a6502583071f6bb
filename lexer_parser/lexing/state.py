"""The state of the lexer: the text, the tokens read so far, and the position."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lexing.tokens import make_master_pattern
from lexer_parser.memo import memoize
from lexer_parser.source import Source

Token = tuple[int, int, Any]


@memoize(owner="two for each dialect")
def compile_master_pattern(dialect: Dialect, template: bool) -> re.Pattern[str]:
    """Return the compiled master pattern of a dialect."""
    return re.compile(make_master_pattern(dialect, template), re.ASCII)


class LexerState:
    """The state of one run of the lexer; `scan` fills `types`, `tokens` and `warnings`.

    `frames` is the stack of strings that are suspended while the inside of `${…}` is read: for each the depth of braces
    outside it, the index of its first token, and the method that continues with the string around it.
    """

    __slots__ = (
        "depth",
        "dialect",
        "end",
        "error",
        "frames",
        "interrupted",
        "pattern",
        "position",
        "rendering",
        "source",
        "string_token",
        "template",
        "text",
        "tokens",
        "types",
        "warnings",
    )

    def __init__(
        self, source: Source, dialect: Dialect, text: str | None = None, template: bool = False
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.text = source.text if text is None else text
        self.end = len(self.text)
        self.types: list[str] = ["START"]
        self.tokens: list[Token] = [(0, 0, None)]
        self.warnings: list[PuppetError] = []
        self.error: PuppetError | None = None
        self.pattern = compile_master_pattern(dialect, template)
        self.position = 0
        self.depth = 0
        self.frames: list[tuple[int, int, Callable[[int, int, str], int]]] = []
        self.interrupted: int | None = None  # where a heredoc ends: the next line to read
        self.string_token: int | None = None  # the first token of the outermost open string
        self.rendering: bool | None = None  # within a template's code: whether that is <%= … %>
        self.template = template

    def scan(self) -> None:
        """Read from `position` to the end of the text."""
        raise NotImplementedError

    def emit(self, kind: str, start: int, end: int, value: Any) -> None:
        """Add a token."""
        self.types.append(kind)
        self.tokens.append((start, end, value))

    def fail(self, code: str, start: int, end: int | None = None, **arguments: Any) -> PuppetError:
        """Return the PuppetError for an issue at an offset of this text."""
        return issues.make_syntax_error(code, self.source, start, start if end is None else end, **arguments)
