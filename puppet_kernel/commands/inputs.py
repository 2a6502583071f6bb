"""What an input holds: commands in its first lines, and Puppet code.

    # a comment may come first
    %facts debian-12
    ?join
    notice($facts['os']['name'])

A command stands on a line of its own before all code, but for those that take code: `%time CODE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

COMMAND, QUESTION = "%", "?"
LINE = 10_000  # characters that are split into lines at once
_COMMENT = re.compile(r"\s*#")
_HELP = re.compile(r"help[ \t]++%?[\w:.]++")
PLAIN_WORDS = {"help": "help", **dict.fromkeys(("exit", "quit", "exit()", "quit()"), "quit")}


def expand_plain_words(source: str) -> str:
    """The input that a person means: `help`, `exit` and `quit` alone, texts that nobody looks at, are commands.

    So are `exit()`, as others leave, and `help map`, which would be two such texts.
    """
    words = source.strip() if len(source) < LINE else ""
    if words in PLAIN_WORDS:
        return COMMAND + PLAIN_WORDS[words]
    return COMMAND + words if _HELP.fullmatch(words) else source


def _lines(source: str) -> Iterator[str]:
    """The lines of an input, one after the other: of a long one only what is asked for is split."""
    start = 0
    while start < len(source):
        end = start + LINE
        head = source[start:end].splitlines(keepends=True)
        if end < len(source) and len(head) > 1:
            head.pop()  # which may go on
        elif end < len(source):
            head = [source[start : source.find("\n", end) + 1 or len(source)]]
        yield from head
        start += sum(map(len, head))


class Directive:
    """A command or question: its text, and where it stands in the input, with the `blanks` behind it."""

    __slots__ = ("end", "start", "text")

    def __init__(self, start: int, text: str, blanks: int = 0) -> None:
        self.start = start
        self.text = text
        self.end = start + len(text) + blanks


class Input:
    """An input taken apart; `takes_code` tells of a command's name whether it takes the code.

    directives  the commands and questions, in order
    code        the Puppet code, each directive replaced by blanks, so that places stay what they are
    taken       true when the last directive is a command that takes the code
    """

    __slots__ = ("code", "directives", "taken")

    def __init__(self, source: str, takes_code: Callable[[str], bool]) -> None:
        self.directives: list[Directive] = []
        self.taken = False
        offset = 0
        for line in _lines(source):
            text = line[:1] if _COMMENT.match(line) else line.strip()
            if text.startswith((COMMAND, QUESTION)):
                self.taken = text.startswith(COMMAND) and takes_code(*text[1:].split()[:1] or [""])
                start = offset + line.index(text)
                if self.taken:
                    self.directives.append(Directive(start, text.split()[0]))
                else:
                    whole = line.rstrip("\r\n")
                    self.directives.append(Directive(start, text, len(whole) - len(whole.rstrip())))
            elif text and not text.startswith("#"):
                break
            if self.taken:
                break
            offset += len(line)
        parts, end = [], 0
        for directive in self.directives:
            parts += [source[end : directive.start], " " * (directive.end - directive.start)]
            end = directive.end
        self.code = "".join([*parts, source[end:]])

    @property
    def has_code(self) -> bool:
        """True when there is something to run besides the directives."""
        return any(line.strip() and not line.strip().startswith("#") for line in self.code.splitlines())

    def at(self, cursor: int) -> Directive | None:
        """The directive in which the cursor stands, or right behind which."""
        return next((place for place in self.directives if place.start <= cursor <= place.end), None)
