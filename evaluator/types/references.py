"""References to resources and classes, and the types Runtime and Callable.

At the end are the words for numbers of arguments, which messages about Callables and about calls have in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.issues import make_error, refuse_if, require
from evaluator.program.definitions import LambdaBlock
from evaluator.types.base import (
    ANY,
    HOOKS,
    UNDEF,
    Memo,
    TestCode,
    Type,
    accepts,
    make_arity_error,
    make_usage_error,
)
from evaluator.types.collections import ArrayType, TupleType
from evaluator.types.scalars import UNBOUNDED, split_trailing_size
from evaluator.types.variants import OptionalType, VariantType
from evaluator.values.core import is_type
from evaluator.values.dag import flatten_lists
from evaluator.values.kind import Value
from evaluator.values.printing import describe_kind, quote_string
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.lazy import LazyPattern
from lexer_parser.tree.labels import add_capital_article, capitalize_segments

_CLASS_NAME = LazyPattern(r"(?:::)?[a-z]\w*+(?:::[a-z]\w*+)*+", re.ASCII)
_CLASS_RULE = r"/^((::)?[a-z_]\w*)(::[a-z]\w*)*$/"
_TYPE_NAME = LazyPattern(r"(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+", re.ASCII)


class CatalogEntryType(Type):
    """CatalogEntry. Its instances are types (references), so no value is an instance."""

    keyword = "CatalogEntry"

    def write_test(self, variable: str, code: TestCode) -> str:
        return "False"


class ResourceType(CatalogEntryType):
    """Resource, File or File['/a'].

    The value of `class { 'a': }` may be one, too, with the type name "class"; `Class['a']` itself is a ClassType.

    Attributes:
        type_name: The name of the resource type in lower case; None for Resource without parameters.
        title: The title; None for all resources of the type.
    """

    __slots__ = ("title", "type_name")
    keyword = "Resource"

    def __init__(self, type_name: str | None = None, title: str | None = None) -> None:
        self.type_name = type_name.lower() if type_name is not None else None
        self.title = title

    def parts(self) -> tuple[object, ...]:
        return (self.type_name, self.title)

    @property
    def simple_name(self) -> str:
        return "Resource" if self.type_name is None else capitalize_segments(self.type_name)

    @property
    def key(self) -> tuple[str, str]:
        """The key in a catalog: type name and title, of a class in lower case."""
        title = self.title or ""
        return (
            self.type_name or "",
            title.lower().removeprefix("::") if self.type_name == "class" else title,
        )

    @property
    def name(self) -> str | None:
        """The title; for a class its name."""
        return self.title if self.title is None else self.key[1]

    def inner(self) -> str:
        return self.simple_name if self.title is None else f"{self.simple_name}[{quote_string(self.title)}]"

    def message_label(self) -> str:
        return super().message_label() if self.title is None else f"{self} Resource-Reference"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, ResourceType)
            and self.type_name in (None, actual.type_name)
            and self.title in (None, actual.title)
        )

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        if self.type_name is not None:
            return _make_references(self.type_name, arguments, f"{self.simple_name}-Type", dialect)
        first, titles = arguments[0], arguments[1:]
        if isinstance(first, ResourceType) and is_type(first):
            name = first.type_name or ""
            if not titles:
                return first
        elif type(first) is str:
            name = _parse_type_name(first)
        else:
            actual = HOOKS.infer(first, PUPPET).generalize()
            raise make_error("BAD_RESOURCE_TYPE", operand=1, actual=actual)
        if not titles:
            return ResourceType(name)
        return _make_references(name, titles, "Resource-Type", dialect)


def make_reference(type_name: str, title: str) -> ResourceType:
    """Return `ResourceType(type_name, title)`, faster, for a type name in lower case."""
    reference = ResourceType.__new__(ResourceType)
    reference.type_name = type_name
    reference.title = title
    return reference


class UnknownReference(ResourceType):
    """A reference to a resource of a type that does not exist.

    Where a resource is needed, Puppet takes the title for the name of a class.
    """

    __slots__ = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """The identity of a reference to a type that exists, so that the two are equal."""
        return (ResourceType, *self.parts())

    @property
    def key(self) -> tuple[str, str]:
        """The key of the class in a catalog."""
        return ("class", (self.title or "main").lower())


class ClassType(CatalogEntryType):
    """Class, or Class[name].

    Attributes:
        name: The name in lower case without a leading `::`; None for all classes.
    """

    __slots__ = ("name",)
    keyword = "Class"
    type_name = "class"

    def __init__(self, name: str | None = None) -> None:
        self.name = name.lower().removeprefix("::") if name is not None else None

    def parts(self) -> tuple[object, ...]:
        return (self.name,)

    @property
    def title(self) -> str | None:
        """The name, by the attribute of a reference to a resource."""
        return self.name

    @property
    def key(self) -> tuple[str, str]:
        """The key of the class in a catalog."""
        return ("class", self.name or "")

    def arguments(self) -> list[str]:
        return [] if self.name is None else [self.name]

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ClassType) and self.name in (None, actual.name)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        types = [
            ClassType(_check_class_name(name, operand, dialect))
            for operand, name in enumerate(_flatten_names(arguments, dialect), 1)
        ]
        return _unwrap_single(types, arguments)


def make_entry_type(type_name: str, title: str | None) -> ClassType | ResourceType:
    """Return the type of a resource, or of a class if `type_name` is `class`."""
    return ClassType(title) if type_name.lower() == "class" else ResourceType(type_name, title)


def _parse_type_name(text: str) -> str:
    """Return the resource type that a string names, in lower case. Raise PuppetError."""
    name = text
    if not text[:1].isupper():
        name = "::".join(segment.capitalize() for segment in text.split("::"))
    refuse_if(not _TYPE_NAME.fullmatch(name), "ILLEGAL_TYPE_REFERENCE", operand=1, name=name)
    return name.lower()


def _flatten_names(arguments: list[Value], dialect: Dialect) -> list[Value]:
    """Return the names among the arguments and in arrays; the released Puppet drops undef."""
    return [name for name in flatten_lists(arguments) if name is not None or dialect.catalog_grammar]


def _unwrap_single(references: list[Value], arguments: list[Value]) -> Value:
    """Return the references; for a single argument that is no array, the only one or undef."""
    if len(arguments) > 1 or isinstance(arguments[0], list):
        return references
    return references[0] if references else None


def _make_references(type_name: str, titles: list[Value], label: str, dialect: Dialect) -> Value:
    """Return a reference for a single title, else an array of references.

    As released, an error points at the argument whose number is the index of the title in the flat array plus 1, or
    plus 2 if that array is not as long as the arguments.
    """
    if len(titles) == 1 and type(titles[0]) is str:
        return ResourceType(type_name, titles[0])
    names = _flatten_names(titles, dialect)
    for operand, title in enumerate(names, 1 if len(names) == len(titles) else 2):
        if type(title) is not str:
            raise make_usage_error(label, title, "a resource title String", operand)
    return _unwrap_single([ResourceType(type_name, title) for title in names], titles)


def _check_class_name(value: Value, operand: int, dialect: Dialect) -> str:
    """Return the class name that a parameter of `Class` means. Raise PuppetError."""
    if dialect.class_names and isinstance(value, ResourceType) and value.title is None and value.type_name:
        return value.type_name
    if type(value) is not str:
        raise make_error(
            "ILLEGAL_HOSTCLASS_NAME", operand=operand, actual=add_capital_article(describe_kind(value))
        )
    name = value.lower()
    if not _CLASS_NAME.fullmatch(name):
        raise make_error("ILLEGAL_CLASS_NAME", operand=operand, name=value, rule=_CLASS_RULE)
    return name


CATALOG_ENTRY = CatalogEntryType()
RESOURCE = ResourceType()
CLASS = ClassType()


# --- Runtime


def make_runtime_type(runtime: str, type_name: str, short: bool = False) -> RuntimeType:
    """Return `Runtime[runtime, 'Name']`. Raise Failure for an empty name."""
    require(type_name, "RUNTIME_NAME_EMPTY")
    return RuntimeType(runtime, type_name, short)


class RuntimeType(Type):
    """Runtime[runtime, 'Name']: objects of Ruby; no value here is an instance.

    Attributes:
        runtime: The name of the platform, such as "ruby"; None for all.
        type_name: The name of the class; None for all.
        short: True to print it as in the specification, `Ruby['Name']`.
    """

    keyword = "Runtime"
    runtime: str | None = None
    type_name: str | None = None
    short: bool = False

    def parts(self) -> tuple[object, ...]:
        return (self.runtime, self.type_name)

    def inner(self) -> str:
        name = quote_string(self.type_name) if self.type_name is not None else ""
        if self.short:
            platform = (self.runtime or "").capitalize()
            return f"{platform}[{name}]" if name else platform
        if self.runtime is None:
            return "Runtime"
        return f"Runtime[{self.runtime}, {name}]" if name else f"Runtime[{self.runtime}]"

    def write_test(self, variable: str, code: TestCode) -> str:
        return "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, RuntimeType)
            and self.runtime in (None, actual.runtime)
            and self.type_name in (None, actual.type_name)
        )

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists([self.runtime, *arguments] if self.short else arguments)
        if len(arguments) != 2:
            raise make_arity_error(add_capital_article(f"{self}-Type"), "1 to 2 arguments", len(arguments))
        self.check_parameters_are(str, arguments, "String or String")
        return make_runtime_type(arguments[0], arguments[1], self.short)


def to_type(value: Value) -> Type:
    """Return a type itself, the Runtime type of a Ruby class's name, or the type of a value."""
    if isinstance(value, Type):
        return value
    if type(value) is str:
        return make_runtime_type("ruby", value)
    return HOOKS.infer(value, PUPPET).generalize()


HOOKS.to_type = to_type

RUNTIME = RuntimeType()


# --- Callable


class CallableType(Type):
    """Callable[P1, P2, min, max, block] or Callable[[…], return].

    Specification: "Callable".

    Attributes:
        parameters: A Tuple of the types of the arguments; None for a bare Callable.
        block: The type of the block, a Callable or Optional[Callable]; None if no block is accepted.
        returns: The type of the result; None for Any.
    """

    __slots__ = ("block", "parameters", "returns")
    keyword = "Callable"
    composite = True

    def __init__(
        self, parameters: TupleType | None = None, block: Type | None = None, returns: Type | None = None
    ) -> None:
        self.parameters = parameters
        self.block = block
        self.returns = None if returns is ANY else returns

    def parts(self) -> tuple[object, ...]:
        return (self.parameters, self.block, self.returns)

    def arguments(self) -> list[str]:
        if self.parameters is None:
            return []
        arguments = self.parameters.arguments()
        if not arguments or (not self.parameters.types and self.parameters.size is None):
            arguments = ["0", "0"]
        if self.block is not None:
            arguments.append(self.block.inner())
        if self.returns is not None:
            return [f"[{', '.join(arguments)}]", self.returns.inner()]
        return arguments

    def _test_value(self, value: Value) -> bool:
        return isinstance(value, LambdaBlock) and self.assignable(infer_block_type(value))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, CallableType):
            return False
        if self.returns is not None and not accepts(self.returns, actual.returns or ANY, memo):
            return False
        if self.parameters is None:
            return True
        # Parameters and the block are compared the other way round: `actual` must accept every call of this type.
        return (
            actual.parameters is not None
            and accepts(actual.parameters, self.parameters, memo)
            and accepts(actual.block or UNDEF, self.block or UNDEF, memo)
        )

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        if self.parameters is None and self.returns is None:
            return self
        parts = self.parameters, self.block, self.returns
        parameters, block, returns = [None if part is None else change(part) for part in parts]
        return CallableType(parameters if isinstance(parameters, TupleType) else None, block, returns)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        returns = None
        if arguments and isinstance(arguments[0], list):
            if len(arguments) != 2:
                raise make_arity_error(add_capital_article(f"{self}-Type"), "2 arguments", len(arguments))
            if not isinstance(arguments[1], Type):
                raise make_usage_error(f"{self}-Type", arguments[1], "Any-Type", 2)
            arguments, returns = arguments
        arguments = list(arguments)
        block = None
        if arguments and is_block_type(arguments[-1]):
            block = arguments.pop()
        types, size = split_trailing_size(arguments, dialect)
        if dialect.bare_types and not types:
            if size == UNBOUNDED and block is None and returns is None:
                return CALLABLE
            size = size or (0, 0)  # a block without types means no parameters
        if dialect.type_parameters:
            self.check_parameters_are(Type, types, "Any-Type")
        parameters = TupleType(map(to_type, types), size, exact=dialect.bare_types)
        return CallableType(parameters, block, returns)


CALLABLE = CallableType()
NO_ARGUMENTS = TupleType((), (0, 0))


def infer_block_type(block: LambdaBlock) -> CallableType:
    """Return the Callable of a lambda, in which parameters without a type have the type Any."""
    types = [_infer_parameter_type(parameter) for parameter in block.parameters]
    size = None if block.min == block.max == len(types) else (block.min, block.max)
    return CallableType(TupleType(types, size if types else (0, 0)), None, block.returns)


def _infer_parameter_type(parameter: Any) -> Type:
    """Return the type of one argument for a parameter; for `Array[T] *$rest` it is T."""
    type: Type = parameter.type or ANY
    return type.element if parameter.splat and isinstance(type, ArrayType) else type


def is_block_type(value: Value) -> bool:
    """Return True for a type that is the type of the block if a Callable ends with it."""
    if isinstance(value, OptionalType) and value.type is not None:
        value = value.type
    if isinstance(value, VariantType):
        return all(map(is_block_type, value.types))
    return isinstance(value, CallableType)


# --- numbers of arguments in the words of the released Puppet


def describe_range(low: int, high: int | None) -> str:
    """Return a number, or a range of numbers, in words: `at most 2`."""
    if low == high:
        return str(low)
    if high is None:
        return f"at least {low}"
    return f"at most {high}" if low == 0 else f"between {low} and {high}"


def describe_count(low: int, high: int | None) -> str:
    """Return the number of arguments that are expected: `between 1 and 2 arguments`."""
    if high == 0:
        return "no arguments"
    is_single = (low if high is None else high) == 1
    return f"{describe_range(low, high)} argument{'' if is_single else 's'}"


def describe_wrong_count(low: int, high: int | None, actual: int) -> str:
    """Return the message of a wrong number: `expects between 1 and 2 arguments, got none`."""
    return f"expects {describe_count(low, high)}, got {actual or 'none'}"
