"""Why a value is an instance of a type or is none, part by part, and why a type lies in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.assistance.because import Because
from evaluator.types import TypeAlias, infer
from evaluator.types.base import Type
from evaluator.types.collections import ArrayType, CollectionType, HashType, StructType, TupleType
from evaluator.types.mismatch import describe
from evaluator.types.numbers import FloatType, IntegerType, Size
from evaluator.types.strings import EnumType, PatternType, StringType
from evaluator.types.variants import NotUndefType, OptionalType, VariantType
from evaluator.values import an, items, literal
from lexer_parser.dialect import PUPPET

MOST_PARTS, DEEPEST = 10, 12  # so many parts that do not fit are told of a value, and so many levels


def fit(what: str, value: Any, kind: Type, depth: int = 0) -> Because:
    """Whether a value is an instance of a type, and on which of its parts that depends."""
    holds = bool(kind.instance(value))
    explain = next((found for of, found in _EXPLAINED.items() if isinstance(kind, of)), None)
    if explain is None or depth > DEEPEST:
        return Because(what, holds, leaf(value, kind, holds), value=value)
    words, parts = explain(value, kind, holds, depth + 1)
    return Because(what, holds, words, parts, value=value)


Explained = tuple[str, list[Because]]


def leaf(value: Any, kind: Type, holds: bool) -> str:
    """Why a value fits a type that has no parts, or does not."""
    if holds:
        return f"is {an(str(kind))}"
    if isinstance(kind, IntegerType | FloatType) and type(value) in (int, float) and not kind.descending:
        right = type(value) is int or isinstance(kind, FloatType)
        if right and kind.high is not None and value > kind.high:
            return f"is above {literal(kind.high)}, the end of {kind}"
        if right and kind.low is not None and value < kind.low:
            return f"is below {literal(kind.low)}, the start of {kind}"
    if type(value) is str:
        if isinstance(kind, EnumType) and kind.values:
            ways = " in any case of its letters" if kind.fold else ""
            return f"is none of {', '.join(map(literal, kind.values))}{ways}"
        if isinstance(kind, PatternType) and kind.patterns:
            return f"nothing in it matches {' or '.join(map(literal, kind.patterns))}"
        if isinstance(kind, StringType) and kind.value is None and kind.size is not None:
            return f"has {_count(len(value), 'character')}; {_wanted(kind.size)} wanted by {kind}"
        if isinstance(kind, StringType) and kind.value is not None:
            return f"is not {literal(kind.value)}"
    return f"is {_named(value)}, not {an(str(kind))}"


def _named(value: Any) -> str:
    """What a value is, in few words."""
    return "undef" if value is None else an(str(infer(value, PUPPET).generalize()))


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _wanted(size: Size) -> str:
    low, high = size
    if high is None:
        return f"at least {low:,} {_is(low)}"
    if low == high:
        return f"exactly {low:,} {_is(low)}"
    return f"{low:,} to {high:,} are"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


# --- types with parts


def _alias(value: Any, kind: TypeAlias, holds: bool, depth: int) -> Explained:
    if kind.builtin:
        return _builtin(value, kind, holds, depth)
    inner = fit("", value, kind.resolved, depth)
    return f"{kind.name} stands for {kind.resolved}: {inner.words}", list(inner.parts)


def _builtin(value: Any, kind: TypeAlias, holds: bool, depth: int) -> Explained:
    """Data and its like: an array or hash is looked at as such, all else at once."""
    alternatives = getattr(kind.resolved, "types", ())
    wanted = ArrayType if type(value) is list else HashType
    same = [each for each in alternatives if isinstance(each, wanted)]
    if holds or type(value) not in (list, dict) or len(same) != 1:
        return leaf(value, kind, holds), []
    inner = fit("", value, same[0], depth)
    return inner.words, list(inner.parts)


def _about_undef(value: Any, kind: OptionalType | NotUndefType, holds: bool, depth: int) -> Explained:
    """What takes undef, or all but undef, beside what its type takes."""
    optional = isinstance(kind, OptionalType)
    if value is None:
        return f"{kind} takes undef" if optional else f"is undef, which {kind} does not take", []
    if kind.type is None:
        return leaf(value, kind, holds), []
    inner = fit("", value, kind.type, depth)
    return f"is not undef, and {inner.words}" if optional and not holds else inner.words, list(inner.parts)


def _variant(value: Any, kind: VariantType, holds: bool, depth: int) -> Explained:
    """Each alternative up to the one that fits."""
    parts: list[Because] = []
    for each in kind.types:
        found = fit("", value, each, depth)
        parts.append(Because(str(each), found.holds, found.words, found.parts))
        if found.holds:
            return f"fits the alternative {each}", parts
    return f"fits none of {_count(len(kind.types), 'alternative')}", parts


def _array(value: Any, kind: ArrayType, holds: bool, depth: int) -> Explained:
    if type(value) is not list:
        return leaf(value, kind, holds), []
    asked = ((f"[{index}]", element, kind.element) for index, element in enumerate(value))
    return _elements(value, kind, holds, asked, depth)


def _tuple(value: Any, kind: TupleType, holds: bool, depth: int) -> Explained:
    if type(value) is not list or not kind.types:
        return leaf(value, kind, holds), []
    last = len(kind.types) - 1
    asked = ((f"[{index}]", element, kind.types[min(index, last)]) for index, element in enumerate(value))
    return _elements(value, kind, holds, asked, depth)


def _hash(value: Any, kind: HashType, holds: bool, depth: int) -> Explained:
    if type(value) is not dict:
        return leaf(value, kind, holds), []

    def asked() -> Iterable[tuple[str, Any, Type]]:
        for key, element in items(value):
            yield "key", key, kind.key_type
            yield f"[{literal(key)}]", element, kind.value_type

    return _elements(value, kind, holds, asked(), depth)


def _elements(
    value: Any, kind: Any, holds: bool, asked: Iterable[tuple[str, Any, Type]], depth: int
) -> Explained:
    """The size first, then the elements that do not fit."""
    low, high = kind.extent
    parts: list[Because] = []
    if len(value) < low or (high is not None and len(value) > high):
        parts.append(
            Because("size", False, f"has {_count(len(value), 'element')}; {_wanted((low, high))} wanted")
        )
    wrong = 0
    for what, element, wanted in asked:
        if wanted.instance(element):
            continue
        wrong += 1
        if wrong <= MOST_PARTS:
            parts.append(fit(what, element, wanted, depth))
    if wrong > MOST_PARTS:
        parts.append(Because("…", False, f"{wrong - MOST_PARTS:,} more do not fit"))
    if holds:
        return f"size and all elements fit {kind}", []
    return f"is no {kind}", parts


def _struct(value: Any, kind: StructType, holds: bool, depth: int) -> Explained:
    if type(value) is not dict or kind.any:
        return leaf(value, kind, holds), []
    given = {key: element for key, element in items(value) if type(key) is str}
    parts: list[Because] = []
    for member in kind.members:
        if member.name not in given:
            if member.required:
                parts.append(Because(f"[{literal(member.name)}]", False, f"is missing; {member} is needed"))
        elif not member.type.instance(given[member.name]):
            parts.append(fit(f"[{literal(member.name)}]", given[member.name], member.type, depth))
    known = {member.name for member in kind.members}
    extra = [key for key, _ in items(value) if type(key) is not str or key not in known]
    parts += [Because("key", False, "is no member", value=key) for key in extra[:MOST_PARTS]]
    return (f"keys and values fit {kind}", []) if holds else (f"is no {kind}", parts)


def _sized(value: Any, kind: CollectionType, holds: bool, depth: int) -> Explained:
    if type(value) not in (list, dict):
        return leaf(value, kind, holds), []
    return _elements(value, kind, holds, (), depth)


_EXPLAINED: dict[type[Type], Callable[[Any, Any, bool, int], Explained]] = {
    TypeAlias: _alias,
    OptionalType: _about_undef,
    NotUndefType: _about_undef,
    VariantType: _variant,
    TupleType: _tuple,
    ArrayType: _array,
    StructType: _struct,
    HashType: _hash,
    CollectionType: _sized,
}


# --- types within types


def within(narrow: Type, wide: Type, strictly: bool) -> Because:
    """Whether a type lies in another one; `strictly`: and is not the same."""
    lies, same = bool(wide.assignable(narrow)), narrow == wide
    holds = lies and not (strictly and same)
    if lies:
        words = "they are the same type" if same else f"every value of {narrow} is one of {wide}"
        return Because("", holds, words)
    problems = describe(wide.normalize(), narrow.normalize(), ())[:MOST_PARTS]
    parts = [Because(" ".join(each.path), False, each.words()) for each in problems if each.path]
    return Because("", False, f"{narrow} has values that {wide} does not take", parts)
