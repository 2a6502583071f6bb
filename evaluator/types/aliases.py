"""Type aliases, references by name, aliases of nested data (Data, RichData), and Init."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from evaluator.issues import Failure, require
from evaluator.types import base
from evaluator.types.base import DEFAULT, UNDEF, Memo, TestCode, Type, accepts, check_type
from evaluator.types.collections import ArrayType, HashType, TupleType
from evaluator.types.scalars import NUMERIC, SCALAR, SCALAR_DATA, STRING
from evaluator.types.variants import NotUndefType, OptionalType, VariantType, make_variant
from evaluator.values import Value, format_literal, list_keys, make_key, quote_string
from evaluator.values import kind as kinds
from evaluator.values.dag import CONTAINERS, MANY, has_shared_parts, is_worth_memoizing
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError


class AliasType(Type):
    """A type alias, `type Name = Type`: another name for a type.

    Specification: "Type Aliases".

    Attributes:
        resolved: The type of the right side. It is created on first use, so that an alias may refer to itself.
        builtin: True for Data, RichData and other aliases that are printed only as their name.
    """

    __slots__ = ("_definition", "_open", "_resolved", "_resolving", "_results", "builtin", "name")
    keyword = "TypeAlias"
    composite = True
    named = True

    def __init__(self, name: str, resolved: Type | Callable[[], Any], builtin: bool = False) -> None:
        self.name = name
        self.builtin = builtin
        self._definition = resolved
        self._resolved: Type | None = resolved if isinstance(resolved, Type) else None
        self._resolving = False
        # while a value is tested: the results for its arrays and hashes by identity; `_NOTHING` if none occurs twice
        self._results: dict[int, bool] | None = None
        # for a recursive alias: the values, by identity, that are being tested
        self._open: set[int] | None = None

    @property
    def resolved(self) -> Type:
        """The type of the right side; the alias itself while that is being evaluated.

        Raises:
            Failure: The alias refers only to itself, or to an unknown type.
        """
        if self._resolved is None:
            if self._resolving:
                return self
            self._resolving = True
            try:
                self._resolved = self._define()
            finally:
                self._resolving = False
        return self._resolved

    @property
    def is_resolved(self) -> bool:
        """True if its definition has been evaluated."""
        return self._resolved is not None

    def forget(self) -> Type | None:
        """Discard the evaluated definition, unless it is sealed, and return it.

        See `State.deferred_results`.
        """
        resolved = self._resolved
        self._resolved = resolved if self.is_sealed else None
        return resolved

    def recall(self, resolved: Type | None) -> None:
        """Restore the definition that `forget` returned."""
        self._resolved = self._resolved if self.is_sealed else resolved

    def seal(self) -> None:
        """Drop the code of the evaluated definition, which refers to the program that has evaluated it."""
        assert self._resolved is not None
        self._definition = self._resolved

    @property
    def is_sealed(self) -> bool:
        """True when it refers to no program."""
        return isinstance(self._definition, Type)

    def _define(self) -> Type:
        """Return the evaluated definition. Raise Failure for one that leads only to itself."""
        try:
            assert not isinstance(self._definition, Type)
            resolved = evaluate_definition(self.name, self._definition)
        except PuppetError as error:
            if error.code != "UNKNOWN_RESOURCE_TYPE":
                raise
            raise Failure("UNRESOLVED_REFERENCE", name=error.arguments["name"]) from error
        except Failure as failure:
            # The error's place is where the alias is used.
            raise Failure(failure.code, **failure.arguments) from None
        resolved = self._remove_itself(resolved)
        require(_is_real(resolved, {self}), "UNRESOLVED_TYPE", name=self.name)
        for alias in _find_cycle(resolved, self):
            alias._open = set()
        end = resolved
        while isinstance(end, AliasType) and not end._resolving:
            end = end.resolved
        if end.keyword == "Object":
            self._check_parents(end)
        return resolved

    def _check_parents(self, defined: Type) -> None:
        """Raise Failure if the alias is an ancestor of the Object type that it defines."""
        parent = getattr(defined, "parent", None)
        while parent is not None and parent is not self:
            if isinstance(parent, AliasType):
                parent = None if parent._resolving else parent.resolved
            else:
                parent = getattr(parent, "parent", None)
        require(parent is not self, "OBJECT_INHERITS_ITSELF", name=self.name)

    def _remove_itself(self, type: Type) -> Type:
        """Return a type, or a Variant without the alias among its members."""
        if isinstance(type, VariantType) and self in type.types:
            return make_variant(member for member in type.types if member is not self)
        return type

    def to_entity(self) -> Type:
        """Return what the name refers to in a program: the alias, or the Object type that it defines.

        Raises:
            Failure: As for `resolved`.
        """
        resolved = self.resolved
        return resolved if getattr(resolved, "name", None) == self.name else self

    def parts(self) -> tuple[object, ...]:
        return (self.name, self.builtin)

    @property
    def simple_name(self) -> str:
        return self.name

    def inner(self) -> str:
        expanded = base.spelling_out
        return self.name.removeprefix(base.namespace) if expanded is None else self._expand(expanded)

    def _expand(self, open: set[str]) -> str:
        """Return the name and the definition; the name alone inside its own definition."""
        if self.builtin or self.name in open:
            return self.name.removeprefix(base.namespace)
        if self._resolving:  # until an Object type is complete, only its parts are printed
            return f"Object[{{name => {quote_string(self.name)}}}]"
        named = self.to_entity()
        if named is not self:
            return named.inner()
        open.add(self.name)
        try:
            is_member = base.namespace and self.name.startswith(base.namespace)
            return self.resolved.inner() if is_member else f"{self.name} = {self.resolved.inner()}"
        finally:
            open.discard(self.name)

    def __str__(self) -> str:
        return self.name if self.builtin else to_expanded_text(self)

    def hides_details_of(self, actual: Type) -> bool:
        return not self._resolving

    def _is_instance(self, value: Value) -> bool:
        """Return True if a value is an instance; a part that occurs many times is tested once."""
        if self._resolved is not None and self._open is not None:
            return self._is_instance_once(value, self._resolved, self._open)
        if self._resolving:  # a type that is being defined has no instances
            return False
        if type(value) not in CONTAINERS:
            return self.resolved.instance(value)
        if self._results is None:
            self._results = {} if is_worth_memoizing(value) and has_shared_parts(value) else _NOTHING
            try:
                return self.resolved.instance(value)
            finally:
                self._results = None
        if self._results is _NOTHING or not is_worth_memoizing(value):
            return self.resolved.instance(value)
        result = self._results.get(id(value))
        if result is None:
            result = self._results[id(value)] = self.resolved.instance(value)
        return result

    def _is_instance_once(self, value: Value, resolved: Type, open: set[int]) -> bool:
        """Return True if a value is an instance; False where the alias leads back to the same value."""
        if id(value) in open:
            return False
        open.add(id(value))
        try:
            return resolved.instance(value)
        finally:
            open.discard(id(value))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self._resolving:
            return False
        resolved = self.resolved
        # no result yet if a test leads back to the alias; results that depend on it are temporary
        if self._open is not None:
            memo = {**memo, (id(self), id(actual)): (False, self, actual)}
        return accepts(resolved, actual, memo)

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        return not self._resolving and accepts(expected, self.resolved, memo)

    def element_type(self) -> Type | None:
        return self.resolved.element_type()

    def iteration(self) -> Value:
        return self.resolved.iteration()

    def resolve(self) -> Type:
        resolved = self.resolved
        return self if resolved is self else resolved.resolve()


def _get_alternatives(type: Type) -> tuple[Type, ...]:
    """Return the types that a type may be replaced by: the definition of an alias, the members of a Variant."""
    if isinstance(type, AliasType):
        return () if type._resolved is None else (type._resolved,)
    if isinstance(type, OptionalType | NotUndefType):
        return () if type.type is None else (type.type,)
    return type.types if isinstance(type, VariantType) else ()


def _find_cycle(type: Type, alias: AliasType) -> set[AliasType]:
    """Return the aliases by which the definition of an alias leads back to it, the alias among them."""
    cycle: set[AliasType] = set()
    pending, seen = [type], set()
    while pending:
        member = pending.pop()
        if id(member) not in seen and _leads_to(member, alias, set()):
            seen.add(id(member))
            pending += _get_alternatives(member)
            if isinstance(member, AliasType):
                cycle.add(member)
    return cycle


def _leads_to(type: Type, alias: AliasType, seen: set[int]) -> bool:
    """Return True if a type may be replaced by an alias, as far as aliases are resolved yet."""
    if type is alias:
        return True
    if id(type) in seen:
        return False
    seen.add(id(type))
    return any(_leads_to(member, alias, seen) for member in _get_alternatives(type))


def _is_real(type: Type, seen: set[AliasType]) -> bool:
    """Return True if a type is more than Variants and aliases of the aliases `seen`."""
    if isinstance(type, VariantType):
        return any(_is_real(member, seen) for member in type.types)
    if not isinstance(type, AliasType):
        return True
    if type in seen:
        return False
    return type._resolved is None or _is_real(type._resolved, seen | {type})


_NOTHING: dict[int, bool] = {}  # the cached results of a value in which nothing repeats
_defining = ""  # see `get_name_being_defined`


def get_name_being_defined() -> str:
    """Return the name of the `type` statement that is being evaluated; "" outside of one."""
    return _defining


def evaluate_definition(name: str, make: Callable[[], Any]) -> Any:
    """Return the result of `make`, which is called while `name` is the name that is being defined."""
    global _defining
    outer, _defining = _defining, name
    try:
        return make()
    finally:
        _defining = outer


def to_expanded_text(type: Type) -> str:
    """Return the source form with the definitions of aliases: `Array[A = Integer[1, 5]]`."""
    if base.spelling_out is not None:
        return type.inner()
    base.spelling_out = set()
    try:
        return type.inner()
    finally:
        base.spelling_out = None
        base.spelled.clear()


def to_short_text(type: Type) -> str:
    """Return the source form in which every alias is its name, also while other aliases are expanded."""
    outer, base.spelling_out = base.spelling_out, None
    try:
        return str(type)
    finally:
        base.spelling_out = outer


class TypeReference(Type):
    """TypeReference['Foo']: a name that refers to no known type."""

    keyword = "TypeReference"
    text: str = "UnresolvedReference"

    def arguments(self) -> list[str]:
        return [quote_string(self.text)]

    def write_test(self, variable: str, code: TestCode) -> str:
        return "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return self == actual


# --- type parameters, `Integer[1, 5]`


def parameterize(kind: Type, arguments: list[Value], dialect: Dialect) -> Value:
    """Return `kind[arguments…]`, see `Type.apply_parameters`; an alias is replaced by its type."""
    return _resolve_alias(kind).apply_parameters(arguments, dialect)


def can_have_parameters(kind: Type) -> bool:
    """Return True if `[]` can be applied to the type."""
    return type(_resolve_alias(kind)).apply_parameters is not Type.apply_parameters


def _resolve_alias(kind: Type) -> Type:
    return kind.to_entity() if isinstance(kind, AliasType) and not kind.builtin else kind


class DataAlias(AliasType):
    """An alias of nested data, tested by a loop: values may be nested deeper than Python can call.

    Attributes:
        list_leaves: Returns the types of values that are not arrays or hashes.
        key: The type of hash keys.
    """

    __slots__ = ("key", "list_leaves")

    def __init__(self, name: str, list_leaves: Callable[[], list[Type]], key: Type) -> None:
        super().__init__(name, self._make_definition, builtin=True)
        self.list_leaves = list_leaves
        self.key = key

    def _make_definition(self) -> Type:
        return VariantType((*self.list_leaves(), HashType(self.key, self), ArrayType(self)))

    def write_test(self, variable: str, code: TestCode) -> str:
        leaf, key = VariantType(self.list_leaves()).instance, self.key.instance

        def holds(value: Value) -> bool:
            pending = [value]
            seen = set()
            visited = 0
            while pending:
                item = pending.pop()
                kind = type(item)
                if kind in CONTAINERS:
                    visited += 1
                    if visited > MANY and is_worth_memoizing(item):
                        if id(item) in seen:
                            continue
                        seen.add(id(item))
                    if kind is list:
                        pending += item
                    elif not all(map(key, list_keys(item))):
                        return False
                    else:
                        pending += item.values()
                elif not leaf(item):
                    return False
            return True

        return f"{code.bind(holds)}({variable})"


def _list_rich_leaves() -> list[Type]:
    names = ("SemVerRange", "Binary", "Sensitive", "Type", "TypeSet", "URI", "Object")
    rich = [base.HOOKS.find_builtin_type(name, PUPPET) for name in names]
    return [SCALAR, *filter(None, rich), UNDEF, DEFAULT]


RICH_DATA_KEY = AliasType("RichDataKey", VariantType((STRING, NUMERIC)), builtin=True)
DATA = DataAlias("Data", lambda: [SCALAR_DATA, UNDEF], STRING)
SPECIFIED_DATA = DataAlias("Data", lambda: [SCALAR, UNDEF], SCALAR)
RICH_DATA = DataAlias("RichData", _list_rich_leaves, RICH_DATA_KEY)


# --- Init


class InitType(Type):
    """Init[T, args…]: values that `T.new(value, args…)` accepts. A bare one takes any value.

    Without further arguments an array of all that `T.new` takes is accepted too.
    """

    __slots__ = ("__dict__", "_open", "extra", "type")
    keyword = "Init"
    instance_kind = kinds.INIT
    composite = True

    def __init__(self, type: Type | None = None, extra: tuple[Value, ...] = ()) -> None:
        self.type = type
        self.extra = extra
        self._open: set[int] = set()  # the values, by identity, that are being tested

    def parts(self) -> tuple[object, ...]:
        return (self.type, tuple(map(make_key, self.extra)))

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner(), *map(format_literal, self.extra)]

    def hides_details_of(self, actual: Type) -> bool:
        return True

    @cached_property
    def accepted_types(self) -> tuple[tuple[Type, ...], tuple[TupleType, ...]]:
        """The types of single values, and of arrays of several arguments, that `new` accepts.

        Raises:
            Failure: The type has no `new` of its own, or none that accepts the further arguments.
        """
        assert self.type is not None
        signatures = kinds.INIT.signatures(self.type)
        require(signatures is not None, "NOT_INSTANTIABLE", type=self.type)
        if not self.extra:
            single = [each for each in signatures if (each.min, each.max) == (1, 1)]
            lists = tuple(
                TupleType([parameter.type for parameter in each.parameters], (each.min, each.max))
                for each in signatures
                if each not in single
            )
            return tuple(each.parameters[0].type for each in single), lists
        accepting = [each for each in signatures if _accepts_extra(each.parameters, each.min, self.extra)]
        require(accepting, "INIT_NOT_CREATABLE", type=self, created=self.type.generalize())
        return tuple(each.parameters[0].type for each in accepting), ()

    def _is_instance(self, value: Value) -> bool:
        if self.type is None:
            return RICH_DATA.instance(value)
        if id(value) in self._open:  # T may be made from an Init[T]; a cycle accepts no value
            return False
        self._open.add(id(value))
        try:
            return self._is_accepted(self.type, value)
        finally:
            self._open.discard(id(value))

    def _is_accepted(self, type: Type, value: Value) -> bool:
        single, lists = self.accepted_types
        if type.instance(value) or any(kind.instance(value) for kind in single):
            return True
        candidates = [value, [value]] if any(kind.extent[0] == 1 for kind in lists) else [value]
        return any(kind.instance(candidate) for candidate in candidates for kind in lists)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.type is None:
            return isinstance(actual, InitType) or accepts(RICH_DATA, actual, memo)
        single, lists = self.accepted_types
        if isinstance(actual, InitType):
            return actual.type is not None and accepts(self.type, actual.type, memo)
        # The same assumption as in `_is_instance`.
        memo = {**memo, (id(self), id(actual)): (False, self, actual)}
        if accepts(self.type, actual, memo) or any(accepts(kind, actual, memo) for kind in single):
            return True
        candidates = [actual, TupleType([actual])] if any(kind.extent[0] == 1 for kind in lists) else [actual]
        return any(accepts(kind, candidate, memo) for candidate in candidates for kind in lists)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        return InitType(check_type("Init-Type", arguments[0]), tuple(arguments[1:]))


def _accepts_extra(parameters: tuple[Any, ...], least: int, extra: tuple[Value, ...]) -> bool:
    """Return True if a value and the further arguments are what the parameters take."""
    if not least <= len(extra) + 1 <= len(parameters):
        return False
    return all(
        parameter.type.instance(value) for parameter, value in zip(parameters[1:], extra, strict=False)
    )


INIT = InitType()
