"""What makes a value fit: a sentence for "expects an Integer value, got String"."""

from __future__ import annotations

import re

from evaluator.help.context import ErrorContext as Case
from lexer_parser.tree import nodes

NUMBERS = ("Integer", "Float", "Numeric")
QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")


def advice(case: Case) -> str | None:
    """How to mend what does not fit, None when the types alone do not tell."""
    expected, actual = case.words.get("expected", ""), case.words.get("actual", "")
    if case.words.get("match"):
        return _match(case, expected)
    plain = expected.partition("[")[0]
    if actual == "Undef":
        return "The value is undef: is the variable set, does the hash have the key?"
    if plain in NUMBERS and actual == "String":
        return _number(case, plain)
    if plain == "Integer" and actual.startswith("Integer"):
        return _range(expected)
    if plain == "Integer" and actual == "Float":
        return f"Make it a whole number: `Integer({_named(case)})` cuts, `round(…)` rounds."
    if plain == "String" and actual in ("Integer", "Float", "Boolean"):
        return f"Put it in quotes, or convert it: `String({_named(case)})`."
    if plain == "String" and actual == "String":
        return (
            "The text is too short or too long."
            if expected != "String[1]"
            else "Give a text that is not empty."
        )
    if plain == "Boolean" and actual == "String":
        return "Write `true` or `false` without quotes; every text counts as true."
    if plain == "Array" and actual in ("String", "Integer", "Float", "Boolean"):
        return f"Put it in brackets: `[{_named(case)}]`."
    if plain in ("Hash", "Struct") and actual.startswith(("Tuple", "Array")):
        return "Write a hash: `{ 'key' => value }`; a list of pairs becomes one with `Hash(…)`."
    if plain in ("Hash", "Struct") and actual == "String":
        return "Write a hash: `{ 'key' => value }`."
    if expected == "Resource":
        return "The parameter is declared with no type of values, such as `Integer` or `String`."
    if plain == "Type" and actual == "String":
        return "Write the type without quotes, with a capital: `Integer`, `Array[String]`."
    return None


def _named(case: Case) -> str:
    return (case.subject.text if case.subject is not None else None) or "…"


def _number(case: Case, wanted: str) -> str:
    given = case.subject.node if case.subject is not None else None
    if isinstance(given, nodes.String) and re.fullmatch(r"-?\d+(\.\d+)?", given.value):
        return f"Write the number without quotes: `{given.value}`."
    if isinstance(given, nodes.String):
        return f"Give a number{' without fraction' if wanted == 'Integer' else ''}; this text is none."
    kind = "Integer" if wanted == "Numeric" else wanted
    return f"Convert it: `{kind}({_named(case)})`; a number is written without quotes."


def _range(expected: str) -> str | None:
    found = re.fullmatch(r"Integer\[(-?\w+)(?:, (-?\w+))?\]", expected)
    if found is None:
        return None
    low, high = found[1], found[2] or "default"
    if high == "default":
        return f"Give a number that is {low} or more."
    return f"Give a number {'up to' if low == 'default' else f'from {low} to'} {high}."


def _match(case: Case, expected: str) -> str | None:
    if "Enum[" in expected:
        return f"Give one of {_listed(choices(expected))}."
    if "Pattern[" in expected:
        return "Give a text that the pattern matches."
    return None


def choices(expected: str) -> list[str]:
    """The values of an Enum, from its text."""
    return QUOTED.findall(expected)


def _listed(texts: list[str]) -> str:
    shown = [f"`'{text}'`" for text in texts[:8]]
    rest = ["…"] if len(texts) > 8 else []
    if len(shown) < 2 or rest:
        return ", ".join(shown + rest)
    return f"{', '.join(shown[:-1])} or {shown[-1]}"
