"""Mismatches in the words of the released Puppet: the texts of its error messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaluator.issues import Failure
from evaluator.types.aliases import AliasType, to_expanded_text
from evaluator.types.base import ANY, HOOKS, Type
from evaluator.types.collections import HashType, StructType
from evaluator.types.mismatches import (
    CountMismatch,
    ExtraKey,
    InvalidParameter,
    Mismatch,
    MissingBlock,
    MissingKey,
    MissingParameter,
    NameMismatch,
    PatternMismatch,
    SizeMismatch,
    TypeMismatch,
    UnexpectedBlock,
    UnresolvedReference,
    find_value_mismatches,
)
from evaluator.types.objects import ObjectType
from evaluator.types.references import ClassType, ResourceType, describe_count, describe_range
from evaluator.types.scalars import EnumType, PatternType, StringType
from evaluator.types.variants import IterableType, make_variant
from evaluator.values.kind import Value
from lexer_parser.tree.labels import add_article

# --- messages


def describe_mismatch(subject: str, expected: Type, value: Value) -> str:
    """Return why a value is no instance: `assert_type(): expects an Integer value, got String`.

    Several reasons are on a line each, every one after the subject. The text is empty if nothing is wrong.
    """
    return join_sentences(find_value_mismatches(subject, expected, value))


def join_sentences(mismatches: Sequence[Mismatch]) -> str:
    """Return the sentences of mismatches, each on a line of its own if there are several."""
    texts = list(map(to_sentence, mismatches))
    return texts[0] if len(texts) == 1 else "\n ".join(f" {text}" for text in texts)


def describe_as_arguments(subject: str, expected: Type, value: Value) -> dict[str, Any]:
    """Return the arguments of an error whose template is `{reason}`, among them the mismatches themselves."""
    mismatches = find_value_mismatches(subject, expected, value)
    return {"subject": subject, "reason": join_sentences(mismatches), **to_arguments(mismatches)}


def to_arguments(mismatches: Sequence[Mismatch]) -> dict[str, Any]:
    """Return the arguments of an error that reports mismatches: the findings, and the words of the first of them."""
    words = next(filter(None, map(to_message_arguments, mismatches)), {})
    return {"mismatches": tuple(mismatches), **words}


def check(
    subject: str,
    expected: Type,
    value: Value,
    code: str = "WRONG_TYPE",
    make: Callable[..., Exception] = Failure,
    **others: str,
) -> None:
    """Raise an error, `<subject> has wrong type, expects …`, if the value is no instance.

    Args:
        subject: What has the type.
        expected: The type.
        value: The value.
        code: The code of the issue.
        make: Failure, or `make_error` for an error without the label of the call.
        **others: Further values for the placeholders of the template.
    """
    if not expected.instance(value):
        raise make(code, **others, **describe_as_arguments(f"{subject} has wrong type,", expected, value))


def check_converted(expected: Type, value: Value) -> Value:
    """Return the value that `new` made if it is an instance of the type. Raise Failure if it is none."""
    check(f"Converted value from {expected}.new()", expected, value)
    return value


# --- one mismatch


def to_sentence(mismatch: Mismatch) -> str:
    """Return the path of a mismatch and what is wrong there."""
    return " ".join((*mismatch.path, to_words(mismatch)))


def to_words(mismatch: Mismatch) -> str:
    """Return what is wrong: `expects an Integer value, got String`."""
    match mismatch:
        case PatternMismatch():
            wanted, actual, optional = _format_match(mismatch)
            undef = "an undef value or " if optional else ""
            return f"expects {undef}a match for {to_expanded_text(wanted)}, got {actual}"
        case TypeMismatch():
            texts, actual = format_types(mismatch)
            if len(texts) == 1:
                return f"expects {add_article(texts[0])} value, got {actual}"
            return f"expects a value of type {_join_alternatives(texts)}, got {actual}"
        case CountMismatch():
            return "expects {expected}, got {number}".format_map(to_message_arguments(mismatch))
        case SizeMismatch():
            actual = describe_range(*mismatch.actual)
            return f"expects size to be {describe_range(mismatch.low, mismatch.high)}, got {actual}"
        case NameMismatch():
            return _NAME_WORDS[type(mismatch)].format(mismatch.name)
        case UnexpectedBlock():
            return "does not expect a block"
    assert isinstance(mismatch, MissingBlock)
    return "expects a block"


_NAME_WORDS: dict[type[NameMismatch], str] = {
    MissingKey: "expects a value for key '{}'",
    ExtraKey: "unrecognized key '{}'",
    MissingParameter: "expects a value for parameter '{}'",
    InvalidParameter: "has no parameter named '{}'",
    UnresolvedReference: "references an unresolved type '{}'",
}


def to_message_arguments(mismatch: Mismatch) -> dict[str, str]:
    """Return the words of a mismatch by their names in the templates of messages.

    Returns:
        `expected` and `actual` of types, and `match` if the words ask for a match of `expected`; `expected`, `number`,
        `least` and `most` of numbers of arguments; nothing of other mismatches.
    """
    match mismatch:
        case PatternMismatch():
            wanted, actual, _ = _format_match(mismatch)
            text = to_expanded_text(wanted)
            return {"expected": _remove_alias_name(wanted, text), "actual": actual, "match": text}
        case TypeMismatch():
            texts, actual = format_types(mismatch)
            expected = _remove_alias_name(mismatch.expected[0], _join_alternatives(texts))
            return {"expected": expected, "actual": actual}
        case CountMismatch():
            low, high = mismatch.actual
            number = "unlimited" if (low, high) == (0, None) else describe_range(low, high)
            return {
                "expected": describe_count(mismatch.low, mismatch.high),
                "number": "none" if high == 0 else number,
                "least": str(mismatch.low),
                "most": str(mismatch.high),
            }
    return {}


def format_types(mismatch: TypeMismatch) -> tuple[list[str], str]:
    """Return the texts of the expected types and of the actual type.

    All types are in full if their names would not show why they differ. The actual type is a bare name if the
    expected type says all. Else no type has its parameters.
    """
    expected, optional = mismatch.alternatives()
    found = mismatch.actual.normalize()
    if any(_is_detailed(kind, found) for kind in expected):
        texts, actual = [_format_full(kind) for kind in expected], _format_full(found)
    elif any(kind.hides_details_of(found) for kind in expected):
        texts, actual = [_format_full(kind) for kind in expected], found.simple_name
    else:
        texts, actual = [_format_short(kind) for kind in expected], _format_short(found)
    texts = list(dict.fromkeys(texts))
    if optional:
        texts.insert(0, "Undef")
    return texts, actual


def _format_match(mismatch: PatternMismatch) -> tuple[Type, str, bool]:
    """Return the type to match, the text of the actual value, and True if undef is expected too."""
    expected, optional = mismatch.alternatives()
    actual = mismatch.actual
    value = actual.value if isinstance(actual, StringType) else None
    return (
        make_variant(expected).normalize(),
        _format_short(actual) if value is None else f"'{value}'",
        optional,
    )


def _join_alternatives(texts: list[str]) -> str:
    return " or ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])}, or {texts[-1]}"


def _remove_alias_name(kind: Type, text: str) -> str:
    """Return the definition of an alias from a text that begins with its name: `Port = Integer`."""
    return text.removeprefix(f"{kind.name} = ") if isinstance(kind, AliasType) else text


def _is_detailed(expected: Type, actual: Type) -> bool:
    """Return True if short names would not show why the two types differ."""
    wanted = expected.resolve()
    return (
        type(wanted) is type(actual)
        or (isinstance(wanted, EnumType | PatternType) and isinstance(actual, StringType))
        or (isinstance(wanted, StructType) and isinstance(actual, HashType))
        or (
            wanted.assignable(actual.generalize())
            if type(wanted) is IterableType
            else expected.generalize().assignable(actual)
        )
    )


def _format_full(kind: Type) -> str:
    """Return the full form: aliases and a bare object type by their definitions."""
    return str(kind) if kind.shown_by_definition else to_expanded_text(kind)


def _format_short(kind: Type) -> str:
    """Return the name without parameters, but with the type in a wrapper: `Optional[Integer]`.

    An Object type without a name has none in a wrapper, either: `Type[]`.
    """
    inner = getattr(kind, "type", None)
    if isinstance(inner, Type) and inner is not ANY and kind.arguments():
        is_anonymous = isinstance(inner, ObjectType) and not inner.name
        return f"{kind.keyword}[{'' if is_anonymous else _get_bare_name(inner)}]"
    return _get_bare_name(kind)


def _get_bare_name(kind: Type) -> str:
    return kind.keyword if isinstance(kind, ResourceType | ClassType) else kind.simple_name


HOOKS.describe_mismatch = describe_mismatch
HOOKS.check = check
