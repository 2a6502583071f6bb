"""The base class of all types, with compiled tests of values and the comparison of types.

First come the tests: `get_predicate` compiles the source that a type writes to a `TestCode`. Then `Type`, the
comparison `accepts`, and four types without parts. Checks and errors of type parameters, which many types share, are
last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any, ClassVar

from evaluator.issues import Failure, make_error
from evaluator.limits import STRING
from evaluator.values import add_article, add_capital_article
from evaluator.values import core as values
from evaluator.values.dag import CONTAINERS, flatten_lists, is_worth_memoizing
from evaluator.values.kind import TYPE, Kind, Value
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.memo import LONGEST, MemoTable, memoize
from lexer_parser.record import Record, fresh

Test = Callable[[Any], bool]

ABSENT: Any = object()  # the value of a key that a hash does not have, in the test of a Struct


class TestCode(Record):
    """Python source of a test under construction, with the objects it refers to by name.

    Attributes:
        written: The test expressions of the types so far, by the id of the type and the name of the variable. The types
            are stored too, so that their ids are not reused.
        names: The globals of the test: bound values, whose names begin with `c`, and its functions, with `f`.
        lines: The lines of its functions.
    """

    written: dict[tuple[int, str], tuple[str, Type]] = fresh(factory=dict)
    names: dict[str, Any] = fresh(factory=dict)
    lines: list[str] = fresh(factory=list)

    def bind(self, value: Value) -> str:
        """Return a name that refers to `value` in the source."""
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name

    def write_constant(self, value: int | float | str) -> str:
        """Return source of a constant; big numbers and long strings are bound, not spelled."""
        if type(value) is int and -(10**18) < value < 10**18:
            return str(value)
        return self.bind(value)

    def write_range(self, variable: str, low: Value, high: Value) -> str:
        """Return source that tests `low <= variable <= high`, where None is no bound."""
        if low is None and high is None:
            return "True"
        if low is not None and low == high:
            return f"{variable} == {self.write_constant(low)}"
        left = "" if low is None else f"{self.write_constant(low)} <= "
        right = "" if high is None else f" <= {self.write_constant(high)}"
        return f"{left}{variable}{right}"

    def write_size_test(self, variable: str, size: tuple[int, int | None] | None) -> str:
        """Return source that tests the length of `variable`."""
        low, high = size or (0, None)
        # no length is below 0; (0, 0) is tested as one length
        return self.write_range(f"len({variable})", None if low == 0 and high != 0 else low, high)

    def define_function(self, body: list[str]) -> str:
        """Define a function of one argument `v` with these lines, and return its name."""
        name = f"f{len(self.names)}"
        self.names[name] = None  # until its lines are compiled
        self.lines += [f"def {name}(v):", *(f"    {line}" for line in body)]
        return name


def join_and(*sources: str) -> str:
    """Return the source of the conjunction of tests."""
    return _join(" and ", "True", sources)


def join_or(*sources: str) -> str:
    """Return the source of the disjunction of tests."""
    return "True" if "True" in sources else _join(" or ", "False", sources)


def _join(operator: str, neutral: str, sources: Iterable[str]) -> str:
    """Return the sources that are not `neutral`, joined by an operator."""
    parts = [source for source in sources if source != neutral]
    if len(parts) > 1:
        return f"({operator.join(parts)})"
    return parts[0] if parts else neutral


def get_predicate(type: Type) -> Test:
    """Return the test for instances of a type, compiled once for each type object."""
    try:
        return type._test
    except AttributeError:
        test = type._test = _compile(type)
        return test


_MANY_LINES = 50  # a test with more lines has nested types, so the same value may be tested many times
_LINES_AT_ONCE = 500  # lines that are compiled at once


def _memoize_functions(names: dict[str, Any]) -> None:
    """Replace the functions of a test by ones that cache results for arrays and hashes.

    The results are discarded when the outermost function returns.

    Args:
        names: The globals of the test, see `TestCode.names`.
    """
    results: dict[tuple[str, int], bool] = {}
    running: list[str] = []

    def memoize_test(name: str, test: Test) -> Test:
        def test_memoized(value: Value) -> bool:
            if type(value) not in CONTAINERS or not is_worth_memoizing(value):
                return test(value)
            key = (name, id(value))
            if key in results:
                return results[key]
            running.append(name)
            try:
                result = results[key] = test(value)
            finally:
                running.pop()
                if not running:
                    results.clear()
            return result

        return test_memoized

    for name, test in list(names.items()):
        if name.startswith("f"):  # see `TestCode.names`
            names[name] = memoize_test(name, test)


def _compile(type: Type) -> Test:
    """Return the test for instances of a type, compiled from its source."""
    code = TestCode()
    source = type.write_test("v", code)
    names = code.names
    if code.lines:
        for part in _split_functions(code.lines):
            exec(_compile_source(part, "exec"), names)
        if len(code.lines) > _MANY_LINES:
            _memoize_functions(names)
    # A test that is only a call such as `f1(v)` is the function itself.
    function = names.get(source.removesuffix("(v)"))
    test: Test = function or eval(_compile_source(f"lambda v: {source}", "eval"), names)
    return test


def _split_functions(lines: list[str]) -> Iterator[str]:
    """Yield the functions of a test in groups: Python cannot be interrupted while it compiles."""
    begin = 0
    for end, line in enumerate(lines):
        if end - begin > _LINES_AT_ONCE and line.startswith("def "):
            yield "\n".join(lines[begin:end])
            begin = end
    yield "\n".join(lines[begin:])


@memoize(2048, longest=LONGEST)
def _compile_source(text: str, mode: str) -> CodeType:
    """Return the code of a test; programs that follow one another have the same types."""
    return compile(text, "<string>", mode)


# The results of a comparison, by the ids of the expected and the actual type; the types are stored too, so that their
# ids are not reused.
Memo = dict[tuple[int, int], "tuple[bool, Type, Type]"]

# The context of printing. While aliases are expanded, the names of the aliases whose definitions enclose the current
# type; these are printed as names. None while all aliases are printed as names.
enclosing_aliases: set[str] | None = None
# The name of the TypeSet that is being printed, followed by "::"; its types are printed without it.
namespace = ""

# A type may occur many times in another one, so its printed form is cached if it is longer than `_LONG` characters,
# except where it is at most `_GROWTH` times as long as that of one parameter, because that one is cached already.
_LONG = 200
_GROWTH = 1.5
# The printed forms in a context, by the id of the type and the context; those without one are in `_text`.
expanded_texts: MemoTable[Any, str] = MemoTable("texts of types", unbounded_because="emptied after each text")


class _CachedForms:
    """Slots for the results of methods and of `get_predicate`, each set on first use."""

    __slots__ = ("_general", "_hash", "_identity", "_normal", "_test", "_text")

    _general: Type
    _hash: int
    _identity: tuple[Any, ...]
    _normal: Type
    _test: Test
    _text: str


class Type(_CachedForms, Record):
    """A Puppet type. Types are immutable; two are equal if their structure is.

    Attributes:
        keyword: The name in source code.
        composite: True if it contains other types. In a comparison, each pair of such types is compared only once.
        kind: The kind of value that a type itself is.
        instance_kind: The kind of value whose `new` creates the instances; None if there is none.
        named: True for aliases and Object types: their own name is expanded when they are printed in full.
        shown_by_definition: True for Object types without parameters: `str` returns their definition.
    """

    keyword: ClassVar[str] = "Any"
    composite: ClassVar[bool] = False
    kind: ClassVar[Kind] = TYPE
    instance_kind: ClassVar[Kind | None] = None
    named: ClassVar[bool] = False
    shown_by_definition: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Cache the results of methods that walk all parts, as a type may occur often in another."""
        if cls.composite:
            for name, slot in (("generalize", "_general"), ("normalize", "_normal")):
                # A class that defines neither the method nor `map_types` inherits a method that caches already.
                if name in vars(cls) or "map_types" in vars(cls):
                    setattr(cls, name, _cache_in_slot(getattr(cls, name), slot))
            if "write_test" in vars(cls):
                setattr(cls, "write_test", _memoize_source(vars(cls)["write_test"]))  # noqa: B010

    # --- identity

    def parts(self) -> tuple[object, ...]:
        """Return what distinguishes the type from others of its class, hashable and in order."""
        return tuple([getattr(self, field) for field in type(self).record_fields])

    @property
    def identity(self) -> tuple[object, ...]:
        """The class and the parts: one tuple for equal types after their first comparison."""
        try:
            return self._identity
        except AttributeError:
            self._identity = (type(self), *self.parts())
            return self._identity

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Type) or hash(self) != hash(other):
            return False
        if self.identity is other.identity:
            return True
        if self.identity == other.identity:
            other._identity = self.identity
            return True
        return False

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(self.identity)
            return self._hash

    # --- the printed form

    def arguments(self) -> list[str]:
        """Return the parameters as source; empty for a bare type."""
        return []

    def inner(self) -> str:
        """Return the source form inside another type, in which aliases and objects are names."""
        if enclosing_aliases is None and not namespace:
            context_key = None
            cached: str | None = getattr(self, "_text", None)
        else:
            aliases = None if enclosing_aliases is None else frozenset(enclosing_aliases)
            context_key = (id(self), namespace, aliases)
            cached = expanded_texts.get(context_key)
        if cached is not None:
            return cached
        arguments = self.arguments()
        if not arguments:
            return self.keyword
        lengths = list(map(len, arguments))
        length = sum(lengths)
        STRING.check(length)
        rest = [piece for argument in arguments[1:] for piece in (", ", argument)]
        text = "".join([self.keyword, "[", arguments[0], *rest, "]"])  # joined once: they may be long
        if length > _LONG and length > max(lengths) * _GROWTH:
            if context_key is None:
                self._text = text
            else:
                expanded_texts[context_key] = text
        return text

    def __str__(self) -> str:
        return self.inner()

    def __repr__(self) -> str:
        return f"<{self.inner()}>"

    @property
    def simple_name(self) -> str:
        """The name without parameters."""
        return self.keyword

    def message_label(self) -> str:
        """Return the name in messages: `Integer-Type`."""
        return f"{self}-Type"

    def ruby_class(self) -> str:
        """Return the name of its class in the released implementation."""
        return f"Puppet::Pops::Types::P{self.keyword}Type"

    def hides_details_of(self, actual: Type) -> bool:
        """Return True if messages print `actual` without parameters beside this type in full."""
        return False

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        """Return `self[arguments…]`: a type, several for several titles, undef for `File[undef]`.

        Raises:
            PuppetError: Wrong arguments. `operand` is 0 for the whole or 1 + the index of an argument.
            Failure: The released Puppet reports this error as a failure of the `[]` expression.
        """
        raise make_error(
            "OPERATOR_NOT_APPLICABLE", operand=0, operator="[]", left=add_article(f"{self}-Type")
        )

    def take_parameters(
        self,
        arguments: list[Value],
        least: int = 1,
        most: int | None = 1,
        label: str | None = None,
        operand: int = 0,
    ) -> list[Value]:
        """Return the parameters, with those inside arrays, if their number is permitted.

        Args:
            arguments: The parameters.
            least: The least number of parameters.
            most: The greatest number of parameters, None for no limit.
            label: The name of the type in the message.
            operand: The operand that an error points at, see `apply_parameters`.

        Raises:
            PuppetError: There are too few or too many.
        """
        parameters = flatten_lists(arguments)
        if len(parameters) < least or (most is not None and len(parameters) > most):
            label = label or add_capital_article(f"{self}-Type")
            raise make_arity_error(label, _describe_number(least, most), len(parameters), operand)
        return parameters

    def check_parameters_are(
        self, classes: type | tuple[type, ...], parameters: Iterable[Value], expected: str
    ) -> None:
        """Raise an error for a parameter of no such Python class; `expected` names the types."""
        for operand, parameter in enumerate(parameters, 1):
            if not isinstance(parameter, classes):
                raise make_usage_error(f"{self}-Type", parameter, expected, operand)

    # --- instances: a type overrides one of the first two methods, and `instance` runs it

    def write_test(self, variable: str, code: TestCode) -> str:
        """Return Python source, an expression, that tests whether `variable` is an instance."""
        return f"{code.bind(self._test_value)}({variable})"

    def _test_value(self, value: Value) -> bool:
        """Return True for an instance; for types whose test is not written as source."""
        raise NotImplementedError

    def instance(self, value: Value) -> bool:
        """Return True if the value is an instance of this type."""
        return get_predicate(self)(value)

    def iteration(self) -> Iterable[Value] | None:
        """Return the values of a finite type such as an Integer range or an Enum, else None."""
        return None

    def element_type(self) -> Type | None:
        """Return the type of what iteration over an instance yields; None if it has none."""
        return None

    # --- relations

    def assignable(self, other: Type) -> bool:
        """Return True if every instance of `other` is one of this type."""
        return self == other or accepts(self, other, {})

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        """Return `self.assignable(actual)` for a type that is no Variant, Optional, alias or Unit.

        `accepted_by` handles those.
        """
        return isinstance(actual, type(self))

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        """Return `expected.assignable(self)`; types that are replaced by others override it."""
        return expected.accepts_type(self, memo)

    # --- related types

    def resolve(self) -> Type:
        """Return the definition of an alias, and any other type as it is."""
        return self

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        """Return the type with the result of `change` in place of each type that it contains."""
        return self

    def generalize(self) -> Type:
        """Return the type without value and size parameters."""
        return self.map_types(lambda type: type.generalize())

    def normalize(self) -> Type:
        """Return an equivalent type in a simpler form."""
        return self.map_types(lambda type: type.normalize())


def _cache_in_slot(make: Callable[[Type], Type], slot: str) -> Callable[[Type], Type]:
    """Return a method that stores its result in a slot."""

    def method(self: Type) -> Type:
        try:
            result: Type = getattr(self, slot)
        except AttributeError:
            result = make(self)
            setattr(self, slot, result)
        return result

    return method


def _memoize_source(write: Callable[[Type, str, TestCode], str]) -> Callable[[Type, str, TestCode], str]:
    """Return a method `write_test` that stores its result for each type and variable."""

    def method(self: Type, variable: str, code: TestCode) -> str:
        key = (id(self), variable)
        if key not in code.written:
            code.written[key] = write(self, variable, code), self
        return code.written[key][0]

    return method


def accepts(expected: Type, actual: Type, memo: Memo) -> bool:
    """Return True if `expected` accepts `actual`.

    A recursive alias leads back to a pair that is being compared; that is assumed to be accepted.

    Args:
        expected: The wider type.
        actual: The narrower type.
        memo: The results of this comparison so far, so that each pair is compared only once.
    """
    if expected is actual:
        return True
    if not (expected.composite or actual.composite):
        return actual.accepted_by(expected, memo)
    pair = (id(expected), id(actual))
    entry = memo.get(pair)
    if entry is not None:
        return entry[0]
    memo[pair] = (True, expected, actual)
    result = actual.accepted_by(expected, memo)
    memo[pair] = (result, expected, actual)
    return result


def accepts_undef(type: Type) -> bool:
    """Return True if undef is an instance."""
    # `accepts` first: `instance` would compile the test of the type.
    return accepts(type, UNDEF, {}) and type.instance(None)


class Hooks:
    """Functions that types call although their modules import all types.

    These modules install the functions here when they are imported.
    """

    infer: Callable[[Any, Dialect], Type]
    to_type: Callable[[Value], Type]
    unite_all: Callable[[Iterable[Type], Dialect], Type]
    describe_mismatch: Callable[[str, Type, Any], str]
    check: Callable[[str, Type, Any], None]
    find_builtin_type: Callable[[str, Dialect], Type | None]
    define_object_type: Callable[[list[Any]], Type]
    define_type_set: Callable[[list[Any]], Type]


HOOKS = Hooks()


class AnyType(Type):
    """Any: every value."""

    keyword = "Any"

    def write_test(self, variable: str, code: TestCode) -> str:
        return "True"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return True


class UnitType(AnyType):
    """Unit: the element type of an empty array. Every type accepts it, none can name it."""

    keyword = "Unit"

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        return True


class UndefType(Type):
    """Undef: the value undef."""

    keyword = "Undef"

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{variable} is None"


class DefaultType(Type):
    """Default: the value default."""

    keyword = "Default"

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{variable} is {code.bind(values.DEFAULT)}"


ANY = AnyType()
UNIT = UnitType()
UNDEF = UndefType()
DEFAULT = DefaultType()


# --- checks of type parameters


def to_bound(value: Value) -> Value:
    """Return an end of a range, where `default` is None."""
    return None if value is values.DEFAULT else value


def is_bound(value: Value) -> bool:
    """Return True for an end of a range: an integer or `default`."""
    return type(value) is int or value is values.DEFAULT


def make_arity_error(type_label: str, expected: str, actual: int, operand: int = 0) -> PuppetError:
    """Return the error of a wrong number of type parameters."""
    return make_error(
        "BAD_TYPE_SLICE_ARITY", operand=operand, type=type_label, expected=expected, actual=actual
    )


def _describe_number(least: int, most: int | None) -> str:
    """Return the number of type parameters that is expected, in words."""
    if most is None:
        return f"{least} or more arguments"
    return "1 argument" if least == most == 1 else f"{least} to {most} arguments"


def check_type(label: str, argument: Value, operand: int = 1) -> Type:
    """Return the argument, which must be a type."""
    if not isinstance(argument, Type) or not values.is_type(argument):
        raise make_error("BAD_TYPE_SLICE_TYPE", operand=operand, type=label, actual=get_ruby_class(argument))
    return argument


# --- errors of type parameters


def make_no_entry_failure(type: Any) -> Failure:
    """Return the failure of a type where a reference to a resource or class is needed."""
    return Failure("NO_CATALOG_ENTRY", actual=get_ruby_class(type))


def make_usage_error(type_label: str, value: Value, expected: str, operand: int | None) -> PuppetError:
    """Return the error of a wrong parameter: `Cannot use Integer where String is expected`."""
    return make_error(
        "BAD_TYPE_SPECIALIZATION",
        operand=operand,
        type=add_article(type_label),
        message=f"Cannot use {HOOKS.infer(value, PUPPET).generalize()} where {expected} is expected",
    )
