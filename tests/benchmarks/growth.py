"""How time grows with size: what four times the text takes, beside four times what the text takes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from lexer_parser import PuppetError, parse, status
from lexer_parser.check import check
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.benchmarks.measure import Ratios, best

SIZE = 1_000_000  # characters of the larger text
PROGRAMS: dict[str, Callable[[int], str]] = {
    "statements": lambda size: "$abc = [1, 'two', three]\n" * (size // 25),
    "tiny statements": lambda size: "f()\n" * (size // 4),
    "one line": lambda size: "$x = [" + "'abc', " * (size // 7) + "]",
    "nested brackets": lambda size: "$x = " + "[" * (size // 10) + "]" * (size // 10),
    "nested bodies": lambda size: "if $x {" * (size // 16) + "}" * (size // 16),
    "classes in a class": lambda size: "class a {" + "class b {}" * (size // 10) + "}",
    "nested strings": lambda size: '"${' * (size // 16) + "1" + '}"' * (size // 16),
    "comments": lambda size: "# a comment\n" * (size // 12),
    "heredocs": lambda size: "$x = @(A)\n  text\n  | A\n" * (size // 22),
    "open brackets": lambda size: "f([{" * (size // 8),
    "open quotes": lambda size: "' \" " * (size // 4),
    "slashes": lambda size: "/ " * (size // 2),
    "dollars": lambda size: '"' + "$" * size,
    "open tags": lambda size: "@(" * (size // 2),
    "open types": lambda size: "A::" * (size // 3),
    "blanks in a heredoc": lambda size: "$x = @(A)\n" + " " * size,
}


def _work(read: Callable[[str], object], source: str) -> Callable[[], None]:
    def work() -> None:
        with suppress(PuppetError):
            read(source)

    return work


def highlight(source: str) -> None:
    """The colours of a text."""
    for _ in PuppetLexer().get_tokens(source):
        pass


def growth() -> Ratios:
    """Seconds for a text, and four times those for a quarter of it: a ratio near 1 is linear time."""
    found: Ratios = {}
    for name, program in PROGRAMS.items():
        for read in (parse, status, check, highlight):
            whole = best(_work(read, program(SIZE)))
            quarter = best(_work(read, program(SIZE // 4)))
            found[f"{name}, {read.__name__}"] = (whole, 4 * quarter)
    return found
