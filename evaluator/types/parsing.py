"""Types from source text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.types.aliases import TypeReference
from evaluator.types.base import Type
from evaluator.types.builtin import named
from evaluator.types.issues import host_class
from evaluator.types.parameters import parameterize
from evaluator.types.references import RESOURCE
from lexer_parser import nodes
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError

Resolve = Callable[[str], Any]
_parsed: dict[tuple[str, str], Type] = {}


def parse_type(text: str, dialect: Dialect = PUPPET, resolve: Resolve | None = None) -> Type:
    """The Type that a source text such as `Array[Integer, 1]` means.

    `resolve` gives the Type of a name that is not built in. Raises PuppetError for text that is no Puppet or
    names an unknown type, Failure for text that is no type expression.
    """
    if resolve is None:
        found = _parsed.get((text, dialect.name))
        if found is None:
            found = _parsed[text, dialect.name] = _parse(text, dialect, _unknown)
        return found
    return _parse(text, dialect, resolve)


def _parse(text: str, dialect: Dialect, resolve: Resolve) -> Type:
    import lexer_parser

    try:
        program = lexer_parser.parse(text, dialect=dialect, validate=False)
    except lexer_parser.PuppetError as error:
        if error.incomplete and error.message.endswith("end of input"):
            raise Failure(error.message) from None
        raise
    return specified(program.body, text, dialect, resolve)


def specified(node: Any, text: str, dialect: Dialect, resolve: Resolve) -> Type:
    """The Type that an expression in a text specifies. Raises Failure for what is no type expression."""
    specification = Specification(text, dialect, resolve)
    found = specification.meaning(node)
    if not isinstance(found, Type):
        raise _invalid(specification.written(node))
    return found


def _invalid(text: str) -> Failure:
    return Failure(f"The expression <{text}> is not a valid type specification.")


def _unknown(name: str) -> Any:
    from evaluator.issues import error

    raise error("UNKNOWN_RESOURCE_TYPE", name=name)


class Specification:
    """A type expression in a text. Names that are not built in are asked of `resolve`."""

    __slots__ = ("dialect", "resolve", "text")

    def __init__(self, text: str, dialect: Dialect, resolve: Resolve) -> None:
        self.text = text
        self.dialect = dialect
        self.resolve = resolve

    def meaning(self, node: Any) -> Any:
        """What names, parameters and literals mean. Raises Failure for any other expression."""
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise _invalid(self.written(node))
        return handler(node, self)

    def written(self, node: Any) -> str:
        """The text of a node, from the first to the last of what is in it."""
        inside = list(nodes.walk(node))
        return self.text[min(one.start for one in inside) : max(one.end for one in inside)] or self.text


def _name(node: Any, within: Specification) -> Any:
    found = named(node.value, within.dialect)
    return found if found is not None else within.resolve(node.value)


def _access(node: Any, within: Specification) -> Any:
    arguments = [within.meaning(key) for key in node.keys]
    if not isinstance(node.left, nodes.TypeName):
        raise _invalid(within.written(node))
    kind = within.meaning(node.left)
    if isinstance(kind, TypeReference):
        return TypeReference(within.written(node))
    wanted = _COUNTS.get(kind.keyword)
    if kind.keyword == "Resource" and kind != RESOURCE:
        wanted = ("1", "1")
    if wanted is not None and str(len(arguments)) not in wanted[1]:
        raise Failure(
            f"Invalid number of type parameters specified: {kind.simple_name} requires {wanted[0]},"
            f" {len(arguments)} provided"
        )
    if len(arguments) == 2 and kind.keyword in ("Float", "Integer"):
        arguments = [_bound(kind, argument) for argument in arguments]
    try:
        return parameterize(kind, arguments, within.dialect)
    except PuppetError as error:
        if error.operand is None:
            raise
        raise _refused(kind, node.left.value, arguments, error, within.written(node)) from None


def _bound(kind: Any, value: Any) -> Any:
    """One of the two ends of a range: undef is none here, and those of a Float are converted. Raises Failure."""
    from evaluator.values.core import DEFAULT
    from evaluator.values.host_values import to_float

    if value is None or value is DEFAULT:
        return DEFAULT
    return to_float(value) if kind.keyword == "Float" else value


def _refused(kind: Any, name: str, arguments: list[Any], error: PuppetError, text: str) -> Failure:
    """What is said of parameters that a type does not take; in a text it is other words than in a program."""
    if error.code == "OPERATOR_NOT_APPLICABLE":
        return Failure(f"Not a parameterized type <{name}>")
    if kind.keyword == "SemVer":
        from evaluator.values import SemVerRange

        for argument in arguments[: (error.operand or 1) - 1]:
            if type(argument) is str:
                SemVerRange.parse(argument)
    if kind == RESOURCE and type(arguments[0]) is not str:
        return Failure(f"The type name cannot be a {host_class(arguments[0])}")
    if kind.keyword == "Enum":
        return Failure("Enum parameters must be identifiers or strings")
    if kind.keyword == "Boolean":
        return Failure("Boolean parameter must be true or false")
    if kind.keyword == "Pattern":
        wrong = host_class(arguments[(error.operand or 1) - 1])
        return Failure(f"Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{wrong}")
    return _invalid(text)


# how many parameters a type takes: in words, and the digits of the numbers
_COUNTS = {
    **dict.fromkeys(("Integer", "Float", "Resource"), ("1 or 2", "12")),
    **dict.fromkeys(("Collection", "String"), ("1 to 2", "12")),
    **dict.fromkeys(("Boolean", "Class", "Iterable", "Iterator", "Optional", "Regexp"), ("1", "1")),
    **dict.fromkeys(("Struct", "Type", "URI"), ("1", "1")),
    **dict.fromkeys(("NotUndef", "Sensitive"), ("0 to 1", "01")),
    **dict.fromkeys(("Timespan", "Timestamp"), ("0 to 2", "012")),
    "Array": ("1 to 3", "123"),
    "Hash": ("2 to 4", "234"),
    "Runtime": ("2", "2"),
}


def _hash(node: Any, within: Specification) -> Any:
    from evaluator.values import hash_of

    return hash_of((within.meaning(pair.key), within.meaning(pair.value)) for pair in node.entries)


def _regexp(node: Any, within: Specification) -> Any:
    from evaluator.values import Regexp

    return Regexp(node.pattern)


def _default(node: Any, within: Specification) -> Any:
    from evaluator.values import DEFAULT

    return DEFAULT


def _value(node: Any, within: Specification) -> Any:
    return node.value


_HANDLERS: dict[type, Callable[[Any, Specification], Any]] = {
    nodes.TypeName: _name,
    nodes.Access: _access,
    nodes.Paren: lambda node, within: within.meaning(node.expr),
    nodes.Array: lambda node, within: [within.meaning(value) for value in node.values],
    nodes.Hash: _hash,
    nodes.Regexp: _regexp,
    nodes.Default: _default,
    nodes.Undef: lambda node, within: None,
    nodes.Minus: lambda node, within: -within.meaning(node.expr),
    **dict.fromkeys((nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Name), _value),
}
