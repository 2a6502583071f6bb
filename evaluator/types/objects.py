"""Object types, which a program defines by attributes and functions, and sets of types.

`object_definitions` makes them from their definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from evaluator.issues import require, require_found
from evaluator.types import base
from evaluator.types.aliases import AliasType, to_expanded_text, to_short_text
from evaluator.types.base import HOOKS, UNDEF, Memo, TestCode, Type
from evaluator.types.references import NO_ARGUMENTS, CallableType, describe_wrong_count
from evaluator.types.rich_data import covers_parts, matches_parts
from evaluator.types.variants import OptionalType
from evaluator.values import DEFAULT, Value, iterate_items, make_key
from evaluator.values import kind as kinds
from evaluator.values.dag import flatten_lists
from evaluator.values.objects import PuppetObject
from evaluator.values.printing import format_part, quote_string
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.record import Record

UNSET: Any = object()  # the value of a member that has none, since undef is a value


class Feature(Record):
    """A member that an Object type declares under a name.

    Attributes:
        word: The word for such members in messages.
        owner: The name of the type that declares it.
        value: The default or constant value; UNSET if there is none.
        override: True if it replaces an inherited member.
        final: True if no other member may replace it.
        implementation: Returns the value of a function or derived attribute of an object.
    """

    word: ClassVar[str]

    owner: str
    name: str
    type: Type
    value: Value = UNSET
    override: bool = False
    final: bool = False
    annotations: dict[Any, Any] | None = None
    implementation: Callable[..., Any] | None = None

    @property
    def label(self) -> str:
        """The name in messages: `attribute P[x]`."""
        return f"{self.word} {self.owner}[{self.name}]"

    def entries(self) -> list[str]:
        """Return the entries of its definition besides the type."""
        annotations = [] if self.annotations is None else [f"annotations => {format_part(self.annotations)}"]
        return [*annotations, *(f"{flag} => true" for flag in ("final", "override") if getattr(self, flag))]

    def __str__(self) -> str:
        entries = self.entries()
        return f"{{type => {self.type.inner()}, {', '.join(entries)}}}" if entries else self.type.inner()

    def call(self, owner: Any, arguments: Sequence[Value], block: Any) -> Value:
        """Return the result of a call for an object. Raise Failure for wrong arguments."""
        reason = _describe_wrong_call(self.to_callable(), arguments, block)
        require(not reason, "FEATURE_ARGUMENTS", name=self.label, reason=reason)
        return self.get_value(owner, *arguments, *([] if block is None else [block]))

    def to_callable(self) -> Type:
        """Return the Callable of the calls that it accepts."""
        return self.type

    def get_value(self, owner: Any, *arguments: Value) -> Value:
        """Return the value for an object, for the arguments of a call. Raise Failure."""
        method = owner.methods.get(self.name)  # an object that Python code made has its own implementations
        if method is not None:
            return method(*arguments)
        implementation = require_found(self.implementation, "NO_METHOD", feature=self.label)
        return implementation(owner, *arguments)


class ObjectAttribute(Feature):
    """An attribute, or a constant.

    Attributes:
        kind: "", "constant", "derived", "given_or_derived" or "reference".
    """

    word = "attribute"

    kind: str = ""

    @property
    def inherits_reader(self) -> bool:
        """True if the value is that of the attribute of the parent which it overrides."""
        return self.override and self.kind == "derived"

    @property
    def optional(self) -> bool:
        """True if a new object does not need it."""
        return self.value is not UNSET

    @property
    def is_parameter(self) -> bool:
        """True if `new` accepts a value for it."""
        return self.kind not in ("constant", "derived")

    def entries(self) -> list[str]:
        entries = super().entries()
        if self.kind == "constant":
            entries = [text for text in entries if not text.startswith("final")]
        if self.kind:
            entries.append(f"kind => {self.kind}")
        return entries if self.value is UNSET else [*entries, f"value => {format_part(self.value)}"]

    def to_callable(self) -> Type:
        return _WITHOUT_ARGUMENTS

    def get_value(self, owner: Any, *arguments: Value) -> Value:
        if self.name in owner.attributes:
            return owner.attributes[self.name]
        if self.optional:
            return self.value
        implementation = require_found(self.implementation, "NO_METHOD", feature=f"{self.kind} {self.label}")
        return implementation(owner)


class Method(Feature):
    """A function of a type; its type is a Callable."""

    word = "function"


class TypeParameter(Feature):
    """A type parameter: `P[5]` has the objects whose attribute of its name has the value 5."""

    word = "type_parameter"

    def __str__(self) -> str:
        type_text = self.type.inner()
        return (
            type_text
            if self.value is UNSET or self.value is None
            else f"{{'type' => {type_text}, 'value' => {format_part(self.value)}}}"
        )


_WITHOUT_ARGUMENTS = CallableType(NO_ARGUMENTS)


def _describe_wrong_call(expected: Type, arguments: Sequence[Value], block: Any) -> str:
    """Return why a Callable does not take the arguments and the block; "" if it does."""
    if not isinstance(expected, CallableType) or expected.parameters is None:
        return ""
    low, high = expected.parameters.extent
    count = len(arguments)
    if count < low or (high is not None and count > high):
        return describe_wrong_count(low, high, count)
    types = expected.parameters.types or ()
    for parameter_type, value in zip([*types, *types[-1:] * count], arguments, strict=False):
        if not parameter_type.instance(value):
            return HOOKS.describe_mismatch("parameter ''", parameter_type, value)
    if block is not None and expected.block is None:
        return "does not expect a block"
    return "expects a block" if block is None and not (expected.block or UNDEF).assignable(UNDEF) else ""


# --- Object types


class ObjectType(Type):
    """Object[{…}]: the type of the objects that its `new` makes.

    Two object types of one name are the same type. One without a name is identified by its definition.

    Attributes:
        parent: The type that it inherits from; None if there is none.
        attributes: The attributes that it declares itself, by name. `functions` and `type_parameters` are the same.
        equality: The names of its attributes that `==` compares; None for all but constants.
        equality_include_type: False if objects of different types can be equal.
        extra: The entries `annotations` and `checks` of the definition, which are only printed.
    """

    __slots__ = (
        "_definition",
        "attributes",
        "equality",
        "equality_include_type",
        "extra",
        "functions",
        "name",
        "parent",
        "type_parameters",
    )
    keyword = "Object"
    instance_kind = kinds.OBJECT
    composite = True
    named = True
    shown_by_definition = True

    def __init__(
        self,
        name: str = "",
        parent: Type | None = None,
        attributes: Iterable[ObjectAttribute] = (),
        functions: dict[str, Method] | None = None,
        type_parameters: dict[str, TypeParameter] | None = None,
        equality: list[str] | None = None,
        equality_include_type: bool = True,
        extra: dict[str, Value] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.attributes = {attribute.name: attribute for attribute in attributes}
        self.functions = functions or {}
        self.type_parameters = type_parameters or {}
        self.equality = equality
        self.equality_include_type = equality_include_type
        self.extra = extra or {}

    # --- the printed form

    def parts(self) -> tuple[object, ...]:
        return (self.name,) if self.name else (str(self),)

    @property
    def simple_name(self) -> str:
        return self.name.removeprefix(base.namespace) or "Object"

    def inner(self) -> str:
        return self.simple_name if base.enclosing_aliases is None else to_short_text(self)

    def __str__(self) -> str:
        return self.definition()

    def definition(self) -> str:
        """Return the whole definition, inside a TypeSet that declares it without the name."""
        is_member = base.namespace and self.name.startswith(base.namespace)
        constants = {
            name: attribute.value
            for name, attribute in self.attributes.items()
            # the value alone shows the type that it was declared with
            if attribute.kind == "constant"
            and attribute.type == HOOKS.infer(attribute.value, PUPPET).generalize()
        }
        others = {name: attribute for name, attribute in self.attributes.items() if name not in constants}
        entries = [
            ("annotations", format_part(self.extra["annotations"]) if "annotations" in self.extra else ""),
            ("name", quote_string(self.name) if self.name and not is_member else ""),
            ("parent", _format_parent(self.parent)),
            ("type_parameters", _format_members(self.type_parameters)),
            ("attributes", _format_members(others)),
            ("constants", format_part(constants) if constants else ""),
            ("functions", _format_members(self.functions)),
            ("equality", format_part(self.equality) if self.equality is not None else ""),
            ("checks", format_part(self.extra["checks"]) if "checks" in self.extra else ""),
        ]
        return "Object[{" + ", ".join(f"{key} => {text}" for key, text in entries if text) + "}]"

    def hides_details_of(self, actual: Type) -> bool:
        return isinstance(actual, ParameterizedObject)

    # --- relations

    @property
    def bare(self) -> bool:
        """True for Object without parameters, which every Object type is a subtype of."""
        return not self.name and not self.attributes and not self.functions and self.parent is None

    def ancestry(self) -> Iterable[ObjectType]:
        """Return the type, its parent, and so on, as far as they are Object types."""
        current: Type | None = self
        while isinstance(current, ObjectType):
            yield current
            current = current.parent.resolve() if current.parent is not None else None

    def _test_value(self, value: Value) -> bool:
        if isinstance(value, Type):
            return self.bare
        return type(value) is PuppetObject and self.assignable(value.type)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if isinstance(actual, ParameterizedObject):
            actual = actual.base
        if not isinstance(actual, ObjectType):
            return False
        return self.bare or any(self == ancestor for ancestor in actual.ancestry())

    # --- members

    def all_attributes(self) -> dict[str, ObjectAttribute]:
        """Return the attributes by name, inherited ones first."""
        return {
            name: attribute
            for ancestor in reversed([*self.ancestry()])
            for name, attribute in ancestor.attributes.items()
        }

    def parameters(self) -> list[ObjectAttribute]:
        """Return the attributes that `new` takes by position: required ones first."""
        attributes = [attribute for attribute in self.all_attributes().values() if attribute.is_parameter]
        return sorted(attributes, key=lambda attribute: attribute.optional)

    def all_type_parameters(self) -> dict[str, TypeParameter]:
        """Return the type parameters by name, inherited ones first."""
        return {
            name: parameter
            for ancestor in reversed([*self.ancestry()])
            for name, parameter in ancestor.type_parameters.items()
        }

    def feature(self, name: str) -> ObjectAttribute | Method | None:
        """Return the attribute or function of that name, also inherited; None if there is none."""
        for ancestor in self.ancestry():
            feature = ancestor.attributes.get(name) or ancestor.functions.get(name)
            if feature is not None and not (isinstance(feature, ObjectAttribute) and feature.inherits_reader):
                return feature
        return None

    def equality_attributes(self) -> list[str]:
        """Return the names of the attributes that make two objects equal."""
        names: list[str] = []
        for ancestor in reversed(list(self.ancestry())):
            attributes = ancestor.attributes.values()
            default_names = [attribute.name for attribute in attributes if attribute.kind != "constant"]
            names += default_names if ancestor.equality is None else ancestor.equality
        return names

    def parameterize(self, arguments: list[Value]) -> Type:
        """Return `P['a']`, the type of the objects with certain values. Raise Failure.

        Args:
            arguments: The values of the type parameters in their order, or one hash of values by name.
        """
        parameters = self.all_type_parameters()
        require(parameters, "OBJECT_WITHOUT_PARAMETERS", type=self.inner())
        values: dict[str, Any] = dict(zip(parameters, arguments, strict=False))
        first = next(iter(parameters.values()))
        if len(arguments) == 1 and type(arguments[0]) is dict and not first.type.instance(arguments[0]):
            values = dict(iterate_items(arguments[0]))
            for name in values:
                require(name in parameters, "OBJECT_PARAMETER_UNKNOWN", name=name, type=self.inner())
        values = {name: value for name, value in values.items() if value is not DEFAULT}
        for name, value in values.items():
            _check_parameter(parameters[name], value)
        require(values, "OBJECT_PARAMETERS_EMPTY", type=self.inner())
        return ParameterizedObject(self, values)

    def get_parameter_values(self, value: Value) -> dict[str, Value]:
        """Return the values of an object's type parameters: its attributes of their names."""
        declared = self.all_attributes()
        return {
            name: declared[name].get_value(value) if name in declared else None
            for name in self.all_type_parameters()
        }

    def infer_type_of(self, value: Value) -> Type:
        """Return the type of an object of this type, with the values of its type parameters."""
        values = self.get_parameter_values(value)
        return ParameterizedObject(self, values) if values else self

    def check_parameters(self, value: Value) -> None:
        """Raise Failure for an object with an attribute that is no instance of its type parameter."""
        parameters = self.all_type_parameters()
        for name, attribute_value in self.get_parameter_values(value).items():
            _check_parameter(parameters[name], attribute_value)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        return self.parameterize(arguments) if self.name else HOOKS.define_object_type(arguments)


_MOST_BY_POSITION = 2  # a type with more type parameters prints their values by name


class ParameterizedObject(Type):
    """An Object type with values for its type parameters: `Error['kind']`.

    Attributes:
        base: The Object type.
        values: The values of type parameters, by name: each a value, a Regexp or a type, see `matches_parts`.
    """

    keyword = "Object"
    instance_kind = kinds.OBJECT
    composite = True
    named = True
    base: ObjectType
    values: dict[str, Value]

    def parts(self) -> tuple[object, ...]:
        return (self.base, tuple((name, make_key(value)) for name, value in self.values.items()))

    @property
    def name(self) -> str:
        """The name of the type without parameters."""
        return self.base.name

    @property
    def simple_name(self) -> str:
        return self.base.simple_name

    def get_init_parameters(self) -> Value:
        """Return the values as they are printed: an array up to the last one, or a hash."""
        names = list(self.base.all_type_parameters())
        if len(names) > _MOST_BY_POSITION:
            return self.values
        last = max(names.index(name) for name in self.values)
        return [self.values.get(name, DEFAULT) for name in names[: last + 1]]

    def inner(self) -> str:
        values = self.get_init_parameters()
        return f"{self.base.simple_name}[{', '.join(map(format_part, values if type(values) is list else [values]))}]"

    def hides_details_of(self, actual: Type) -> bool:
        return True

    def ruby_class(self) -> str:
        return f"{super().ruby_class()}Extension"

    def generalize(self) -> Type:
        return self.base

    def _test_value(self, value: Value) -> bool:
        return self.base.instance(value) and matches_parts(
            self.values, value.type.get_parameter_values(value).get
        )

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ParameterizedObject) or not self.base.assignable(actual.base):
            return False
        return covers_parts(self.values, actual.values)


def _check_parameter(parameter: TypeParameter, value: Value) -> None:
    HOOKS.check(parameter.label, OptionalType(parameter.type), value)


def _format_parent(parent: Type | None) -> str:
    if isinstance(parent, ObjectType):
        return parent.simple_name
    return "" if parent is None else parent.inner()


def _format_members(members: Mapping[str, Feature]) -> str:
    entries = ", ".join(f"{quote_string(name)} => {member}" for name, member in members.items())
    return f"{{{entries}}}" if members else ""


OBJECT = ObjectType()


# --- TypeSets

# The fields of TypeSet without parameters.
_DEFAULTS = {
    "pcore_uri": "http://puppet.com/2016.1/pcore",
    "pcore_version": "1.0.0",
    "name_authority": "http://puppet.com/2016.1/runtime",
    "name": "DefaultTypeSet",
    "version": "0.0.0",
}


class TypeSetType(Type):
    """TypeSet[{pcore_version, name, version, types => {Name => Type}, references}].

    The instances of the bare TypeSet are type sets.

    Attributes:
        fields: The entries of the definition other than the types, in the order in which they are printed.
    """

    __slots__ = ("fields", "types")
    keyword = "TypeSet"
    composite = True

    def __init__(self, fields: dict[str, Any], types: dict[str, Type] | None = None) -> None:
        self.fields = fields
        self.types = types or {}

    def find_member(self, name: str) -> Type | None:
        """Return the type that the set declares under a name in any case; None if missing."""
        for declared, type in self.types.items():
            if declared.lower() == name.lower():
                full_name = f"{self.name}::{declared}"
                return (
                    type if getattr(type, "name", "") == full_name else AliasType(full_name, type).to_entity()
                )
        return None

    def parts(self) -> tuple[object, ...]:
        return (str(self),)

    @property
    def name(self) -> str:
        """The name of the set, which a `type` statement defines."""
        return str(self.fields["name"])

    @property
    def simple_name(self) -> str:
        return self.name

    def inner(self) -> str:
        return self._format(lambda type: type.inner())

    def __str__(self) -> str:
        return self._format(to_expanded_text)

    def _format(self, write: Callable[[Type], str]) -> str:
        entries = [f"{name} => {_format_field(value)}" for name, value in self.fields.items()]
        if self.types:
            outer, base.namespace = base.namespace, f"{self.name}::"
            try:
                declared = ", ".join(f"{name} => {write(type)}" for name, type in self.types.items())
            finally:
                base.namespace = outer
                base.expanded_texts.clear()
            # The references are printed last.
            position = len(entries) - 1 if "references" in self.fields else len(entries)
            entries.insert(position, f"types => {{{declared}}}")
        return "TypeSet[{" + ", ".join(entries) + "}]"

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"isinstance({variable}, {code.bind(TypeSetType)})" if self == TYPE_SET else "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return self == actual or (isinstance(actual, TypeSetType) and self == TYPE_SET)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        return HOOKS.define_type_set(flatten_lists(arguments))


def _format_field(value: Value) -> str:
    """Return the text of a field; the keys of references are printed without quotes."""
    if type(value) is dict:
        return "{" + ", ".join(f"{name} => {format_part(entry)}" for name, entry in value.items()) + "}"
    return format_part(value)


TYPE_SET = TypeSetType(_DEFAULTS)
