"""The kinds of mismatch, and their words. A problem knows where it is (`path`) and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.types.aliases import TypeAlias, expanded
from evaluator.types.base import ANY, UNDEF, Type
from evaluator.types.callables import wanted_words
from evaluator.types.collections import ArrayType, HashType, StructType
from evaluator.types.references import ClassType, ResourceType
from evaluator.types.strings import EnumType, PatternType, StringType
from evaluator.types.variants import IterableType, OptionalType, VariantType, variant
from evaluator.values.printing import an

Path = tuple[str, ...]


class Step(str):
    """A step of a path into a value, in words; `into` is the index or key of the part, None for a key of a hash."""

    into: int | str | None

    def __new__(cls, words: str, into: int | str | None = None) -> Step:
        self = super().__new__(cls, words)
        self.into = into
        return self


class Reason(str):
    """Why something does not fit, in words; "" when it does.

    told  what its words are made of, by name, as far as it is known: `expected`, `actual`, `number`, and `match`
          where the words ask for a match of `expected`
    steps the way to the part of the value that the first words are about
    """

    told: dict[str, str]
    steps: tuple[Step, ...]

    def __new__(cls, text: str, problems: Sequence[Problem] = ()) -> Reason:
        self = super().__new__(cls, text)
        self.told = next(filter(None, (problem.told() for problem in problems)), {})
        self.steps = tuple(step for step in problems[0].path if isinstance(step, Step)) if problems else ()
        return self


class Problem:
    """A mismatch at a path, whose steps are a `Step`, or texts such as `variant 0`."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def place(self) -> Path:
        """The path without the steps that only choose between alternatives."""
        return tuple(step for step in self.path if not step.startswith("variant "))

    def words(self) -> str:
        """What is wrong."""
        raise NotImplementedError

    def told(self) -> dict[str, str]:
        """What its words are made of, by name: `expected`, `actual`, `match`, of numbers `number`, `least`, `most`."""
        return {}

    def merge(self, other: Any) -> Problem:
        """One problem for two alternatives that fail at the same place."""
        return self

    def text(self) -> Reason:
        """Place and words."""
        return Reason(" ".join((*self.path, self.words())), (self,))


class UnexpectedBlock(Problem):
    """A block is given where none is taken."""

    __slots__ = ()

    def words(self) -> str:
        return "does not expect a block"


class MissingBlock(Problem):
    """No block is given where one is needed."""

    __slots__ = ()

    def words(self) -> str:
        return "expects a block"


class KeyProblem(Problem):
    """A problem of a name."""

    __slots__ = ("name",)

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(path)
        self.name = name


class MissingKey(KeyProblem):
    """A key that a Struct requires."""

    __slots__ = ()

    def words(self) -> str:
        return f"expects a value for key '{self.name}'"


class ExtraKey(KeyProblem):
    """A key that a Struct does not have."""

    __slots__ = ()

    def words(self) -> str:
        return f"unrecognized key '{self.name}'"


class MissingParameter(KeyProblem):
    """A parameter of a class or define that has no value."""

    __slots__ = ()

    def words(self) -> str:
        return f"expects a value for parameter '{self.name}'"


class InvalidParameter(KeyProblem):
    """A parameter that a class or define does not have."""

    __slots__ = ()

    def words(self) -> str:
        return f"has no parameter named '{self.name}'"


class UnresolvedReference(KeyProblem):
    """A type that does not exist."""

    __slots__ = ()

    def words(self) -> str:
        return f"references an unresolved type '{self.name}'"


class SizeMismatch(Problem):
    """A collection of the wrong size."""

    __slots__ = ("actual", "high", "low")

    def __init__(self, path: Path, low: int, high: int | None, actual: tuple[int, int | None]) -> None:
        super().__init__(path)
        self.low = low
        self.high = high
        self.actual = actual

    def merge(self, other: Any) -> Problem:
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return type(self)(self.path, min(self.low, other.low), high, self.actual)

    def words(self) -> str:
        return f"expects size to be {_range_words(self.low, self.high)}, got {_range_words(*self.actual)}"


class CountMismatch(SizeMismatch):
    """A call, or a block, with the wrong number of arguments."""

    __slots__ = ()

    def told(self) -> dict[str, str]:
        low, high = self.actual
        given = "unlimited" if (low, high) == (0, None) else _range_words(low, high)
        return {
            "expected": wanted_words(self.low, self.high),
            "number": "none" if high == 0 else given,
            "least": str(self.low),
            "most": str(self.high),
        }

    def words(self) -> str:
        return "expects {expected}, got {number}".format_map(self.told())


def _range_words(low: int, high: int | None) -> str:
    if low == high:
        return str(low)
    if high is None:
        return f"at least {low}"
    return f"at most {high}" if low == 0 else f"between {low} and {high}"


class TypeMismatch(Problem):
    """A value of the wrong type; `expected` holds the types of all alternatives."""

    __slots__ = ("actual", "expected")

    def __init__(self, path: Path, expected: Type | Sequence[Type], actual: Type) -> None:
        super().__init__(path)
        self.actual = actual
        self.expected: tuple[Type, ...] = (expected,) if isinstance(expected, Type) else tuple(expected)

    def merge(self, other: Any) -> Problem:
        expected = dict.fromkeys((*self.expected, *other.expected))
        # One normalization may leave ranges of integers apart that the next one joins: each merge is one, but for
        # that with undef, which only makes the other side optional.
        apart = (UNDEF,) in (self.expected, other.expected)
        return type(self)(self.path, tuple(expected), self.actual if apart else self.actual.normalize())

    def _alternatives(self) -> tuple[list[Type], bool]:
        """The expected types, without an Optional around them, and whether undef is expected too."""
        found: list[Type] = []
        optional = False
        for kind in self.expected:
            if isinstance(kind, OptionalType) and kind.type is not None:
                optional, kind = True, kind.type
            found += kind.types if isinstance(kind, VariantType) and kind.types else [kind]
        return found, optional

    def _texts(self) -> tuple[list[str], str]:
        """The expected types, and the actual one.

        In full where short names would not tell why they do not fit; the actual one by its bare name where the
        expected one says all; else all without parameters.
        """
        expected, optional = self._alternatives()
        if any(is_detailed(kind, self.actual) for kind in expected):
            texts, actual = [spelled(kind) for kind in expected], spelled(self.actual)
        elif any(kind.hides(self.actual) for kind in expected):
            texts = [
                spelled(kind) if kind.arguments() or kind.named else kind.simple_name for kind in expected
            ]
            actual = self.actual.simple_name
        else:
            texts = [short(kind) for kind in expected]
            actual = short(self.actual)
        texts = list(dict.fromkeys(texts))
        if optional:
            texts.insert(0, "Undef")
        return texts, actual

    def words(self) -> str:
        texts, actual = self._texts()
        if len(texts) == 1:
            return f"expects {an(texts[0])} value, got {actual}"
        return f"expects a value of type {_joined(texts)}, got {actual}"

    def told(self) -> dict[str, str]:
        texts, actual = self._texts()
        return {"expected": _unnamed(self.expected[0], _joined(texts)), "actual": actual}


class PatternMismatch(TypeMismatch):
    """A value that is none of an Enum, or that a Pattern does not match."""

    __slots__ = ()

    def _match(self) -> tuple[Type, str, bool]:
        """What is to be matched, what was given, and whether undef is expected too."""
        expected, optional = self._alternatives()
        actual = self.actual
        value = actual.value if isinstance(actual, StringType) else None
        return variant(expected).normalize(), short(actual) if value is None else f"'{value}'", optional

    def words(self) -> str:
        wanted, actual, optional = self._match()
        return (
            f"expects {'an undef value or ' if optional else ''}a match for {expanded(wanted)}, got {actual}"
        )

    def told(self) -> dict[str, str]:
        wanted, actual, _ = self._match()
        text = expanded(wanted)
        return {"expected": _unnamed(wanted, text), "actual": actual, "match": text}


def _joined(texts: list[str]) -> str:
    return " or ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])}, or {texts[-1]}"


def _unnamed(kind: Type, text: str) -> str:
    """What an alias stands for, of a text that begins with its name: `Port = Integer`."""
    return text.removeprefix(f"{kind.name} = ") if isinstance(kind, TypeAlias) else text


def is_detailed(expected: Type, actual: Type) -> bool:
    """True when short names would not tell why the two do not fit."""
    wanted = expected.resolve()
    return (
        type(wanted) is type(actual)
        or (isinstance(wanted, EnumType | PatternType) and isinstance(actual, StringType))
        or (isinstance(wanted, StructType) and isinstance(actual, HashType))
        or (type(wanted) is not IterableType and expected.generalize().assignable(actual))
    )


def spelled(kind: Type) -> str:
    """The full form: aliases and a bare object type by their definitions."""
    return str(kind) if kind.by_definition else expanded(kind)


def short(kind: Type) -> str:
    """The name without parameters, but with what a wrapper holds: `Optional[Integer]` of `Optional[Integer[1, 9]]`."""
    inner = getattr(kind, "type", None)
    if isinstance(inner, Type) and inner is not ANY and kind.arguments():
        return f"{kind.keyword}[{_plain(inner)}]"
    return _plain(kind)


def _plain(kind: Type) -> str:
    return kind.keyword if isinstance(kind, ResourceType | ClassType) else kind.simple_name


def sizeless(kind: Type) -> Type:
    """An Array or Hash without its size."""
    if isinstance(kind, ArrayType):
        return ArrayType(kind.element, bare=kind.element is ANY)
    return HashType(kind.key_type, kind.value_type) if isinstance(kind, HashType) else kind
