"""The functions that accept a value before a dot, by the kinds of values that their first parameter takes.

The table is written by `python -m evaluator.assistance.receivers` after a function was added; a test fails until
then.
"""

from __future__ import annotations

from evaluator.assistance.cursor import CursorToken
from evaluator.assistance.words.methods import METHODS
from evaluator.calling.signatures import Signature
from evaluator.functions import find_function, list_function_names
from evaluator.types import Type, VariantType, find_builtin_type, infer_outline
from evaluator.values import Value
from lexer_parser.dialect import PUPPET

KINDS = (
    *("String", "Integer", "Float", "Boolean", "Undef", "Regexp", "Array", "Hash", "Iterator", "Binary"),
    *("Sensitive", "SemVer", "SemVerRange", "Timespan", "Timestamp", "URI", "Type", "Deferred", "Error"),
)
ATTRIBUTES = {
    "URI": ("scheme", "userinfo", "host", "port", "path", "query", "fragment"),
    "Error": ("message", "msg", "kind", "details", "issue_code"),
}
_LITERALS = {"single": "String", "double": "String", "number": "Integer"}
_WORDS = {"true": "Boolean", "false": "Boolean", "undef": "Undef"}
_PAIRS = {"]": "[", "}": "{"}


def find_kind(value: Value) -> str:
    """Return the kind of a value, one of KINDS; "" for others."""
    if value is None:
        return "Undef"
    return next((name for name in (infer_outline(value, PUPPET).simple_name,) if name in KINDS), "")


def find_literal_kind(tokens: list[CursorToken]) -> str:
    """Return the kind of the literal that ends some tokens; "" if it is none, or unknown."""
    last = tokens[-1]
    if last.kind == "number" and "." in last.text:
        return "Float"
    if last.kind in _LITERALS:
        return _LITERALS[last.kind]
    if last.kind == "name":
        return _WORDS.get(last.text, "Type" if last.text[:1].isupper() else "")
    opening = _find_opening(tokens) if last.text in _PAIRS else None
    if opening is None:
        return ""
    before = tokens[opening - 1] if opening else None
    if last.text == "}":
        return "Hash" if before is not None and before.text in ("=", "(", "[", ",", "=>") else ""
    if before is not None and before.kind == "name" and before.text[:1].isupper():
        return "Type"
    accessed = before is not None and (
        before.kind in ("name", "variable", "single", "double") or before.text in ")]}"
    )
    return "" if accessed and before is not None and before.end == tokens[opening].start else "Array"


def _find_opening(tokens: list[CursorToken]) -> int | None:
    """Return the index of the bracket that the last token closes."""
    depth = 0
    for i in range(len(tokens) - 1, -1, -1):
        text = tokens[i].text
        if tokens[i].kind == "mark":
            depth += (text in ")]}") - (text in "([{")
            if depth == 0:
                return i if text == _PAIRS[tokens[-1].text] else None
    return None


def find_methods(kind: str) -> set[str] | None:
    """Return the built-in functions that accept a kind of value; None if nothing is known of the kind."""
    if kind not in METHODS:
        return None
    kinds = (
        kind,
        "Any",
        *(("Iterator",) if kind == "Type" else ()),
    )  # types such as Integer[1, 3] are ranges
    return {name for each in kinds for name in METHODS[each].split()}


def compute_table() -> dict[str, list[str]]:
    """Return each kind with the functions for it: those whose first parameter takes it, and not any value."""
    known = {kind: type for kind in KINDS if (type := find_builtin_type(kind, PUPPET)) is not None}
    found: dict[str, list[str]] = {kind: [] for kind in (*KINDS, "Any")}
    for name in list_function_names():
        function = find_function(name)
        assert function is not None
        firsts = [
            signature.parameters[0].type
            for text in function.usage
            if (signature := Signature(text)).parameters
        ]
        taking = [kind for kind, type in known.items() if any(_is_suitable(first, type) for first in firsts)]
        for kind in ["Any"] if len(taking) == len(KINDS) else taking:
            found[kind].append(name)
    return found


def _is_suitable(first: Type, kind: Type) -> bool:
    if isinstance(first, VariantType):
        return any(_is_suitable(member, kind) for member in first.types)
    return bool(first.assignable(kind) or (kind.assignable(first) and str(first) != "Undef"))


def format_module() -> str:
    """Return the source of the module with the table."""
    from textwrap import wrap

    rows = [
        '"""Which functions suit which kind of value; written by `python -m evaluator.assistance.receivers`."""',
        "",
    ]
    rows += ["# fmt: off", "METHODS = {"]
    for kind, suited in compute_table().items():
        lines = wrap(" ".join(suited), 100) or [""]
        rows += [
            f'    "{kind}": (',
            *(f'        "{text} "' for text in lines[:-1]),
            f'        "{lines[-1]}"',
            "    ),",
        ]
    return "\n".join([*rows, "}", "# fmt: on", ""])


if __name__ == "__main__":
    from pathlib import Path

    (Path(__file__).parent / "words" / "methods.py").write_text(format_module(), encoding="utf-8")
