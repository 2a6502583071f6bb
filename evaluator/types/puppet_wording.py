"""Mismatches in the words of the released Puppet: the texts of its error messages.

Errors are raised with a reason (`describe_mismatch`), and with arguments that contain the mismatches, from which
`learner_wording` makes help.
"""

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
    """Return why a value is no instance: `assert_type(): expects an Integer, got String`.

    Each of several reasons is on a line of its own that begins with the subject. "" if nothing is wrong.
    """
    return join_sentences(find_value_mismatches(subject, expected, value))


def join_sentences(mismatches: Sequence[Mismatch]) -> str:
    """Return the sentences of mismatches, each on a line of its own if there are several."""
    texts = list(map(to_sentence, mismatches))
    return texts[0] if len(texts) == 1 else "\n ".join(f" {text}" for text in texts)


def describe_as_arguments(subject: str, expected: Type, value: Value) -> dict[str, Any]:
    """Return the arguments of an error with the template `{reason}` about a value."""
    mismatches = find_value_mismatches(subject, expected, value)
    return {"subject": subject, "reason": join_sentences(mismatches), **to_arguments(mismatches)}


def to_arguments(mismatches: Sequence[Mismatch]) -> dict[str, Any]:
    """Return the arguments of an error that reports mismatches.

    They are the mismatches and the words of the first that has some, see `to_message_arguments`.
    """
    words = next(filter(None, map(to_message_arguments, mismatches)), {})
    return {"mismatches": tuple(mismatches), **words}


def check(
    subject: str,
    expected: Type,
    value: Value,
    code: str = "WRONG_TYPE",
    make_exception: Callable[..., Exception] = Failure,
    **others: str,
) -> None:
    """Raise an error, `<subject> has wrong type, expects …`, if the value is no instance.

    Args:
        subject: What has the type.
        expected: The type.
        value: The value.
        code: The code of the issue.
        make_exception: Failure, or `make_error` for an error without the label of the call.
        **others: Further values for the placeholders of the template.
    """
    if not expected.instance(value):
        raise make_exception(
            code, **others, **describe_as_arguments(f"{subject} has wrong type,", expected, value)
        )


# --- one mismatch


def to_sentence(mismatch: Mismatch) -> str:
    """Return the path of a mismatch and what is wrong there."""
    return " ".join((*mismatch.path, to_words(mismatch)))


def to_words(mismatch: Mismatch) -> str:
    """Return what is wrong: `expects an Integer value, got String`."""
    match mismatch:
        case PatternMismatch():
            expected, actual, accepts_undef = _format_match(mismatch)
            undef = "an undef value or " if accepts_undef else ""
            return f"expects {undef}a match for {to_expanded_text(expected)}, got {actual}"
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
    """Return the words of a mismatch, by the names of placeholders in templates.

    Returns:
        `expected` and `actual` of types, and `match` if the words ask for a match of `expected`; `expected`, `number`,
        `least` and `most` of numbers of arguments; nothing of other mismatches.
    """
    match mismatch:
        case PatternMismatch():
            expected, actual, _ = _format_match(mismatch)
            text = to_expanded_text(expected)
            return {"expected": _remove_alias_name(expected, text), "actual": actual, "match": text}
        case TypeMismatch():
            texts, actual = format_types(mismatch)
            text = _remove_alias_name(mismatch.expected[0], _join_alternatives(texts))
            return {"expected": text, "actual": actual}
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
    expected types in full say all. Else no type has its parameters.
    """
    expected, accepts_undef = mismatch.alternatives()
    actual = mismatch.actual.normalize()
    if any(_needs_details(each, actual) for each in expected):
        texts, actual_text = [_format_full(each) for each in expected], _format_full(actual)
    elif any(each.hides_details_of(actual) for each in expected):
        texts, actual_text = [_format_full(each) for each in expected], actual.simple_name
    else:
        texts, actual_text = [_format_short(each) for each in expected], _format_short(actual)
    texts = list(dict.fromkeys(texts))
    if accepts_undef:
        texts.insert(0, "Undef")
    return texts, actual_text


def _format_match(mismatch: PatternMismatch) -> tuple[Type, str, bool]:
    """Return the expected type, the text of the actual value, and True if undef is accepted."""
    expected, accepts_undef = mismatch.alternatives()
    actual = mismatch.actual
    value = actual.value if isinstance(actual, StringType) else None
    return (
        make_variant(expected).normalize(),
        _format_short(actual) if value is None else f"'{value}'",
        accepts_undef,
    )


def _join_alternatives(texts: list[str]) -> str:
    return " or ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])}, or {texts[-1]}"


def _remove_alias_name(type: Type, text: str) -> str:
    """Return `Integer` for the text `Port = Integer` of an alias, and any other text as it is."""
    return text.removeprefix(f"{type.name} = ") if isinstance(type, AliasType) else text


def _needs_details(expected: Type, actual: Type) -> bool:
    """Return True if short names would not show why the two types differ."""
    resolved = expected.resolve()
    if type(resolved) is IterableType:
        return resolved.assignable(actual.generalize())
    return (
        type(resolved) is type(actual)
        or (isinstance(resolved, EnumType | PatternType) and isinstance(actual, StringType))
        or (isinstance(resolved, StructType) and isinstance(actual, HashType))
        or expected.generalize().assignable(actual)
    )


def _format_full(type: Type) -> str:
    """Return the form with the definitions of aliases and of a lone Object type."""
    return str(type) if type.shown_by_definition else to_expanded_text(type)


def _format_short(type: Type) -> str:
    """Return the name without parameters, but with the one type in it: `Optional[Integer]`.

    Of an Object type without a name nothing is in the brackets: `Type[]`.
    """
    inner = getattr(type, "type", None)
    if isinstance(inner, Type) and inner is not ANY and type.arguments():
        is_anonymous = isinstance(inner, ObjectType) and not inner.name
        return f"{type.keyword}[{'' if is_anonymous else _get_bare_name(inner)}]"
    return _get_bare_name(type)


def _get_bare_name(type: Type) -> str:
    return type.keyword if isinstance(type, ResourceType | ClassType) else type.simple_name


HOOKS.describe_mismatch = describe_mismatch
HOOKS.check = check
