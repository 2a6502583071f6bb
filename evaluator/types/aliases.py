"""Type aliases, references by name, type parameters, nested data, and Init, in this order.

The definition of an alias may contain the alias. So a definition is evaluated on first use, which finds the aliases
that lead back to themselves, and tests and comparisons stop where they lead back to the same value or pair of types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from evaluator.issues import Failure, require
from evaluator.types import base
from evaluator.types.base import DEFAULT, UNDEF, Memo, Test, TestCode, Type, accepts, check_type
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

    __slots__ = (
        "_definition",
        "_is_testing",
        "_resolved",
        "_resolving",
        "_results",
        "_values_in_test",
        "builtin",
        "name",
    )
    keyword = "TypeAlias"
    composite = True
    named = True

    def __init__(self, name: str, resolved: Type | Callable[[], Any], builtin: bool = False) -> None:
        self.name = name
        self.builtin = builtin
        self._definition = resolved
        self._resolved: Type | None = resolved if isinstance(resolved, Type) else None
        self._resolving = False
        self._is_testing = False  # True while an array or hash is tested
        # The results for the arrays and hashes in that value, by id; None if none of them occurs twice.
        self._results: dict[int, bool] | None = None
        # for an alias that leads back to itself through aliases and Variants alone: the ids of the values being tested
        self._values_in_test: set[int] | None = None

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

        A rollback of the program's state calls it, see `State.deferred_results`.
        """
        resolved = self._resolved
        self._resolved = resolved if self.is_sealed else None
        return resolved

    def recall(self, resolved: Type | None) -> None:
        """Restore the definition that `forget` returned, when the rollback is undone."""
        self._resolved = self._resolved if self.is_sealed else resolved

    def seal(self) -> None:
        """Discard the code of the definition, so that other programs can use the alias."""
        assert self._resolved is not None
        self._definition = self._resolved

    @property
    def is_sealed(self) -> bool:
        """True if there is no code left that refers to the program that has evaluated it."""
        return isinstance(self._definition, Type)

    def _define(self) -> Type:
        """Return the evaluated definition. Raise Failure for one that refers only to itself."""
        try:
            assert not isinstance(self._definition, Type)
            resolved = evaluate_definition(self.name, self._definition)
        except PuppetError as error:
            if error.code != "UNKNOWN_RESOURCE_TYPE":
                raise
            raise Failure("UNRESOLVED_REFERENCE", name=error.arguments["name"]) from error
        except Failure as failure:
            # Without the position of the definition: the error points at the use of the alias.
            raise Failure(failure.code, **failure.arguments) from None
        resolved = self._remove_itself(resolved)
        require(_has_real_type(resolved, {self}), "UNRESOLVED_TYPE", name=self.name)
        for alias in _find_cycle(resolved, self):
            alias._values_in_test = set()  # see `__init__`
        defined = resolved
        while isinstance(defined, AliasType) and not defined._resolving:
            defined = defined.resolved
        if defined.keyword == "Object":
            self._check_parents(defined)
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
        """Return a type; of a Variant that contains the alias itself, one of the other members."""
        if isinstance(type, VariantType) and self in type.types:
            return make_variant(member for member in type.types if member is not self)
        return type

    def to_entity(self) -> Type:
        """Return what the name means in a program: the alias, or an Object type that it defines.

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
        # `base` has the context of printing; inside a TypeSet, its members lose its name
        enclosing = base.enclosing_aliases
        return self.name.removeprefix(base.namespace) if enclosing is None else self._expand(enclosing)

    def _expand(self, enclosing: set[str]) -> str:
        """Return the name and the definition; the name alone inside its own definition.

        Args:
            enclosing: The names of the aliases inside whose definitions this one is printed.
        """
        if self.builtin or self.name in enclosing:
            return self.name.removeprefix(base.namespace)
        if self._resolving:  # until an Object type is complete, only its parts are printed
            return f"Object[{{name => {quote_string(self.name)}}}]"
        entity = self.to_entity()
        if entity is not self:  # an Object type of that name
            return entity.inner()
        enclosing.add(self.name)
        try:
            is_member = base.namespace and self.name.startswith(base.namespace)
            return self.resolved.inner() if is_member else f"{self.name} = {self.resolved.inner()}"
        finally:
            enclosing.discard(self.name)

    def __str__(self) -> str:
        return self.name if self.builtin else to_expanded_text(self)

    def hides_details_of(self, actual: Type) -> bool:
        return not self._resolving

    def _test_value(self, value: Value) -> bool:
        if self._resolving:  # a type that is being defined has no instances
            return False
        definition = self.resolved
        if self._values_in_test is not None:
            return test_outside_cycle(value, definition.instance, self._values_in_test)
        if type(value) in CONTAINERS:
            return self._is_container_instance(value, definition)
        return definition.instance(value)

    def _is_container_instance(self, value: Value, definition: Type) -> bool:
        """Return True if an array or hash is an instance; parts that occur often are tested once.

        The test of the outermost value makes the table of results and discards it.
        """
        if not self._is_testing:
            try:
                self._is_testing = True
                self._results = {} if is_worth_memoizing(value) and has_shared_parts(value) else None
                return definition.instance(value)
            finally:
                self._is_testing, self._results = False, None
        if self._results is None or not is_worth_memoizing(value):
            return definition.instance(value)
        result = self._results.get(id(value))
        if result is None:
            result = self._results[id(value)] = definition.instance(value)
        return result

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self._resolving:
            return False
        resolved = self.resolved
        # In a cycle of aliases the result is False where the comparison leads back to this one, as in `_test_value`.
        # Results of other types that depend on that are in a copy of the memo, which is discarded.
        if self._values_in_test is not None:
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


def test_outside_cycle(value: Value, test: Test, values_in_test: set[int]) -> bool:
    """Return the result of a test; False where the test leads back to the same value.

    Args:
        value: The value.
        test: The test.
        values_in_test: The ids of the values that are being tested.
    """
    if id(value) in values_in_test:
        return False
    values_in_test.add(id(value))
    try:
        return test(value)
    finally:
        values_in_test.discard(id(value))


def _get_alternatives(type: Type) -> tuple[Type, ...]:
    """Return the definition of an alias, or the members of a Variant, Optional or NotUndef."""
    if isinstance(type, AliasType):
        return () if type._resolved is None else (type._resolved,)
    if isinstance(type, OptionalType | NotUndefType):
        return () if type.type is None else (type.type,)
    return type.types if isinstance(type, VariantType) else ()


def _find_cycle(type: Type, alias: AliasType) -> set[AliasType]:
    """Return an alias and those by which its definition leads back to it.

    Only alternatives count: an alias that refers to itself inside an Array or Hash is not in a cycle.
    """
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
    """Return True if an alias is among the alternatives of a type that are resolved so far."""
    if type is alias:
        return True
    if id(type) in seen:
        return False
    seen.add(id(type))
    return any(_leads_to(member, alias, seen) for member in _get_alternatives(type))


def _has_real_type(type: Type, seen: set[AliasType]) -> bool:
    """Return True if a type, or a member of a Variant, is not just one of the aliases `seen`."""
    if isinstance(type, VariantType):
        return any(_has_real_type(member, seen) for member in type.types)
    if not isinstance(type, AliasType):
        return True
    if type in seen:
        return False
    return type._resolved is None or _has_real_type(type._resolved, seen | {type})


_defining = ""  # see `get_name_being_defined`


def get_name_being_defined() -> str:
    """Return the name of the `type` statement that is being evaluated; "" outside of one."""
    return _defining


def evaluate_definition(name: str, make: Callable[[], Any]) -> Any:
    """Return the result of `make`, during which `name` is the name that is being defined."""
    global _defining
    outer, _defining = _defining, name
    try:
        return make()
    finally:
        _defining = outer


def to_expanded_text(type: Type) -> str:
    """Return the source form with the definitions of aliases: `Array[A = Integer[1, 5]]`."""
    if base.enclosing_aliases is not None:
        return type.inner()
    base.enclosing_aliases = set()
    try:
        return type.inner()
    finally:
        base.enclosing_aliases = None
        base.expanded_texts.clear()


def to_short_text(type: Type) -> str:
    """Return the source form in which every alias is its name, even inside expanded ones."""
    outer, base.enclosing_aliases = base.enclosing_aliases, None
    try:
        return str(type)
    finally:
        base.enclosing_aliases = outer


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


def parameterize(type: Type, arguments: list[Value], dialect: Dialect) -> Value:
    """Return `type[arguments…]`, also for an alias of an Object type."""
    return _to_entity(type).apply_parameters(arguments, dialect)


def can_have_parameters(type_: Type) -> bool:
    """Return True if `[]` can be applied to the type."""
    return type(_to_entity(type_)).apply_parameters is not Type.apply_parameters


def _to_entity(type: Type) -> Type:
    return type.to_entity() if isinstance(type, AliasType) and not type.builtin else type


# --- Data and RichData


class DataAlias(AliasType):
    """An alias of nested data, tested by a loop because values may be nested very deeply.

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
        is_leaf, is_key = VariantType(self.list_leaves()).instance, self.key.instance

        def is_instance(value: Value) -> bool:
            pending = [value]
            seen = set()
            container_count = 0
            while pending:
                item = pending.pop()
                if type(item) not in CONTAINERS:
                    if not is_leaf(item):
                        return False
                    continue
                container_count += 1
                if container_count > MANY and is_worth_memoizing(item):
                    if id(item) in seen:
                        continue
                    seen.add(id(item))
                if type(item) is dict and not all(map(is_key, list_keys(item))):
                    return False
                pending += item if type(item) is list else item.values()
            return True

        return f"{code.bind(is_instance)}({variable})"


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
    """Init[T, args…]: the values that `T.new(value, args…)` accepts.

    Without parameters, all RichData are instances.
    Without `args`, an array of all arguments that `T.new` takes is an instance too.

    Attributes:
        type: T; None without parameters.
        extra: The values of `args`.
    """

    __slots__ = ("__dict__", "_values_in_test", "extra", "type")
    keyword = "Init"
    instance_kind = kinds.INIT
    composite = True

    def __init__(self, type: Type | None = None, extra: tuple[Value, ...] = ()) -> None:
        self.type = type
        self.extra = extra
        self._values_in_test: set[int] = set()  # by id

    def parts(self) -> tuple[object, ...]:
        return (self.type, tuple(map(make_key, self.extra)))

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner(), *map(format_literal, self.extra)]

    def hides_details_of(self, actual: Type) -> bool:
        return True

    @cached_property
    def accepted_types(self) -> tuple[tuple[Type, ...], tuple[TupleType, ...]]:
        """The types of values, and of arrays of arguments, that `T.new` accepts.

        Raises:
            Failure: The type has no `new` of its own, or none that accepts the further arguments.
        """
        assert self.type is not None
        signatures = kinds.INIT.signatures(self.type)
        require(signatures is not None, "NOT_INSTANTIABLE", type=self.type)
        if self.extra:
            matches = [each for each in signatures if _accepts_extra(each.parameters, each.min, self.extra)]
            require(matches, "INIT_NOT_CREATABLE", type=self, created=self.type.generalize())
            return tuple(signature.parameters[0].type for signature in matches), ()
        value_types = tuple(each.parameters[0].type for each in signatures if (each.min, each.max) == (1, 1))
        tuple_types = tuple(
            TupleType([parameter.type for parameter in each.parameters], (each.min, each.max))
            for each in signatures
            if (each.min, each.max) != (1, 1)
        )
        return value_types, tuple_types

    def _test_value(self, value: Value) -> bool:
        if self.type is None:
            return RICH_DATA.instance(value)
        # T may be made from an Init[T]; such a cycle accepts no value.
        return test_outside_cycle(value, self._is_accepted, self._values_in_test)

    def _is_accepted(self, value: Value) -> bool:
        assert self.type is not None
        value_types, tuple_types = self.accepted_types
        if self.type.instance(value) or any(each.instance(value) for each in value_types):
            return True
        # A value alone is tested like an array of it if one argument is enough.
        candidates = [value, [value]] if any(each.extent[0] == 1 for each in tuple_types) else [value]
        return any(each.instance(candidate) for candidate in candidates for each in tuple_types)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.type is None:
            return isinstance(actual, InitType) or accepts(RICH_DATA, actual, memo)
        value_types, tuple_types = self.accepted_types  # first, because it may raise Failure
        if isinstance(actual, InitType):
            return actual.type is not None and accepts(self.type, actual.type, memo)
        # As in `_test_value`, a cycle accepts nothing.
        memo = {**memo, (id(self), id(actual)): (False, self, actual)}
        if accepts(self.type, actual, memo) or any(accepts(each, actual, memo) for each in value_types):
            return True
        accepts_one = any(each.extent[0] == 1 for each in tuple_types)
        candidates = [actual, TupleType([actual])] if accepts_one else [actual]
        return any(accepts(each, candidate, memo) for candidate in candidates for each in tuple_types)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        return InitType(check_type("Init-Type", arguments[0]), tuple(arguments[1:]))


def _accepts_extra(parameters: tuple[Any, ...], least: int, extra: tuple[Value, ...]) -> bool:
    """Return True if parameters take a value and the further arguments.

    Args:
        parameters: The parameters of a signature of `new`.
        least: The least number of arguments.
        extra: The arguments after the value.
    """
    if not least <= len(extra) + 1 <= len(parameters):
        return False
    return all(
        parameter.type.instance(value) for parameter, value in zip(parameters[1:], extra, strict=False)
    )


INIT = InitType()
