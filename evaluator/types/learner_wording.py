"""Help with mismatches: how to correct a value, and why a type accepts it or does not.

An error message is followed by one line of advice (`advise`). On request, `explain_instance` explains why a value is an
instance of a type, part by part, and `explain_subtype` why a type is a subtype.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaluator.program.definitions import MISSING
from evaluator.types.algebra import format_general_type
from evaluator.types.aliases import AliasType
from evaluator.types.base import UNDEF, Type
from evaluator.types.collections import ArrayType, CollectionType, HashType, StructType, TupleType
from evaluator.types.mismatches import Mismatch, PatternMismatch, TypeMismatch, find_mismatches
from evaluator.types.puppet_wording import format_types, to_words
from evaluator.types.references import ResourceType
from evaluator.types.scalars import (
    BooleanType,
    EnumType,
    FloatType,
    IntegerType,
    NumericType,
    PatternType,
    RangeType,
    Size,
    StringType,
)
from evaluator.types.variants import NotUndefType, OptionalType, TypeType, VariantType, make_variant
from evaluator.values import Value, add_article, format_literal, iterate_items, quote_string
from lexer_parser.record import Record
from lexer_parser.source import Span


class Explanation(Record):
    """One line of an explanation, with the lines below it.

    Attributes:
        subject: Source code, or a path: `[2]`, `'port'`, `Integer`.
        holds: True if the subject matches; None if that was not decided.
        words: The reason.
        parts: The explanations of the parts that determine the answer.
        value: The value of the subject, `MISSING` if it has none.
        span: The position of the subject in the program.
    """

    subject: str
    holds: bool | None
    words: str = ""
    parts: Sequence[Explanation] = ()
    value: Value = MISSING
    span: Span | None = None


# --- advice

_MOST_CHOICES = 8  # values of an Enum that are listed
_NUMBER_TYPES: tuple[type[Type], ...] = (IntegerType, FloatType, NumericType)
_LONGEST_NAME = 40  # characters of a printed type in a note


class ExpressionSource(Record):
    """The source of an expression whose value is wrong.

    Attributes:
        source: Its text, `…` if that is too long for a sentence.
        string: The value of a string literal; None for any other expression.
    """

    source: str
    string: str | None


def find_type_mismatch(mismatches: Iterable[Mismatch]) -> TypeMismatch | None:
    """Return the first mismatch that is about types."""
    return next((mismatch for mismatch in mismatches if isinstance(mismatch, TypeMismatch)), None)


def advise(mismatch: TypeMismatch, expression: ExpressionSource) -> str | None:
    """Return how to correct a value of the wrong type, None if the types alone do not show it."""
    if isinstance(mismatch, PatternMismatch):
        return _advise_match(mismatch)
    if mismatch.actual == UNDEF:
        return "The value is undef: is the variable set, does the hash have the key?"
    expected, actual = _get_only_expected(mismatch), mismatch.actual
    for expected_class, actual_class, rule in _ADVICE:
        if isinstance(expected, expected_class) and isinstance(actual, actual_class):
            return rule(expected, expression)
    return None


def _get_only_expected(mismatch: TypeMismatch) -> Type | None:
    """Return the only expected type, for an alias its definition; None if there are several."""
    texts, _ = format_types(mismatch)
    if len(texts) != 1:
        return None
    (expected, *_), _ = mismatch.alternatives()
    return expected.resolved if isinstance(expected, AliasType) and not expected.builtin else expected


def _advise_number(expected: Value, expression: ExpressionSource) -> str:
    """Return how to write or convert a number."""
    text = expression.string
    if text is not None and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return f"Write the number without quotes: `{text}`."
    if text is not None:
        without = " without a fraction" if isinstance(expected, IntegerType) else ""
        return f"Give a number{without}; this string is not one."
    keyword = expected.keyword if isinstance(expected, RangeType) else "Integer"
    return f"Convert it: `{keyword}({expression.source})`; a number is written without quotes."


def _advise_range(expected: IntegerType, expression: ExpressionSource) -> str | None:
    """Return a sentence with the permitted range of numbers; None if it has no bounds."""
    low, high = (expected.high, expected.low) if expected.descending else (expected.low, expected.high)
    if low is None and high is None:
        return None
    if high is None:
        return f"Give a number that is {low} or more."
    return f"Give a number {'up to' if low is None else f'from {low} to'} {high}."


def _advise_length(expected: StringType, expression: ExpressionSource) -> str:
    if expected.size == (1, None):
        return "Give a string that is not empty."
    return "The string is too short or too long."


_HASH_ADVICE = "Write a hash: `{ 'key' => value }`"
_PLAIN_SCALARS = (StringType, IntegerType, FloatType, BooleanType)
_AdviceRule = Callable[[Any, ExpressionSource], "str | None"]
# The class of the expected type, that of the actual type, and a function that returns the advice from the expected type
# and the expression; the first row that matches is taken.
_ADVICE: tuple[tuple[Any, Any, _AdviceRule], ...] = (
    (_NUMBER_TYPES, StringType, _advise_number),
    (IntegerType, IntegerType, _advise_range),
    (
        IntegerType,
        FloatType,
        lambda expected, expression: (
            f"Convert it to a whole number: `Integer({expression.source})` truncates, `round(…)` rounds."
        ),
    ),
    (
        StringType,
        (IntegerType, FloatType, BooleanType),
        lambda expected, expression: f"Put it in quotes, or convert it: `String({expression.source})`.",
    ),
    (StringType, StringType, _advise_length),
    (
        BooleanType,
        StringType,
        lambda expected, expression: "Write `true` or `false` without quotes; every string counts as true.",
    ),
    (ArrayType, _PLAIN_SCALARS, lambda expected, expression: f"Put it in brackets: `[{expression.source}]`."),
    (
        (HashType, StructType),
        (TupleType, ArrayType),
        lambda expected, expression: f"{_HASH_ADVICE}; `Hash(…)` converts a list of pairs.",
    ),
    ((HashType, StructType), StringType, lambda expected, expression: f"{_HASH_ADVICE}."),
    (
        ResourceType,
        Type,
        lambda expected, expression: (
            "The type of the parameter is not a data type such as `Integer` or `String`."
        ),
    ),
    (
        TypeType,
        StringType,
        lambda expected, expression: (
            "Write the type without quotes, with a capital letter: `Integer`, `Array[String]`."
        ),
    ),
)


def expects_resource(mismatch: TypeMismatch) -> bool:
    """Return True if resources are expected, which a misspelled name of a type refers to."""
    return isinstance(_get_only_expected(mismatch), ResourceType)


def _advise_match(mismatch: PatternMismatch) -> str | None:
    """Return a sentence with the strings that match; None if the types name none."""
    members = _list_members_to_match(mismatch)
    if any(isinstance(member, EnumType) and member.values for member in members):
        return f"Give one of {_format_choices(list_choices(mismatch))}."
    if any(isinstance(member, PatternType) and member.patterns for member in members):
        return "Give a string that the pattern matches."
    return None


def _list_members_to_match(mismatch: PatternMismatch) -> list[Type]:
    """Return the Enums and Patterns that a mismatch is about, aliases by their definitions."""
    alternatives, _ = mismatch.alternatives()
    expected = make_variant(alternatives).normalize().resolve()
    if isinstance(expected, OptionalType) and expected.type is not None:
        expected = expected.type.resolve()
    members = expected.types if isinstance(expected, VariantType) else (expected,)
    return [member.resolve() for member in members]


def list_choices(mismatch: PatternMismatch) -> list[str]:
    """Return the strings that the expected Enums accept."""
    members = _list_members_to_match(mismatch)
    return [value for member in members if isinstance(member, EnumType) for value in member.values]


def _format_choices(values: list[str]) -> str:
    shown = [f"`{quote_string(value)}`" for value in values[:_MOST_CHOICES]]
    rest = ["…"] if len(values) > _MOST_CHOICES else []
    if len(shown) < 2 or rest:
        return ", ".join(shown + rest)
    return f"{', '.join(shown[:-1])} or {shown[-1]}"


def describe_actual(mismatch: TypeMismatch | None) -> str:
    """Return a note on the actual value: `this is a String`, or the value if it is a number."""
    if mismatch is None or _is_known_string(mismatch):
        return "this value"
    actual, (_, text) = mismatch.actual, format_types(mismatch)
    if isinstance(actual, RangeType) and actual.low is not None and actual.low == actual.high and "[" in text:
        return f"this is {actual.format_bound(actual.low)}"
    if len(text) > _LONGEST_NAME:
        return "this value"
    return "this is undef" if actual == UNDEF else f"this is {add_article(_PLAIN_NAMES.get(text, text))}"


def _is_known_string(mismatch: TypeMismatch) -> bool:
    """Return True if the message shows the string itself."""
    actual = mismatch.actual
    return (
        isinstance(mismatch, PatternMismatch) and isinstance(actual, StringType) and actual.value is not None
    )


_PLAIN_NAMES = {"Tuple": "Array", "Struct": "Hash"}  # the names that users know for these types


# --- a value and a type, part by part

MOST_PARTS = 10  # parts of a value that do not match and are explained
MOST_LEVELS = 12  # levels of parts within parts

# The reason, and the explanations of the parts that cause it.
Reason = tuple[str, list[Explanation]]


def explain_instance(subject: str, value: Value, expected: Type, level: int = 0) -> Explanation:
    """Explain why a value is an instance of a type or is none.

    Args:
        subject: The source of the value, or the path to it.
        value: The value.
        expected: The type.
        level: The number of enclosing values that are being explained.
    """
    holds = bool(expected.instance(value))
    explain = next(
        (each for type_class, each in _EXPLAINERS.items() if isinstance(expected, type_class)), None
    )
    if explain is None or level > MOST_LEVELS:
        return Explanation(subject, holds, _explain_scalar(value, expected, holds), value=value)
    words, parts = explain(value, expected, holds, level + 1)
    return Explanation(subject, holds, words, parts, value=value)


def _explain_scalar(value: Value, expected: Type, holds: bool) -> str:
    """Return why a value as a whole is an instance of a type, or is none."""
    if holds:
        return f"is {add_article(str(expected))}"
    if (
        isinstance(expected, IntegerType | FloatType)
        and type(value) in (int, float)
        and not expected.descending
    ):
        is_comparable = type(value) is int or isinstance(expected, FloatType)
        if is_comparable and expected.high is not None and value > expected.high:
            return f"is greater than {format_literal(expected.high)}, the maximum of {expected}"
        if is_comparable and expected.low is not None and value < expected.low:
            return f"is less than {format_literal(expected.low)}, the minimum of {expected}"
    if type(value) is str:
        if isinstance(expected, EnumType) and expected.values:
            case = " (ignoring case)" if expected.fold else ""
            return f"is none of {', '.join(map(format_literal, expected.values))}{case}"
        if isinstance(expected, PatternType) and expected.patterns:
            return f"no part of it matches {' or '.join(map(format_literal, expected.patterns))}"
        if isinstance(expected, StringType) and expected.value is None and expected.size is not None:
            return (
                f"has {_format_count(len(value), 'character')};"
                f" {_format_wanted_size(expected.size)} required by {expected}"
            )
        if isinstance(expected, StringType) and expected.value is not None:
            return f"is not {format_literal(expected.value)}"
    actual = "undef" if value is None else add_article(format_general_type(value))
    return f"is {actual}, not {add_article(str(expected))}"


def _format_count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _format_wanted_size(size: Size) -> str:
    """Return a size as the subject of "required": `exactly 2 are`."""
    low, high = size
    if high is not None and low != high:
        return f"{low:,} to {high:,} are"
    return f"{'at least' if high is None else 'exactly'} {low:,} {'is' if low == 1 else 'are'}"


def _explain_alias(value: Value, expected: AliasType, holds: bool, level: int) -> Reason:
    if expected.builtin:
        return _explain_builtin_alias(value, expected, holds, level)
    inner = explain_instance("", value, expected.resolved, level)
    return f"{expected.name} is an alias of {expected.resolved}: {inner.words}", list(inner.parts)


def _explain_builtin_alias(value: Value, expected: AliasType, holds: bool, level: int) -> Reason:
    """Explain Data and the like: an array or hash by the alternative for its class alone."""
    alternatives = getattr(expected.resolved, "types", ())
    type_class = ArrayType if type(value) is list else HashType
    of_same_class = [each for each in alternatives if isinstance(each, type_class)]
    if holds or type(value) not in (list, dict) or len(of_same_class) != 1:
        return _explain_scalar(value, expected, holds), []
    inner = explain_instance("", value, of_same_class[0], level)
    return inner.words, list(inner.parts)


def _explain_undef(value: Value, expected: OptionalType | NotUndefType, holds: bool, level: int) -> Reason:
    """Explain Optional and NotUndef, which add undef to their type or exclude it."""
    optional = isinstance(expected, OptionalType)
    if value is None:
        return f"{expected} accepts undef" if optional else f"is undef, which {expected} does not accept", []
    if expected.type is None:
        return _explain_scalar(value, expected, holds), []
    inner = explain_instance("", value, expected.type, level)
    return f"is not undef, and {inner.words}" if optional and not holds else inner.words, list(inner.parts)


def _explain_variant(value: Value, expected: VariantType, holds: bool, level: int) -> Reason:
    """Explain each alternative up to the first that matches."""
    parts: list[Explanation] = []
    for each in expected.types:
        inner = explain_instance("", value, each, level)
        parts.append(Explanation(str(each), inner.holds, inner.words, inner.parts))
        if inner.holds:
            return f"matches the alternative {each}", parts
    return f"matches none of {_format_count(len(expected.types), 'alternative')}", parts


def _explain_sequence(value: Value, expected: ArrayType | TupleType, holds: bool, level: int) -> Reason:
    if type(value) is not list or (isinstance(expected, TupleType) and not expected.types):
        return _explain_scalar(value, expected, holds), []
    elements = (
        (f"[{index}]", element, expected.at(index) if isinstance(expected, TupleType) else expected.element)
        for index, element in enumerate(value)
    )
    return _explain_elements(value, expected, holds, elements, level)


def _explain_hash(value: Value, expected: HashType, holds: bool, level: int) -> Reason:
    if type(value) is not dict:
        return _explain_scalar(value, expected, holds), []

    def keys_and_entries() -> Iterable[tuple[str, Value, Type]]:
        for key, element in iterate_items(value):
            yield "key", key, expected.key_type
            yield f"[{format_literal(key)}]", element, expected.value_type

    return _explain_elements(value, expected, holds, keys_and_entries(), level)


def _explain_elements(
    value: Value,
    expected: CollectionType,
    holds: bool,
    elements: Iterable[tuple[str, Value, Type]],
    level: int,
) -> Reason:
    """Explain the size first, then the elements that do not match.

    Args:
        value: The array or hash.
        expected: Its expected type.
        holds: True if the value is an instance.
        elements: For each part of the value its path, the part and the expected type.
        level: The number of values that enclose the parts.
    """
    low, high = expected.extent
    parts: list[Explanation] = []
    if len(value) < low or (high is not None and len(value) > high):
        words = f"has {_format_count(len(value), 'element')}; {_format_wanted_size((low, high))} required"
        parts.append(Explanation("size", False, words))
    wrong = 0
    for subject, part, part_type in elements:
        if part_type.instance(part):
            continue
        wrong += 1
        if wrong <= MOST_PARTS:
            parts.append(explain_instance(subject, part, part_type, level))
    if wrong > MOST_PARTS:
        parts.append(Explanation("…", False, f"{wrong - MOST_PARTS:,} more do not match"))
    if holds:
        return f"size and all elements match {expected}", []
    return f"is not an instance of {expected}", parts


def _explain_struct(value: Value, expected: StructType, holds: bool, level: int) -> Reason:
    """Explain missing keys, entries that do not match, and keys that are no members."""
    if type(value) is not dict or expected.any:
        return _explain_scalar(value, expected, holds), []
    entries = {key: element for key, element in iterate_items(value) if type(key) is str}
    parts: list[Explanation] = []
    for member in expected.members:
        subject = f"[{format_literal(member.name)}]"
        if member.name not in entries:
            if member.required:
                parts.append(Explanation(subject, False, f"is missing; {member} is required"))
        elif not member.type.instance(entries[member.name]):
            parts.append(explain_instance(subject, entries[member.name], member.type, level))
    names = {member.name for member in expected.members}
    extra = [key for key, _ in iterate_items(value) if type(key) is not str or key not in names]
    parts += [Explanation("key", False, "is not a member", value=key) for key in extra[:MOST_PARTS]]
    return (
        (f"keys and values match {expected}", []) if holds else (f"is not an instance of {expected}", parts)
    )


def _explain_collection(value: Value, expected: CollectionType, holds: bool, level: int) -> Reason:
    if type(value) not in (list, dict):
        return _explain_scalar(value, expected, holds), []
    return _explain_elements(value, expected, holds, (), level)


# The functions that explain a type of a class. They take the value, the expected type, True if the value is an
# instance, and the number of enclosing values.
_EXPLAINERS: dict[type[Type], Callable[[Any, Any, bool, int], Reason]] = {
    AliasType: _explain_alias,
    OptionalType: _explain_undef,
    NotUndefType: _explain_undef,
    VariantType: _explain_variant,
    TupleType: _explain_sequence,
    ArrayType: _explain_sequence,
    StructType: _explain_struct,
    HashType: _explain_hash,
    CollectionType: _explain_collection,
}

# --- types within types


def explain_subtype(narrow: Type, wide: Type, strictly: bool) -> Explanation:
    """Explain why a type is a subtype of another one or is none.

    Args:
        narrow: The type that may be a subtype.
        wide: The other type.
        strictly: True if a type is not a subtype of itself.
    """
    assignable, same = bool(wide.assignable(narrow)), narrow == wide
    holds = assignable and not (strictly and same)
    if assignable:
        words = "they are the same type" if same else f"every instance of {narrow} is an instance of {wide}"
        return Explanation("", holds, words)
    mismatches = find_mismatches(wide.normalize(), narrow.normalize(), ())[:MOST_PARTS]
    parts = [Explanation(str(each), False, to_words(each)) for each in mismatches if each.path]
    return Explanation("", False, f"{narrow} has instances that {wide} does not accept", parts)
