"""Slips that the lexer meets: strings and heredocs without end, names and numbers that are none."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note, PuppetError
from lexer_parser.issues.similar import nearest
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.slips.place import Advice, Place
from lexer_parser.source import Source, Span

HEREDOC_TAG = re.compile(r"@\([ \t]*+\"?([^:/\r\n)\"]{1,200}+)\"?[^\r\n)]{0,200}+\)")
OPTIONS = re.compile(r"/[^/]+/[imx]+")  # what other languages have behind a pattern
PATH = re.compile(r"/[\w.+-]+(?:/[\w.+-]+)+/?")
APOSTROPHE = re.compile(r"'\w+'\w++[^']*+'[^']*$")
WORD = re.compile(r"[\w:]+")


def place_of(error: PuppetError) -> int:
    """The offset at which an error stands."""
    return error.span.start if error.span is not None else 0


def unclosed_quote(error: PuppetError, source: Source) -> Advice | None:
    """A string without end, or an earlier one whose end was taken for the beginning of this one."""
    lexer = Lexer(source, PUPPET)
    with suppress(PuppetError):
        lexer.scan()
    start = place_of(error) - 1
    if lexer.string_token is not None and lexer.string_token < len(lexer.tokens):
        start = lexer.tokens[lexer.string_token][0]
    elif lexer.string_token is None and source.text[start : start + 1] != "'":
        start = source.text.rfind('"', 0, place_of(error))
    line = source.position(max(start, 0))[0]
    apostrophe = APOSTROPHE.search(source.line(line))
    if apostrophe is not None and source.text[start : start + 1] == "'":
        return Advice(
            "A text in single quotes ends at the next one: write \\' inside it, or quote it with \".", "\\'"
        )
    notes = [Note("the string begins here", Span(source, start, start + 1))]
    if lexer.frames:
        return Advice(
            f"Close the `${{` with a `}}` and the string of line {line} with its quote.", "}", (*notes,)
        )
    place = Place(source, start)
    for index in range(place.index - 1, -1, -1):
        if place.kinds[index] == "STRING" and "\n" in place.at(index):
            notes.append(place.note("or the quote is missing at the end of this one", index))
            break
    return Advice(f"Close the string that begins on line {line}.", source.text[start : start + 1], (*notes,))


def heredoc_end(error: PuppetError, source: Source) -> Advice | None:
    """A heredoc whose end line has another tag, or something behind it."""
    start = place_of(error)
    headers = list(HEREDOC_TAG.finditer(source.text, 0, start))
    if not headers:
        return None
    tag = headers[-1][1].strip()
    help = f"End the text with a line that holds only the tag: `| {tag}`."
    offset, lines = start, {}
    for line in source.text[start:].splitlines(keepends=True):
        lines[line.strip().lstrip("|-").strip()] = Span(source, offset, offset + len(line.rstrip()))
        offset += len(line)
    near = nearest(tag, lines) or next((line for line in lines if line and line.split()[0] == tag), None)
    notes = (Note("is this the end?", lines[near]),) if near else ()
    return Advice(help, f"| {tag}", notes)


def class_reference(error: PuppetError, source: Source) -> Advice | None:
    """`Apache::vhost`."""
    match = None
    for match in WORD.finditer(source.text, max(0, place_of(error) - 80), place_of(error) + 80):
        if match.end() >= place_of(error):
            break
    if match is None:
        return None
    capital = "::".join(part[:1].upper() + part[1:] for part in match[0].split("::"))
    return Advice(f"In the name of a type every segment begins with a capital: `{capital}`.", capital)


def octal(error: PuppetError, source: Source) -> Advice | None:
    """`08`: a decimal number with a leading zero, or a mode."""
    digits = error.arguments["value"]
    if not digits.isdecimal():
        return None
    help = f"A number that begins with 0 is octal: write `{digits.lstrip('0')}`, or quote it: `'{digits}'`."
    return Advice(help, f"'{digits}'")


def unquoted_path(error: PuppetError, source: Source) -> Advice | None:
    """`/etc/motd` without quotes: the specification takes what follows the second slash for options."""
    path = PATH.match(source.text, max(source.text.rfind(" ", 0, place_of(error)) + 1, 0))
    line = source.line(source.position(place_of(error))[0])
    if path is None or not re.search(r"(?:^|[{>:,\[(=])\s*$", line[: line.find(path[0])]):
        return None
    if OPTIONS.fullmatch(path[0]):
        return None
    return Advice(f"Put a path in quotes: `'{path[0]}'`.", f"'{path[0]}'")


def pattern_as_comment(error: PuppetError, source: Source) -> Advice | None:
    """`=~ /*web/`."""
    if source.text[: place_of(error)].rstrip().endswith(("=~", "!~")):
        return Advice("`/*` begins a comment. In a pattern any text is `.*`: `/.*web/`, or just `/web/`.")
    return None


RULES: dict[str, Callable[[PuppetError, Source], Advice | None]] = {
    "UNCLOSED_QUOTE": unclosed_quote,
    "HEREDOC_WITHOUT_END_TAGGED_LINE": heredoc_end,
    "ILLEGAL_CLASS_REFERENCE": class_reference,
    "INVALID_OCTAL_NUMBER": octal,
    "REGEXP_OPTIONS": unquoted_path,
    "UNCLOSED_MLCOMMENT": pattern_as_comment,
}
