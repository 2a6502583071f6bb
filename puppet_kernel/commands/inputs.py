"""The parts of an input: commands in its first lines, and Puppet code.

    # a comment may come first
    %facts debian-12
    ?join
    notice($facts['os']['name'])

A command is on a line of its own before all code, except for those that take code: `%time CODE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lexer_parser.record import Record
from lexer_parser.source import replace_parts

COMMAND, QUESTION = "%", "?"
SECTION = "§"  # begins the name of a document of the specification, or of a section
CHUNK = 10_000  # characters that are split into lines at once
_COMMENT = re.compile(r"\s*#")
_HELP = re.compile(r"help[ \t]++%?[\w:.]++")
PLAIN_WORDS = {"help": "help", **dict.fromkeys(("exit", "quit", "exit()", "quit()"), "quit")}


def expand_plain_words(source: str) -> str:
    """Return an input as a command if it is `help`, `exit` or `quit` alone.

    The same holds for `exit()` and `help map`. As Puppet code they would be strings that nobody uses.
    """
    words = source.strip() if len(source) < CHUNK else ""
    if words in PLAIN_WORDS:
        return COMMAND + PLAIN_WORDS[words]
    return COMMAND + words if _HELP.fullmatch(words) else source


def _iterate_lines(source: str) -> Iterator[str]:
    """Yield the lines of an input; a long input is split only as far as it is read."""
    start = 0
    while start < len(source):
        end = start + CHUNK
        lines = source[start:end].splitlines(keepends=True)
        if end < len(source) and len(lines) > 1:
            lines.pop()  # the line may continue after this piece
        elif end < len(source):
            lines = [source[start : source.find("\n", end) + 1 or len(source)]]
        yield from lines
        start += sum(map(len, lines))


class Directive(Record):
    """A command or question.

    Attributes:
        start: Its offset in the input.
        text: Its text.
        end: The offset after it and the spaces that follow.
    """

    start: int
    text: str
    end: int


class ParsedInput:
    """A parsed input.

    Args:
        source: The input.
        takes_code: Returns True for the name of a command that takes code.

    Attributes:
        directives: The commands and questions, in order.
        code: The Puppet code; each directive is replaced by spaces, so that offsets stay the same.
        takes_code: True if the last directive is a command that takes the code.
    """

    def __init__(self, source: str, takes_code: Callable[[str], bool]) -> None:
        self.directives: list[Directive] = []
        self.takes_code = False
        offset = 0
        for line in _iterate_lines(source):
            text = "#" if _COMMENT.match(line) else line.strip()  # a comment may be too long to be copied
            if text.startswith((COMMAND, QUESTION)):
                self.takes_code = text.startswith(COMMAND) and takes_code(next(iter(text[1:].split()), ""))
                start, end = offset + line.index(text), offset + len(line.rstrip("\r\n"))
                if self.takes_code:
                    text = text.split()[0]
                    end = start + len(text)
                self.directives.append(Directive(start, text, end))
            elif text and not text.startswith("#"):
                break
            if self.takes_code:
                break
            offset += len(line)
        blanks = ((item.start, item.end, " " * (item.end - item.start)) for item in self.directives)
        self.code = replace_parts(source, blanks)

    @property
    def has_code(self) -> bool:
        """True if there is code to run besides the directives."""
        return any(line.strip() and not line.strip().startswith("#") for line in self.code.splitlines())

    def directive_at(self, cursor: int) -> Directive | None:
        """Return the directive that contains the cursor, or ends at it."""
        return next((item for item in self.directives if item.start <= cursor <= item.end), None)
