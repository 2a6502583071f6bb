"""Types from source text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import lexer_parser
from evaluator.issues import Failure, error
from evaluator.types import base
from evaluator.types.aliases import TypeReference, defining, parameterize, takes_parameters
from evaluator.types.base import Type, is_bound
from evaluator.types.collections import Member, StructType, TupleType
from evaluator.types.explain.puppet_wording import check
from evaluator.types.numbers import IntegerType
from evaluator.types.object_definitions import check_references, members, referenced, type_set
from evaluator.types.objects import OBJECT
from evaluator.types.references import RESOURCE, literal_type
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType, RegexpType, StringType
from evaluator.types.uris import URI_PARTS
from evaluator.types.variants import NOT_UNDEF, OptionalType, TypeType, VariantType
from evaluator.values.core import DEFAULT, hash_of
from evaluator.values.regexps import RegexpValue
from evaluator.values.ruby_classes import get_ruby_class
from evaluator.values.ruby_values import to_float
from evaluator.values.versions import SemVerRange
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

Invalid = Callable[[], Failure]
Prepare = Callable[[list[Any], Invalid], "list[Any] | None"]
Refuse = Callable[[str, Any, Invalid], Failure]


def _as_given(arguments: list[Any], invalid: Invalid) -> list[Any]:
    return arguments


def _no_such_form(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return invalid()


class Row(NamedTuple):
    """How a kind of type takes its parameters in a text.

    counts   how many there may be, and the words for it; None when any number may
    lists    whether one may be an array
    prepare  makes of them what a program would give; None for those that say nothing
    refuse   what is said of one that the type does not take; it gets the type's keyword
    """

    counts: tuple[range, str] | None = None
    lists: bool = True
    prepare: Prepare = _as_given
    refuse: Refuse = _no_such_form


def prepared(kind: Any, arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    """The parameters as a program would give them; None for those that say nothing. Raises Failure."""
    row = _row(kind)
    if row.counts is not None and len(arguments) not in row.counts[0]:
        raise _wrong_count(kind.simple_name, row.counts[1], len(arguments))
    if not row.lists and list in map(type, arguments):
        raise row.refuse(kind.keyword, next(one for one in arguments if type(one) is list), invalid)
    return row.prepare(arguments, invalid)


def refused(kind: Any, argument: Any, invalid: Invalid) -> Failure:
    """What is said of a parameter that a type does not take."""
    return _row(kind).refuse(kind.keyword, argument, invalid)


def _row(kind: Any) -> Row:
    """The row of a kind; an object type of a program has a name that is in none."""
    if kind.keyword == "Resource" and kind.type_name:
        return _RESOURCE_OF_A_TYPE
    return _ROWS.get(kind.simple_name if kind.keyword == "Object" else kind.keyword, _ANYTHING)


def _wrong_count(name: str, wanted: str, given: int) -> Failure:
    return Failure("TYPE_PARAMETER_COUNT", type=name, expected=wanted, actual=given)


def _no_name(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("ENUM_PARAMETER")


def _no_boolean(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("BOOLEAN_PARAMETER")


def _no_pattern(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("PATTERN_PARAMETER", actual=get_ruby_class(argument))


def _no_time(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("NO_TIME", type=keyword, actual="Array") if type(argument) is list else invalid()


def _float(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if len(arguments) == 1 and type(arguments[0]) is list:
        raise invalid()
    if len(arguments) == 1:
        return arguments
    return [end if end is DEFAULT else to_float(end) for end in _ends(arguments, invalid)]


def _ends(arguments: list[Any], invalid: Invalid) -> list[Any]:
    """The two ends of a range: undef is none here."""
    return [DEFAULT if end is None else end for end in arguments] if len(arguments) > 1 else arguments


def _array(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if type(arguments[0]) is list:
        raise invalid()
    return [base.DEFAULT, *arguments] if len(arguments) == 2 and is_bound(arguments[0]) else arguments


def _hash(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if len(arguments) == 2 and all(map(is_bound, arguments)):
        return [base.DEFAULT, base.DEFAULT, *arguments]
    sizes = arguments[2:]
    if not all(isinstance(argument, Type) for argument in arguments[:2]) or not (
        all(map(is_bound, sizes)) or (len(sizes) == 1 and isinstance(sizes[0], Type))
    ):
        raise invalid()
    return arguments


def _tuple(arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    count = 2 if len(arguments) > 1 and is_bound(arguments[-2]) else int(is_bound(arguments[-1]))
    types, size = arguments[: len(arguments) - count], arguments[len(arguments) - count :]
    if not all(map(is_bound, size)):
        raise invalid()
    return [*map(literal_type, types), *size] if types else None


def _callable(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if type(arguments[0]) is not list:
        return arguments
    if len(arguments) > 2:
        raise _wrong_count("callable", "2 when first parameter is an array", len(arguments))
    if len(arguments) == 2:
        return [arguments[0], literal_type(arguments[1])]
    return [literal_type(arguments[0])]


def _enum(arguments: list[Any], invalid: Invalid) -> list[Any]:
    names = arguments[:-1] if type(arguments[-1]) is bool else arguments
    if not names:
        raise _wrong_count("Enum", "1 or more", 0)
    for name in names:
        if type(name) is not str:
            raise _no_name("Enum", name, invalid)
    return arguments


def _pattern(arguments: list[Any], invalid: Invalid) -> list[Any]:
    for argument in arguments:
        if not isinstance(argument, str | RegexpValue | PatternType | RegexpType):
            raise _no_pattern("Pattern", argument, invalid)
    return arguments


def _uri(arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    if type(arguments[0]) is dict:
        check("URI-Type parameter", URI_PARAMETER, arguments[0])
    return arguments if type(arguments[0]) in (dict, str) else None


def _runtime(arguments: list[Any], invalid: Invalid) -> list[Any]:
    check("Runtime 'runtime'", STRING, arguments[0])
    check("Runtime 'name_or_pattern'", _RUNTIME_NAME, arguments[1])
    return arguments


_NAME = StringType((1, None))
_RUNTIME_NAME = VariantType((_NAME, TupleType((REGEXP, _NAME))))
_KINDS = tuple(TypeType(kind) for kind in (PATTERN, ENUM, NOT_UNDEF, base.UNDEF))
_PART = OptionalType(VariantType((_NAME, REGEXP, *_KINDS)))
_PORT = OptionalType(VariantType((IntegerType(0), *_KINDS[2:])))
URI_PARAMETER = VariantType(
    (_NAME, StructType([Member(part, _PORT if part == "port" else _PART, False) for part in URI_PARTS]))
)
_ANYTHING = Row()
_ONE = range(1, 2), "1"
_ONE_OR_TWO = range(1, 3), "1 or 2"
_UP_TO_ONE = range(2), "0 to 1"
_TIME = Row((range(3), "0 to 2"), lists=False, refuse=_no_time)
_RESOURCE_OF_A_TYPE = Row(_ONE)
_ROWS = {
    **dict.fromkeys(("Init", "Variant"), Row(lists=False)),
    **dict.fromkeys(
        ("Iterable", "Iterator", "Optional", "RegexpValue", "Struct", "Type"), Row(_ONE, lists=False)
    ),
    **dict.fromkeys(("Class", "Object"), Row(_ONE)),
    **dict.fromkeys(("NotUndef", "Sensitive"), Row(_UP_TO_ONE, lists=False)),
    **dict.fromkeys(("Collection", "String"), Row((range(1, 3), "1 to 2"), lists=False)),
    **dict.fromkeys(("Timespan", "Timestamp"), _TIME),
    "Array": Row((range(1, 4), "1 to 3"), prepare=_array),
    "Boolean": Row(_ONE, lists=False, refuse=_no_boolean),
    "Callable": Row(prepare=_callable),
    "Enum": Row(prepare=_enum, refuse=_no_name),
    "Float": Row(_ONE_OR_TWO, prepare=_float),
    "Hash": Row((range(2, 5), "2 to 4"), prepare=_hash),
    "Integer": Row(_ONE_OR_TWO, lists=False, prepare=_ends),
    "Pattern": Row(prepare=_pattern, refuse=_no_pattern),
    "Resource": Row(_ONE_OR_TWO),
    "Runtime": Row((range(2, 3), "2"), prepare=_runtime),
    "Tuple": Row(prepare=_tuple),
    "URI": Row(_ONE, prepare=_uri),
}


# --- parsing

Resolve = Callable[[str], Any]
Named = Callable[[str], "Type | None"]


def unknown(name: str) -> Any:
    """What a name means that stands for no type. Raises UNKNOWN_RESOURCE_TYPE."""
    raise error("UNKNOWN_RESOURCE_TYPE", name=name)


def parse(text: str, named: Named, dialect: Dialect, resolve: Resolve = unknown) -> Type:
    """The Type that a source text such as `Array[Integer, 1]` means.

    `named` gives the built-in type of a name, `resolve` that of any other name. Raises PuppetError for text that is
    no Puppet or names an unknown type, Failure for text that is no type expression.
    """
    try:
        program = lexer_parser.parse(text, dialect=dialect, validate=False)
    except PuppetError as problem:
        if problem.incomplete and problem.code == "SYNTAX_ERROR":
            raise Failure("TYPE_UNFINISHED") from None
        raise
    return specified(program.body, text, named, dialect, resolve)


def specified(
    node: Any, text: str, named: Named, dialect: Dialect, resolve: Resolve, begin: int | None = None
) -> Type:
    """The Type that an expression in a text specifies. Raises Failure for what is no type expression.

    A type with parameters is quoted from `begin` to the last of them: an alias from its name on.
    """
    specification = Specification(text, named, dialect, resolve)
    if begin is not None and isinstance(node, nodes.Access):
        specification.outermost = node, text[begin : max(part.end for part in nodes.walk(node.keys[-1]))]
    found = specification.meaning(node)
    if not isinstance(found, Type):
        raise _invalid(specification.written(node))
    return found


def _invalid(text: str) -> Failure:
    return Failure("NO_TYPE_EXPRESSION", text=text)


class Specification:
    """A type expression in a text. Names that `named` does not know are asked of `resolve`."""

    __slots__ = ("dialect", "named", "outermost", "resolve", "text")

    def __init__(self, text: str, named: Named, dialect: Dialect, resolve: Resolve) -> None:
        self.text = text
        self.named = named
        self.dialect = dialect
        self.resolve = resolve
        self.outermost: tuple[Any, str] | None = None

    def meaning(self, node: Any) -> Any:
        """What names, parameters and literals mean. Raises Failure for any other expression."""
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise _invalid(self.written(node))
        return handler(node, self)

    def type_of(self, node: Any, resolve: Resolve) -> Any:
        """A type, or the hash of an Object type, in which `resolve` knows the names. Raises Failure."""
        inside = Specification(self.text, self.named, self.dialect, resolve)
        found = (
            _short_form(node, inside) if isinstance(node, nodes.ResourceDefaults) else inside.meaning(node)
        )
        if not isinstance(found, Type | dict):
            raise _invalid(inside.written(node))
        return found

    def written(self, node: Any) -> str:
        """The text of a node, from the first to the last of what is in it."""
        if self.outermost is not None and self.outermost[0] is node:
            return self.outermost[1]
        inside = list(nodes.walk(node))
        return (
            self.text[min(one.start for one in inside) : max(one.end for one in inside)] or self.text.strip()
        )


def _name(node: Any, within: Specification) -> Any:
    found = within.named(node.value)
    return found if found is not None else within.resolve(node.value)


def _access(node: Any, within: Specification) -> Any:
    name = node.left.value.lower() if isinstance(node.left, nodes.Name | nodes.TypeName) else ""
    if name == "typeset" and len(node.keys) == 1:
        return _type_set(node.keys[0], within)
    if not isinstance(node.left, nodes.TypeName):
        raise _invalid(within.written(node))
    kind = within.meaning(node.left)
    arguments = defining("", lambda: [within.meaning(key) for key in node.keys])  # types in it have no name
    is_known = not isinstance(kind, TypeReference)
    if name == "typereference" or (is_known and not takes_parameters(kind)):
        raise Failure("TYPE_WITHOUT_PARAMETERS", name=node.left.value)
    if not is_known:
        return TypeReference(within.written(node))
    given = prepared(kind, arguments, lambda: _invalid(within.written(node)))
    if given is None:
        return kind
    try:
        return parameterize(kind, given, within.dialect)
    except PuppetError as problem:
        if problem.operand is None:
            raise
        raise _refused(kind, given, problem, within.written(node)) from None


def _type_set(node: Any, within: Specification) -> Any:
    """A TypeSet, in which types and references are declared under bare names."""
    if not isinstance(node, nodes.Hash):
        return type_set([within.meaning(node)])
    given: dict[str, Any] = {}
    types: dict[Any, Any] | None = None
    for pair in node.entries:
        name = pair.key.value if isinstance(pair.key, nodes.Name | nodes.String) else within.meaning(pair.key)
        if not isinstance(pair.value, nodes.Hash) or name not in ("types", "references"):
            given[name] = within.meaning(pair.value)
            continue
        written: dict[Any, Any] = {getattr(one.key, "value", None): one.value for one in pair.value.entries}
        if name == "types":
            given[name], types = {}, written  # whose types may name those of references that stand behind
        else:
            given[name] = {alias: within.meaning(entry) for alias, entry in written.items()}
    if types is not None:
        known = referenced(given.get("references"), within.resolve)
        given["types"] = members(types, within.type_of, known)
    found = type_set([given])
    check_references(found, within.resolve)
    return found


def _short_form(node: nodes.ResourceDefaults, within: Specification) -> Any:
    """`Object { … }`, or `Parent { … }` with the parent in front, among the types of a set: an Object type's hash."""
    parent = within.meaning(node.type_ref)
    given = [] if parent.keyword == "Object" and parent == OBJECT else [("parent", parent)]
    for entry in node.operations:
        if not isinstance(entry, nodes.Attribute):
            raise _invalid(within.written(node))
        given.append((entry.name, within.meaning(entry.value)))
    return hash_of(given)


def _refused(kind: Any, arguments: list[Any], problem: PuppetError, text: str) -> Failure:
    """What is said of parameters that a type does not take; in a text it is other words than in a program."""
    if kind.keyword == "SemVer":
        for argument in arguments[: (problem.operand or 1) - 1]:
            if type(argument) is str:
                SemVerRange.parse(argument)
    if problem.code == "ILLEGAL_TYPE_REFERENCE":
        return Failure("ILLEGAL_TYPE_NAME", name=problem.arguments["name"])
    if kind == RESOURCE and type(arguments[0]) is not str:
        return Failure("TYPE_NAME_NOT_STRING", actual=get_ruby_class(arguments[0]))
    return refused(kind, arguments[(problem.operand or 1) - 1], lambda: _invalid(text))


def _hash_of_entries(node: Any, within: Specification) -> Any:
    return hash_of((within.meaning(pair.key), within.meaning(pair.value)) for pair in node.entries)


def _regexp(node: Any, within: Specification) -> Any:
    return RegexpValue(node.pattern)


def _parenthesized(node: Any, within: Specification) -> Any:
    inside = node.expr
    while isinstance(inside, nodes.Paren):
        inside = inside.expr
    raise _invalid(within.text[node.start : inside.end])


def _default(node: Any, within: Specification) -> Any:
    return DEFAULT


def _value(node: Any, within: Specification) -> Any:
    return node.value


_HANDLERS: dict[type, Callable[[Any, Specification], Any]] = {
    nodes.TypeName: _name,
    nodes.Access: _access,
    nodes.Paren: _parenthesized,
    nodes.Array: lambda node, within: [within.meaning(value) for value in node.values],
    nodes.Hash: _hash_of_entries,
    nodes.Regexp: _regexp,
    nodes.Default: _default,
    nodes.Undef: lambda node, within: None,
    nodes.Minus: lambda node, within: -within.meaning(node.expr),
    **dict.fromkeys((nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Name), _value),
}
