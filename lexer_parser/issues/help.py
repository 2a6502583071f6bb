"""What to write instead: the line of help of the issue, and what a person's slip most likely was.

`enrich` is called where an error leaves the parser or the validator; nothing here runs for a correct program.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexer_parser.errors import PuppetError
from lexer_parser.issues import rows
from lexer_parser.slips import explain
from lexer_parser.source import Source


def enrich(
    error: PuppetError,
    source: Source | None = None,
    epp: bool = False,
    expected: Iterable[str] = (),
) -> PuppetError:
    """Adds help, a near name and secondary places to an error of the lexer, the grammar or validation.

    error     is changed and given back; its message stays the released wording
    source    what was read, for errors that have no place
    epp       it was read as a template
    expected  the names of the tokens that the grammar would have taken
    """
    if error.help is not None:
        return error
    if source is None and error.span is not None:
        source = error.span.source
    if source is not None:
        explain(error, source, epp, expected)
    if error.help is None and error.code in rows():
        error.help = rows()[error.code].help.format_map(error.arguments)
    return error
