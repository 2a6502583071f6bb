"""Which slip a person most likely made: rules that look at an error and what is around it.

The first rule that recognises something speaks; where none does, the general line of help for the issue's
code stands. `enrich` is called where an error leaves the parser or the validator; nothing here runs for a correct
program.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexer_parser.errors import PuppetError
from lexer_parser.issues import rows
from lexer_parser.slips import lexical, static, syntax
from lexer_parser.slips.place import Advice, Place
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


def explain(error: PuppetError, source: Source, epp: bool, expected: Iterable[str]) -> None:
    """Puts the advice of the first rule that recognises `error` into it, if there is one."""
    advice = advise(error, source, epp, expected)
    if advice is not None:
        error.help = advice.help
        error.suggestion = error.suggestion or advice.suggestion
        error.notes = (*error.notes, *advice.notes)


def advise(error: PuppetError, source: Source, epp: bool, expected: Iterable[str]) -> Advice | None:
    """What the rules say of an error."""
    if error.code in syntax.RULES:
        place = Place(source, None if error.span is None else error.span.start, epp, expected)
        rules = syntax.RULES[error.code] if error.span is not None else syntax.END_RULES
        found = (rule(place) for rule in rules)
        return next((advice for advice in found if advice is not None), None)
    rule = lexical.RULES.get(error.code) or static.RULES.get(error.code)
    return rule(error, source) if rule is not None and error.span is not None else None
