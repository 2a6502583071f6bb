"""Puppet Notation: the syntax tree as `puppet parser dump --format pn` prints it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from lexer_parser.regexps.writing import is_fixed_to_unicode
from lexer_parser.tree import nodes

# The printed form of a node: strings, and nodes that are still to be printed.
Pieces = list["str | nodes.Node"]

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_pn(ast: nodes.Node) -> str:
    """Return the PN of a program or any other node, at any depth of nesting."""
    printed: list[str] = []
    pending: Pieces = [ast]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            printed.append(piece)
        else:
            pieces = _PRINTERS[type(piece)](piece)
            pieces.reverse()
            pending.extend(pieces)
    return "".join(printed)


def quote_pn(text: str) -> str:
    """Return a string literal of PN."""
    return '"' + _ESCAPED.sub(lambda match: _ESCAPES.get(match[0]) or f"\\o{ord(match[0]):03o}", text) + '"'


def format_float(value: float) -> str:
    """Return a floating point number as Ruby prints it: with a point even before an exponent."""
    mantissa, mark, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{mark}{exponent}"


# --- The forms of PN


def _join_with_blanks(items: Sequence[str | nodes.Node]) -> Pieces:
    pieces: Pieces = []
    for item in items:
        pieces += [" ", item] if pieces else [item]
    return pieces


def _call(name: str, *arguments: str | nodes.Node | Pieces) -> Pieces:
    """Return `(name argument …)`."""
    pieces: Pieces = ["(", name]
    for argument in arguments:
        pieces.append(" ")
        pieces += argument if isinstance(argument, list) else [argument]
    return [*pieces, ")"]


def _list(items: Sequence[Any]) -> Pieces:
    return ["[", *_join_with_blanks(items), "]"]


def _map(**entries: str | nodes.Node | Pieces | None) -> Pieces:
    """Return a map; entries that are None are left out."""
    pieces: Pieces = ["{"]
    for key, value in entries.items():
        if value is not None:
            pieces += [" :" if len(pieces) > 1 else ":", key, " "]
            pieces += value if isinstance(value, list) else [value]
    return [*pieces, "}"]


def _print_body(body: nodes.Node) -> Pieces:
    return _list(nodes.list_statements(body))


def _print_body_unless_empty(body: nodes.Node) -> Pieces | None:
    return None if isinstance(body, nodes.Nop) else _print_body(body)


def _print_parameters(parameters: Sequence[nodes.Parameter]) -> Pieces | None:
    if not parameters:
        return None
    entries: Pieces = []
    for parameter in parameters:
        entries += [" :" if entries else ":", parameter.name, " "]
        entries += _map(
            type=parameter.type, splat="true" if parameter.splat else None, value=parameter.default
        )
    return ["{", *entries, "}"]


# --- One printer for each class


def _print_integer(node: nodes.Integer) -> Pieces:
    if node.radix == 10:
        return [str(node.value)]
    return _call("int", _map(radix=str(node.radix), value=str(node.value)))


def _print_minus(node: nodes.Minus) -> Pieces:
    literal = node.expr
    if isinstance(literal, nodes.Integer):
        return [str(-literal.value)]
    if isinstance(literal, nodes.Float):
        return [format_float(-literal.value)]
    return _call("-", literal)


def _print_regexp(node: nodes.Regexp) -> Pieces:
    pattern = node.pattern
    return _call("regexp", quote_pn(f"(?-imx:{pattern})" if is_fixed_to_unicode(pattern) else pattern))


def _print_function_call(node: nodes.Call) -> Pieces:
    arguments = _map(functor=node.functor, args=_list(node.arguments), block=node.block)
    return _call("call" if node.rval else "invoke", arguments)


def _print_method_call(node: nodes.MethodCall) -> Pieces:
    functor = _call(".", node.receiver, node.name)
    return _call("call-method", _map(functor=functor, args=_list(node.arguments), block=node.block))


def _print_type_definition(node: nodes.TypeDefinition) -> Pieces:
    parent = [] if node.parent is None else [quote_pn(node.parent)]
    return _call("type-definition", quote_pn(node.name), *parent, node.body)


def _print_collector(node: nodes.Collector) -> Pieces:
    operations = _list(node.operations) if node.operations else None
    return _call("collect", _map(type=node.type, query=node.query, ops=operations))


def _print_query(node: nodes.Query) -> Pieces:
    name = "exported-query" if node.exported else "virtual-query"
    return _call(name) if node.expr is None else _call(name, node.expr)


def _print_epp(node: nodes.Epp) -> Pieces:
    if isinstance(node.body, nodes.Nop):
        return _call("epp")
    return _call("epp", _join_with_blanks(nodes.list_statements(node.body)))


# The fields that are entries of a map: the key, and how the value is printed.
_ENTRIES: dict[str, tuple[str, Callable[[Any], str | nodes.Node | Pieces | None]]] = {
    "bodies": ("bodies", _list),
    "body": ("body", _print_body_unless_empty),
    "form": ("form", lambda form: None if form == "regular" else quote_pn(form)),
    "matches": ("matches", _list),
    "name": ("name", quote_pn),
    "operations": ("ops", _list),
    "otherwise": ("else", _print_body_unless_empty),
    "parameters": ("params", _print_parameters),
    "parent": ("parent", lambda parent: quote_pn(parent) if isinstance(parent, str) else parent),
    "then": ("then", _print_body_unless_empty),
}


def _make_fields_printer(name: str, fields: str) -> Callable[[Any], Pieces]:
    """Return a printer of a construct as a map of fields.

    Args:
        name: The name of the construct; "" to print the map alone.
        fields: The names of the fields. One without a row in `_ENTRIES` is a node, and its key is the first word.
    """
    rows = {
        field: _ENTRIES.get(field, (field.partition("_")[0], lambda node: node)) for field in fields.split()
    }

    def print_fields(node: Any) -> Pieces:
        entries = _map(**{key: write(getattr(node, field)) for field, (key, write) in rows.items()})
        return _call(name, entries) if name else entries

    return print_fields


def _print_binary(node: Any) -> Pieces:
    return _call(node.operator, node.left, node.right)


def _print_unary(name: str) -> Callable[[Any], Pieces]:
    return lambda node: _call(name, node.expr)


_PRINTERS: dict[type[nodes.Node], Callable[[Any], Pieces]] = {
    nodes.Program: lambda node: [node.body],
    nodes.Nop: lambda node: ["(nop)"],
    nodes.Undef: lambda node: ["nil"],
    nodes.Default: lambda node: ["(default)"],
    nodes.Boolean: lambda node: ["true" if node.value else "false"],
    nodes.Integer: _print_integer,
    nodes.Float: lambda node: [format_float(node.value)],
    nodes.String: lambda node: [quote_pn(node.value)],
    nodes.Concat: lambda node: _call("concat", *node.segments),
    nodes.Text: _print_unary("str"),
    nodes.Heredoc: lambda node: _call(
        "heredoc", _map(syntax=None if node.syntax is None else quote_pn(node.syntax), text=node.text)
    ),
    nodes.Regexp: _print_regexp,
    nodes.Name: lambda node: _call("qn", quote_pn(node.value)),
    nodes.TypeName: lambda node: _call("qr", quote_pn(node.value)),
    nodes.Reserved: lambda node: _call("reserved", quote_pn(node.word)),
    nodes.Variable: lambda node: _call("var", quote_pn(node.name)),
    nodes.Array: lambda node: _call("array", *node.values),
    nodes.Hash: lambda node: _call("hash", *node.entries),
    nodes.Pair: lambda node: _call("=>", node.key, node.value),
    nodes.Paren: _print_unary("paren"),
    nodes.Not: _print_unary("!"),
    nodes.Minus: _print_minus,
    nodes.Splat: _print_unary("unfold"),
    nodes.Arithmetic: _print_binary,
    nodes.Comparison: _print_binary,
    nodes.Match: _print_binary,
    nodes.In: lambda node: _call("in", node.left, node.right),
    nodes.And: lambda node: _call("and", node.left, node.right),
    nodes.Or: lambda node: _call("or", node.left, node.right),
    nodes.Assignment: _print_binary,
    nodes.Relationship: _print_binary,
    nodes.Access: lambda node: _call("access", node.left, *node.keys),
    nodes.Block: lambda node: _call("block", *node.statements),
    nodes.If: _make_fields_printer("if", "test then otherwise"),
    nodes.Unless: _make_fields_printer("unless", "test then otherwise"),
    nodes.Case: lambda node: _call("case", node.test, _list(node.options)),
    nodes.CaseOption: lambda node: _map(when=_list(node.values), then=_print_body(node.then)),
    nodes.Selector: lambda node: _call("?", node.left, _list(node.entries)),
    nodes.SelectorEntry: lambda node: _call("=>", node.match, node.value),
    nodes.Call: _print_function_call,
    nodes.MethodCall: _print_method_call,
    nodes.Lambda: _make_fields_printer("lambda", "parameters returns body"),
    nodes.Class: _make_fields_printer("class", "name parent parameters body"),
    nodes.Define: _make_fields_printer("define", "name parameters body"),
    nodes.Function: _make_fields_printer("function", "name parameters body returns"),
    nodes.Plan: _make_fields_printer("plan", "name parameters body returns"),
    nodes.NodeDefinition: _make_fields_printer("node", "matches parent body"),
    nodes.TypeAlias: lambda node: _call("type-alias", quote_pn(node.name), node.type),
    nodes.TypeMapping: lambda node: _call("type-mapping", node.type, node.mapping),
    nodes.TypeDefinition: _print_type_definition,
    nodes.Resource: _make_fields_printer("resource", "type_name bodies form"),
    nodes.ResourceBody: _make_fields_printer("", "title operations"),
    nodes.ResourceDefaults: _make_fields_printer("resource-defaults", "type_ref operations form"),
    nodes.ResourceOverride: _make_fields_printer("resource-override", "resources operations form"),
    nodes.Attribute: lambda node: _call(node.operator, quote_pn(node.name), node.value),
    nodes.AttributesSplat: _print_unary("splat-hash"),
    nodes.Collector: _print_collector,
    nodes.Query: _print_query,
    nodes.Epp: _print_epp,
    nodes.RenderText: lambda node: _call("render-s", quote_pn(node.value)),
    nodes.Render: _print_unary("render"),
}
