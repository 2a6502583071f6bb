"""Slips that validation meets: names of the wrong form, calls without parentheses, values without use."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexer_parser.errors import PuppetError
from lexer_parser.issues.similar import nearest
from lexer_parser.slips.place import Advice
from lexer_parser.slips.spelling import FOREIGN_WORDS
from lexer_parser.source import Source

HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")
EMPTY_BRACES = re.compile(r"\{\s*\}\s*$")
HYPHENATED = re.compile(r"\$([a-z]\w*(?:-[a-z]\w*)+)[ \t]*=")
SEVERAL = re.compile(r"\s*(\$\w+(?:, *\$\w+)+)\s*=(?!=)")
LITERALS = frozenset(("undef", "default", "true", "false"))


def source_text(error: PuppetError) -> str:
    """The source text at an error."""
    span = error.span
    return span.source.text[span.start : span.end] if span is not None else ""


def following(error: PuppetError) -> str:
    """The source text behind an error."""
    span = error.span
    return span.source.text[span.end :].lstrip() if span is not None else ""


def mended(name: str) -> str:
    """A name in lower case by segments, with underscores for hyphens."""
    plain = [part for part in name.replace("-", "_").split("::") if part]
    return "::".join(HUMP.sub(r"_\1", part).lower() for part in plain)


def variable_name(error: PuppetError, source: Source) -> Advice | None:
    """`$Port`, `$`."""
    name = error.arguments["name"]
    if not name:
        return Advice("After `$` comes a name. For a plain dollar sign use a string: `'$'`.")
    better = mended(name).lstrip("0123456789")
    if not better:
        return None
    return Advice(f"Variables begin with a lower-case letter or an underscore: `${better}`.", f"${better}")


def definition_name(error: PuppetError, source: Source) -> Advice | None:
    """`class My-App`."""
    name, label = error.arguments["name"], error.arguments["label"]
    if label == "a Type Alias":
        better = "::".join(part[:1].upper() + part[1:] for part in name.split("::") if part)
        return Advice(f"The name of a type begins with a capital: `{better}`.", better)
    better = mended(name).lstrip("_")
    return Advice(f"Names are lower-case words joined by `::`, without hyphens: `{better}`.", better)


def assignment(error: PuppetError, source: Source) -> Advice | None:
    """`port = 80`."""
    label = error.arguments["label"]
    if label == "a Name":
        name = source_text(error)
        return Advice(f"A variable begins with a dollar sign: `${name} = …`.", f"${name}")
    hyphenated = HYPHENATED.search(source.line(error.span.line)) if error.span is not None else None
    if label == "a '-' expression" and hyphenated is not None:
        better = f"${mended(hyphenated[1])}"
        return Advice(f"A variable's name has no hyphen, which is a minus: `{better} = …`.", better)
    if label.endswith("' expression"):
        return Advice("On the left of `=` stands a variable; to compare, write `==`.", "==")
    return None


def illegal_expression(error: PuppetError, source: Source) -> Advice | None:
    """`undef()`, `$f()`, `file <| |>`, a heredoc as host."""
    text, label, feature = source_text(error), error.arguments["label"], error.arguments["feature"]
    if feature == "function name":
        if text in LITERALS:
            return Advice(f"`{text}` is a value: write it without parentheses.", text)
        if text == "$":
            return Advice(
                "No program runs when a catalog is made; what a machine has, its facts tell: `$facts['os']`."
            )
        if label == "A Variable":
            return Advice(f"A variable cannot be called; a function can by its name: `call({text}, …)`.")
        if label == "A String":
            better = mended(text.strip("'\""))
            return Advice(f"A function's name stands without quotes and hyphens: `{better}(…)`.", better)
    if feature == "type name" and text.isidentifier():
        return Advice(f"A collector begins with a type: `{text.capitalize()} <| |>`.", text.capitalize())
    if feature == "hostname":
        return Advice("A host is a name, a string, a regular expression or `default`.")
    if feature == "a type reference":
        return Advice("On the right stands a type: `type Port = Integer[1, 65535]`.")
    return None


def no_effect(error: PuppetError, source: Source) -> Advice | None:
    """A function without parentheses, a type before a variable, `==` for `=`."""
    text, label = source_text(error), error.arguments["label"]
    if text in FOREIGN_WORDS:
        return Advice(*FOREIGN_WORDS[text])
    if label == "Name" and following(error):
        return Advice(f"If `{text}` is a function, put its arguments in parentheses: `{text}(…)`.")
    if label == "Type-Name" and following(error).startswith("$"):
        return Advice("A variable has no type: write `$x = 1`, or check the value with `assert_type`.")
    if label == "'==' expression":
        return Advice("To assign, write `=`; to use the result, `if` or `notice(…)`.", "=")
    return None


def untitled_resource(error: PuppetError, source: Source) -> Advice | None:
    """A word of another language followed by braces."""
    name = error.arguments["name"]
    if name in FOREIGN_WORDS:
        return Advice(*FOREIGN_WORDS[name])
    before = source.text[: error.span.start].split() if error.span is not None else []
    near = nearest(before[-1], ("class", "define", "function", "node")) if before else None
    if near is not None:
        return Advice(f"If it is meant to define something, it begins with `{near}`.", near)
    if EMPTY_BRACES.search(source_text(error)):
        return Advice(
            f"A resource has a title, `{name} {{ 'title': }}`; a class is declared by `include {name}`."
        )
    return None


def comma_list(error: PuppetError, source: Source) -> Advice | None:
    """`$a, $b = [1, 2]`."""
    line = source.line(error.span.line) if error.span is not None else ""
    match = SEVERAL.match(line)
    if match is None:
        return None
    return Advice(f"Several variables are set from a list: `[{match[1].strip()}] = [1, 2]`.", "[")


def quoted_name(error: PuppetError, source: Source) -> Advice | None:
    """`class 'app'`."""
    name = mended(source_text(error).strip("'\""))
    return Advice(f"Write the name without quotes: `{name}`.", name) if name else None


RULES: dict[str, Callable[[PuppetError, Source], Advice | None]] = {
    "ILLEGAL_VAR_NAME": variable_name,
    "ILLEGAL_PARAM_NAME": variable_name,
    "ILLEGAL_DEFINITION_NAME": definition_name,
    "ILLEGAL_ASSIGNMENT": assignment,
    "ILLEGAL_COMMA_LIST": comma_list,
    "ILLEGAL_EXPRESSION": illegal_expression,
    "IDEM_EXPRESSION_NOT_LAST": no_effect,
    "IDEM_NOT_ALLOWED_LAST": no_effect,
    "RESOURCE_WITHOUT_TITLE": untitled_resource,
    "QUOTED_NAME": quoted_name,
}
