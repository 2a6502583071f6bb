"""A notebook as a manifest that the released Puppet reads.

The code of the cells stands in their order. Comments are the words between them, commands, questions, statements that
only look at a value (a manifest may not hold one but as its last), and cells that failed or that only the dialect of
the specification reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexer_parser import PUPPET, PuppetError, parse
from puppet_kernel.commands.command import CommandTable
from puppet_kernel.commands.inputs import Input
from puppet_kernel.commands.table import COMMANDS
from puppet_kernel.jupyter.parameters import given, is_injected, statements_of

IDLE = "IDEM_EXPRESSION_NOT_LAST"
SOMETHING = "\n$something = 1"  # a statement that is none of the program's


class _Part:
    """The code of a cell as the manifest has it."""

    __slots__ = ("source",)

    def __init__(self, source: str) -> None:
        self.source = source


GOES_ON = ("{", "[", "(", "/", "-")  # what may belong to the statement before it


def manifest(cells: Iterable[Any], commands: CommandTable = COMMANDS) -> str:
    """The manifest of the cells of a notebook, as nbformat has them."""
    parts: list[_Part] = []
    for cell in cells:
        source = cell["source"].rstrip()
        if cell["cell_type"] == "markdown":
            parts.append(_Part(_comment(source)))
        elif cell["cell_type"] == "code" and source:
            _add(parts, source, cell, commands)
    return "".join(f"{text}\n\n" for text in _apart(part.source for part in parts)).rstrip() + "\n"


def _apart(texts: Iterable[str]) -> Iterator[str]:
    """The texts, each cell a statement of its own: such a sign would go on with what stands before it."""
    began = False
    for text in texts:
        lines = text.split("\n")
        code = next(
            (i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None
        )
        if code is not None and began and lines[code].lstrip().startswith(GOES_ON):
            lines[code] = f";{lines[code]}"
        began = began or code is not None
        yield "\n".join(lines)


def _add(parts: list[_Part], source: str, cell: Any, commands: CommandTable) -> None:
    """Adds what a cell of code gives to those before it."""
    if is_injected(source, cell["metadata"].get("tags")):
        found = given(source, parts, PUPPET.name)
        if found is not None:
            found.cell.source = found.source
            return
    failed = any(output["output_type"] == "error" for output in cell.get("outputs", ()))
    parts.append(_Part(_comment(source) if failed else _code(source, commands)))


def _code(source: str, commands: CommandTable) -> str:
    """The code of an input; the rest of it as comments."""
    found = Input(source, commands.takes_code)
    pieces, end = [], 0
    for one in found.directives:
        pieces += [source[end : one.start], "# ", one.text]
        end = one.end
    code = "".join([*pieces, source[end:]])
    if found.taken:
        taker = found.directives[-1]
        if not commands.runs_code(taker.text[1:]):
            return _comment(source)  # the code is only looked at
        rest = source[taker.end :]
        code = f"{code[: -len(rest)]}\n{rest.lstrip()}" if rest else code
    try:
        return _effective(code)
    except PuppetError:
        return _comment(code)


def _effective(source: str) -> str:
    """A program, the statements that have no effect as comments. Raises PuppetError."""
    parts, end = [], 0
    for _, start, stop in statements_of(source, PUPPET):
        text = source[start:stop]
        if _is_idle(text):
            before = source[end:start]
            parts += [before, "\n" if before.rpartition("\n")[2].strip() else "", _comment(text)]
            parts += [] if text.endswith("\n") else ["\n"]
            end = stop
    return "".join([*parts, source[end:]])


def _is_idle(text: str) -> bool:
    try:
        parse(text + SOMETHING, dialect=PUPPET)
    except PuppetError as problem:
        return problem.code == IDLE
    return False


def _comment(text: str) -> str:
    """A text as comment; what is one, and what is empty, stays."""
    lines = text.split("\n")
    return "\n".join(
        f"# {line}" if line.strip() and not line.lstrip().startswith("#") else line for line in lines
    )
