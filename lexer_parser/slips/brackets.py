"""Slips with brackets, separators and operators, and what the grammar would have taken."""

from __future__ import annotations

from lexer_parser.lexing.tokens import OPERATORS
from lexer_parser.slips.place import CLOSING, OPENING, Advice, Place
from lexer_parser.slips.spelling import NAME_TOKENS, OPERATOR_TOKENS, VALUE_TOKENS, WORDS


def stray_separator(place: Place) -> Advice | None:
    """`;;`, `,,`, `{ ; }`, `foo(,)`."""
    mark = place.word(0)
    if mark == ";":
        return Advice("Remove the semicolon: it stands only between two statements or two titles.")
    if mark == "," and (place.kind(-1) == "COMMA" or place.kind(-1) in OPENING or place.index == 0):
        return Advice("Remove the comma: something must stand before it.")
    if place.kind(-1) == "COMMA" and place.kind(0) in CLOSING:
        return Advice("Remove the comma before the closing bracket.")
    return None


def long_string(place: Place) -> Advice | None:
    """A string over several lines just before the error: its quote is probably missing further up."""
    for relative in (-1, 0):
        if place.kind(relative) == "STRING" and "\n" in place.word(relative):
            line = place.line(place.index + relative)
            return Advice(
                f"Look at the string that begins on line {line}: its closing quote may be missing.",
                notes=(place.note("the string begins here", place.index + relative),),
            )
    return None


def wrong_bracket(place: Place) -> Advice | None:
    """A closing bracket that closes nothing, or not what is open."""
    kind = place.kind(0)
    if kind not in CLOSING:
        return None
    if not place.open:
        return Advice(f"Remove the `{CLOSING[kind]}`, or open it before: nothing is open here.")
    wanted = OPENING[place.opener]
    if wanted != CLOSING[kind]:
        return Advice(f"Write `{wanted}` first.", wanted, (place.note("still open", place.open[-1]),))
    return None


def dangling_operator(place: Place) -> Advice | None:
    """An operator whose right side is missing."""
    word = place.word(-1)
    if is_operator(word) and place.kind(0) in CLOSING:
        return Advice(f"Something is missing after `{word}`.")
    return None


def unclosed(place: Place) -> Advice | None:
    """The end came too early."""
    suspect = place.suspect if place.open and place.suspect is not None else None
    if suspect is None and place.open:
        suspect = place.open[-1]
    if suspect is not None:
        wanted = OPENING[place.kinds[suspect]]
        return Advice(
            f"Close what was opened on line {place.line(suspect)}: a `{wanted}` is missing.",
            wanted,
            (place.note("still open", suspect),),
        )
    last = place.word(-1)
    if last == ";":
        note = place.note("this one", place.index - 1)
        return Advice("Remove the semicolon at the end: it stands only between two statements.", "", (note,))
    if is_operator(last):
        return Advice(f"Something is missing after `{last}`.")
    return Advice("The text ends too early: a value or a body in braces is missing.")


def is_operator(word: str) -> bool:
    """Tells whether something must come after this mark."""
    return word in OPERATORS and word not in (",", ";", ":", ".", "]", ")")


def expected_words(place: Place) -> Advice | None:
    """What the grammar would have taken, in a few words."""
    words = in_words(place.expected)
    found, after = short(place.word(0)), short(place.word(-1))
    if 0 < len(words) <= 4:
        choice = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
        where = f" after `{after}`" if after else ""
        return Advice(f"Expected {choice}{where}, found `{found}`.")
    if found and after:
        return Advice(f"`{found}` cannot follow `{after}`: something is missing between them, or too much.")
    return Advice(f"A statement cannot begin with `{found}`.") if found else None


def in_words(expected: frozenset[str]) -> list[str]:
    """Tokens in a person's words: what begins a value or goes on with an expression is told as one."""
    rest, words = set(expected), []
    if {"VARIABLE", "NUMBER"} <= rest:
        words.append("a value")
        rest -= VALUE_TOKENS
    elif {"NAME", "WORD"} <= rest:
        words.append("a name")
        rest -= NAME_TOKENS
    if {"PLUS", "TIMES"} <= rest:
        words.append("an operator")
        rest -= OPERATOR_TOKENS
    return words + sorted({WORDS.get(kind, f"`{kind.lower()}`") for kind in rest})


def short(text: str) -> str:
    """A token for use in a sentence."""
    first = text.partition("\n")[0]
    return first if len(text) <= 30 and first == text else first[:27] + "…"
