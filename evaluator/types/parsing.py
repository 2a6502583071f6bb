"""Types from source text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lexer_parser
from evaluator.issues import Failure, error
from evaluator.types.aliases import TypeReference, defining
from evaluator.types.base import Type
from evaluator.types.objects import OBJECT
from evaluator.types.parameters import parameterize, takes_parameters
from evaluator.types.references import RESOURCE
from evaluator.types.typeset_definitions import check_references, members, referenced, type_set
from evaluator.types.written_parameters import prepared, refused
from evaluator.values.core import DEFAULT, hash_of
from evaluator.values.host_classes import host_class
from evaluator.values.regexps.regexps import Regexp
from evaluator.values.versions import SemVerRange
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

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
        return Failure("TYPE_NAME_NOT_STRING", actual=host_class(arguments[0]))
    return refused(kind, arguments[(problem.operand or 1) - 1], lambda: _invalid(text))


def _hash(node: Any, within: Specification) -> Any:
    return hash_of((within.meaning(pair.key), within.meaning(pair.value)) for pair in node.entries)


def _regexp(node: Any, within: Specification) -> Any:
    return Regexp(node.pattern)


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
    nodes.Hash: _hash,
    nodes.Regexp: _regexp,
    nodes.Default: _default,
    nodes.Undef: lambda node, within: None,
    nodes.Minus: lambda node, within: -within.meaning(node.expr),
    **dict.fromkeys((nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Name), _value),
}
