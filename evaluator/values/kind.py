"""The kinds of values: a kind is one record, which leads to all other facts about it.

A class of values has its record as `kind`; for Python's own classes a table has it. Compare records
(`get_kind(value) is TIMESPAN`), never the names of classes. The operations of a kind (making, adding, ordering and
formatting its values) are its rules: they are in a file of `evaluator.kinds`, which is imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.calling.signatures import Signature
    from evaluator.types import Type
    from lexer_parser.dialect import Dialect

# A value of the Puppet language: a value of Python or an instance of one of our classes. Its type is a Puppet type
# (`Array[Variant[Integer, String]]`) that is checked when the program runs, and Python's type system cannot express it.
# This is therefore the only name by which a signature may declare a value as `Any`; every other `Any` needs its own
# reason. Modules that need it only for annotations import it under `TYPE_CHECKING`.
Value: TypeAlias = Any

Rule = Callable[[Any, Any], Any]
# The operators on two kinds: (operator, left kind, right kind) -> the function of both values.
Arithmetic = dict[tuple[str, "Kind", "Kind"], Rule]


class KindOrder(Record):
    """The order of a kind: compares its values, on the left, with those of `kinds`.

    Attributes:
        kinds: The kinds of the values on the right.
        complaint: The error message for values of other kinds.
        compare: (left, right) -> negative, 0 or positive; by default Python's own order.
    """

    kinds: Collection[Kind]
    complaint: str
    compare: Callable[[Value, Value], int] | None = None


class Kind:
    """A kind of value.

    Attributes:
        name: The name of its type in source code.
        label: The name of a value in messages: a string, or a function of the value.
        ruby_class: The name of its class in the released Puppet: a string, or a function of the value.
        inside: The form of a value inside a printed type or object: "source" for its source form, "text" for its text
            in quotes, "type" for a text that names only its type.
        scalar: True if its values are instances of the type Scalar.
        file: The file of `evaluator.kinds` that has its rules.
    """

    # The operations for which a kind may have rules; None where it has none.
    infer: Callable[[Value, Dialect], Type]  # (value, dialect) -> the Type of a value
    # The same, when the detailed type is a different one.
    infer_detailed: Callable[[Value, Dialect], Type] | None
    new: Callable[[Any, list[Any], Any], Any]  # (type, arguments, runtime) -> a value made of other values
    signatures: Callable[[Type], list[Signature]]  # (type) -> the signatures for making values of a type
    printing: Any  # a `Printing`, for the formats of `String.new`
    arithmetic: Arithmetic | None  # the operators on its values and those of other kinds, on either side
    negate: Callable[[Any], Any] | None  # (value) -> `-value`
    join: Rule | None  # (left, right) -> `left + right` for any right side
    order: KindOrder | None
    equals_number: Callable[[Any, Any], bool] | None  # (value, number) -> True when the two are equal

    def __init__(
        self,
        name: str,
        *,
        label: str | Callable[[Any], str] = "Object",
        ruby_class: str | Callable[[Any], str] = "",
        inside: str = "type",
        scalar: bool = False,
        file: str = "",
    ) -> None:
        self.name = name
        self.label = label
        self.ruby_class = ruby_class or name
        self.inside = inside
        self.scalar = scalar
        self.file = file

    def set_rules(self, **rules: Any) -> None:
        """Set rules by name."""
        vars(self).update(rules)

    def __getattr__(self, name: str) -> Any:
        """Return a rule that is not set yet: import the file of the rules first."""
        if name not in _RULES:
            raise AttributeError(name)
        if self.file:
            import_module(f"evaluator.kinds.{self.file}")
        for rule in _RULES:
            vars(self).setdefault(rule, None)
        return getattr(self, name)

    def __repr__(self) -> str:
        return f"<Kind {self.name}>"


_RULES = tuple(Kind.__annotations__)  # the names of the operations above


class RichValue:
    """A value of a class of ours: it equals the values of its class with the same parts."""

    __slots__ = ()

    def get_identity(self) -> tuple[Any, ...]:
        """Return the parts by which two values are compared."""
        raise NotImplementedError

    def literal(self) -> str:
        """Return the source form."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.get_identity() == other.get_identity()

    def __hash__(self) -> int:
        return hash((type(self), self.get_identity()))

    def __repr__(self) -> str:
        return self.literal()


class OrderedValue(RichValue):
    """A value with an order among the values of its own class.

    Attributes:
        order: The part by which two values are compared.
    """

    __slots__ = ()

    order: Any

    def __lt__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self.order < other.order)

    def __le__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self.order <= other.order)

    def __gt__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self.order > other.order)

    def __ge__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self.order >= other.order)


def _get_iterator_class(value: Any) -> str:
    """Return the class of an Iterator, which depends on what it iterates over."""
    source = value.iterable
    if type(source) is range and source != range(0):
        return "Puppet::Pops::Types::IntegerRangeIterator"
    if value.steps:
        return "Puppet::Pops::Types::StepIterator"
    return f"Puppet::Pops::Types::{getattr(source, 'ruby_iterator', 'Iterator')}"


def _get_uri_class(value: Any) -> str:
    """Return the class of the URI's scheme, where there is one."""
    scheme = value.scheme
    scheme_class = scheme.upper() if scheme in ("ftp", "http", "https", "ldap", "ldaps", "ws") else "Generic"
    return f"URI::{ {'file': 'File', 'mailto': 'MailTo'}.get(scheme, scheme_class) }"


UNDEF = Kind("Undef", label="Undef Value", ruby_class="NilClass", file="objects")
BOOLEAN = Kind("Boolean", label="Boolean", ruby_class=lambda value: f"{value}Class", file="numbers")
INTEGER = Kind("Integer", label="Integer", file="numbers")
FLOAT = Kind("Float", label="Float", file="numbers")
STRING = Kind("String", label="String", file="strings")
ARRAY = Kind("Array", label="Array", file="collections")
HASH = Kind("Hash", label="Hash", file="collections")
DEFAULT = Kind("Default", ruby_class="Symbol", file="objects")
REGEXP = Kind("Regexp", label="Regexp", inside="source", scalar=True, file="strings")
SENSITIVE = Kind(
    "Sensitive",
    label="Sensitive",
    ruby_class="Puppet::Pops::Types::PSensitiveType::Sensitive",
    file="objects",
)
ITERATOR = Kind("Iterator", ruby_class=_get_iterator_class, file="objects")
TIMESPAN = Kind(
    "Timespan",
    label="Timespan",
    ruby_class="Puppet::Pops::Time::Timespan",
    inside="text",
    scalar=True,
    file="rich_data",
)
TIMESTAMP = Kind(
    "Timestamp",
    label="Timestamp",
    ruby_class="Puppet::Pops::Time::Timestamp",
    inside="text",
    scalar=True,
    file="rich_data",
)
SEMVER = Kind(
    "SemVer",
    label="Semver",
    ruby_class="SemanticPuppet::Version",
    inside="text",
    scalar=True,
    file="rich_data",
)
SEMVER_RANGE = Kind(
    "SemVerRange",
    label="SemverRange",
    ruby_class="SemanticPuppet::VersionRange",
    inside="text",
    scalar=True,
    file="rich_data",
)
BINARY = Kind(
    "Binary", label="Binary", ruby_class="Puppet::Pops::Types::PBinaryType::Binary", file="rich_data"
)
URI = Kind("URI", ruby_class=_get_uri_class, inside="source", file="rich_data")
OBJECT = Kind(
    "Object",
    ruby_class=lambda value: "Puppet::DataTypes::Error" if value.type.inner() == "Error" else "#<Class>",
    inside="source",
    file="objects",
)
TYPE = Kind(
    "Type",
    label=lambda value: value.message_label(),
    ruby_class=lambda value: value.ruby_class(),
    file="objects",
)
# A resource, to which a reference in an attribute is converted.
RESOURCE = Kind("Resource", label="Resource Statement", ruby_class="Puppet::Resource", file="objects")
CALLABLE = Kind("Callable")
# The kinds of types that represent several kinds, or that delegate to the type in their parameter.
NUMERIC = Kind("Numeric", file="numbers")
OPTIONAL = Kind("Optional", file="instances")
NOT_UNDEF = Kind("NotUndef", file="instances")
INIT = Kind("Init", file="instances")
# A Python object that is not a value of the language; only its class is known.
RUNTIME = Kind(
    "Runtime",
    label=lambda value: getattr(value, "message_label", "Object"),
    ruby_class=lambda value: getattr(value, "runtime_name", type(value).__name__),
)

_OF_PYTHON: dict[type, Kind] = {
    type(None): UNDEF,
    bool: BOOLEAN,
    int: INTEGER,
    float: FLOAT,
    str: STRING,
    list: ARRAY,
    dict: HASH,
}
# The operators implement these kinds directly. Empty rules spare the import of the kinds' modules.
for _kind in _OF_PYTHON.values():
    _kind.set_rules(arithmetic=None, negate=None, join=None, equals_number=None)


def get_kind(value: Any) -> Kind:
    """Return the kind of a value."""
    python_kind = _OF_PYTHON.get(type(value))
    if python_kind is not None:
        return python_kind
    own: Kind = getattr(type(value), "kind", RUNTIME)
    return own
