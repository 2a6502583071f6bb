"""What all that reads source shares: the text, the tokens read so far, and where to go on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lexing.tokens import master
from lexer_parser.memo import memoize
from lexer_parser.source import Source

Token = tuple[int, int, Any]


@memoize(owner="two for each dialect")
def pattern(dialect: Dialect, template: bool) -> re.Pattern[str]:
    """The compiled master expression, made on first use."""
    return re.compile(master(dialect, template), re.ASCII)


class Reading:
    """The state of one reading; `scan` fills `types`, `tokens` and `warnings`.

    `frames` holds what is suspended while the inside of `${…}` is read: for each open one the depth of braces
    outside it, the number of its first token, and the method that reads on in the string around it.
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
        self.pattern = pattern(dialect, template)
        self.position = 0
        self.depth = 0
        self.frames: list[tuple[int, int, Callable[[int, int, str], int]]] = []
        self.interrupted: int | None = None  # where a heredoc ends: the next line to read
        self.string_token: int | None = None  # the first token of the outermost open string
        self.rendering: bool | None = None  # within a template's code: whether that is <%= … %>
        self.template = template

    def scan(self) -> None:
        """Reads on from `position` to the end of the text."""
        raise NotImplementedError

    def emit(self, kind: str, start: int, end: int, value: Any) -> None:
        """Adds one token."""
        self.types.append(kind)
        self.tokens.append((start, end, value))

    def fail(self, code: str, start: int, end: int | None = None, **arguments: Any) -> PuppetError:
        """The PuppetError for an issue at an offset of this text."""
        return issues.make_syntax_error(code, self.source, start, start if end is None else end, **arguments)
