"""The source of regular expressions as Ruby prints it; the anchors and the characters in it."""

from __future__ import annotations

import re


def escape_slashes(source: str) -> str:
    """Return the source as it is written between slashes: each slash in it is escaped once."""
    return re.sub(r"(\\[\s\S])|/", lambda match: match[1] or "\\/", source)


def format_code(char: str) -> str:
    """Return the escape of a character by its code."""
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\u{{{ord(char):X}}}"


def encode_ascii(char: str) -> str:
    """Return a character, or the escape of one that is not printable ASCII."""
    code = ord(char)
    if 32 <= code < 127:
        return char
    return f"\\x{code:02X}" if code < 128 else format_code(char)


def show_source(source: str) -> str:
    """Return the source as a message of Ruby shows it, with escapes if one is needed."""
    if not re.search(r"[\x00-\x1f\x7f-\x9f/]", source):
        return source
    return re.sub(
        r"(\\[\s\S])|[^\s!-~]",
        lambda match: match[1] or encode_ascii(match[0]),
        escape_slashes(source),
        flags=re.ASCII,
    )


def format_with_options(source: str, flags: str = "") -> str:
    """Return the expression as Ruby's `Regexp#to_s` prints it, its options in front: `(?-mix:a)`."""
    from lexer_parser.regexps.parser import find_regexp_error  # few programs need it

    inner, options = source, {*flags}
    # Options at the beginning, `(?i)a`, and those of a group that is the whole expression, `(?i:a)`, move to the front.
    while match := re.match(r"\(\?([mix]*)(?:-([mix]*))?([:)])", inner):
        options = (options | {*match[1]}) - {*(match[2] or "")}
        inner = inner[match.end() :]
        if match[3] == ":":
            if inner.endswith(")") and find_regexp_error(inner[:-1]) is None:
                inner = inner[:-1]
            else:
                inner, options = source, {*flags}
            break
    on = "".join(option for option in "mix" if option in options)
    off = "".join(option for option in "mix" if option not in options)
    return f"(?{on}{'-' if off else ''}{off}:{escape_slashes(inner)})"


def remove_anchors(source: str) -> str:
    r"""Return the expression without any `\A` and `\Z`, which the specification drops."""
    return re.sub(r"\\([\s\S])", lambda match: "" if match[1] in "AZ" else match[0], source)


def is_fixed_to_unicode(source: str) -> bool:
    """Return whether Ruby ties the expression to Unicode: it names characters beyond ASCII, or properties."""
    if "\\" not in source:
        return not source.isascii()
    from lexer_parser.regexps.escapes import RegexpSyntaxError, replace_character_escapes

    try:
        plain = replace_character_escapes(source)
    except RegexpSyntaxError:
        plain = source
    return not plain.isascii() or any(escape[1] in "pP" for escape in re.findall(r"\\[\s\S]", plain))
