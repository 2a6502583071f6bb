"""Breakpoints in cells, and in files that a program may read."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Session
from evaluator.debugger import Breakpoint, Debugger, source_key
from evaluator.issues import Failure
from evaluator.program import sandbox
from lexer_parser.dialect import DIALECTS, PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.source import Source
from lexer_parser.tree import nodes

TEMPLATE = ".epp"


def set_breakpoints(
    debugger: Debugger, session: Session, points: Sequence[Breakpoint], text: str | None, path: str | None
) -> None:
    """Replace the breakpoints of a cell or of a file.

    Args:
        debugger: The debugger.
        session: The session whose dialect and permissions count.
        points: The new breakpoints.
        text: The text of the cell or file; None if it is not known yet.
        path: The path of the file; None for a cell.
    """
    key = source_key(Source(text or "", path))
    debugger.set_breakpoints(key, points, None if text is None else parse_source(session, text, path))


def read_file(session: Session, path: str) -> str | None:
    """Return the text of a file that programs of the session may read; None for any other."""
    if not session.may_read(path):
        return None
    try:
        content = sandbox.read_named(path)
        return None if content is None else sandbox.decode(content, path)
    except (Failure, PuppetError):
        return None


def parse_source(session: Session, text: str, path: str | None) -> nodes.Program | None:
    """Return the syntax tree of a text, or None.

    Files of modules are in the released language.
    """
    dialects = [DIALECTS[session.dialect], PUPPET]
    for dialect in dialects if path is None else dialects[::-1]:
        try:
            is_template = path is not None and path.endswith(TEMPLATE)
            return parse(text, dialect=dialect, epp=is_template, name=path, interactive=True)
        except PuppetError:
            continue
    return None
