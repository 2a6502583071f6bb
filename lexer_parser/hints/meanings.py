"""More rules: what reads like another language, and literal values that cannot do what is asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lexer_parser.hints.rules import BRACED, DECLARING
from lexer_parser.hints.view import View
from lexer_parser.issues.similar import distance
from lexer_parser.tree import nodes

FOREIGN_CONSTANTS = {
    "True": "true",
    "False": "false",
    "None": "undef",
    "Null": "undef",
    "Nil": "undef",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "undef",
    "NIL": "undef",
    "UNDEF": "undef",
}
ENSURED = {
    "dir": "directory",
    "folder": "directory",
    "symlink": "link",
    "regular": "file",
    "exists": "present",
}
STEERING = frozenset(("break", "next", "return"))
HIERA = re.compile(r"%\{(?:::)?(?:facts|trusted|lookup|hiera)\b[^}]*\}")
BLOCK_ENDS = frozenset(("end", "endif", "fi", "done", "esac"))
METACHARACTERS = frozenset(".|^$*+?")
PATTERNS = {"split": 0, "regsubst": 0}  # function -> the argument after the receiver that is a pattern
GOING_THROUGH = frozenset(("each", "map", "filter", "reduce", "any", "all", "reverse_each"))
WINDOWS_PATH = re.compile(r'"[A-Za-z]:(?:\\\\)?[^"\\]*?(\\[ntrs])')
SERVER = re.compile(r"puppet://(modules/.+)")


def alternative(view: View, node: Any) -> None:
    """`$x == 'a' or 'b'`."""
    compared = node.left
    while isinstance(compared, nodes.Or | nodes.And):
        compared = compared.left
    right = node.right
    if isinstance(right, nodes.String | nodes.Name) and not view.in_query(node):
        mended = "`$x == 'a' or $x == 'b'`, or `$x in ['a', 'b']`"
        if isinstance(compared, nodes.Comparison) and isinstance(
            compared.left, nodes.Variable | nodes.Access
        ):
            left, first = view.text(compared.left), compared.right
            if isinstance(first, nodes.String | nodes.Name) and compared.operator == "==":
                mended = f"write `{left} in [{view.text(first)}, {view.text(right)}]`"
        view.report("TEXT_IN_CONDITION", right.start, right.end, text=view.text(right), mended=mended)


def fact(view: View, node: nodes.Access) -> None:
    """`$facts['osfamly']`."""
    known = view.values.get("facts")
    key = node.keys[0] if len(node.keys) == 1 else None
    is_facts = isinstance(node.left, nodes.Variable) and node.left.name in ("facts", "::facts")
    if not (is_facts and isinstance(known, dict) and isinstance(key, nodes.String | nodes.Name)):
        return
    name = key.value
    near = [other for other in known if isinstance(other, str) and distance(name, other, 2) <= 2]
    if name not in known and len(name) > 3 and near and "." not in name:
        best = min(near, key=lambda other: (distance(name, other, 2), other))
        view.report("FACT_MISSPELT", key.start, key.end, name=name, near=best)


def index(view: View, node: nodes.Access) -> None:
    """`$list[3]` of three; who writes the list there as well tries something out."""
    left = view.literal(node.left) if isinstance(node.left, nodes.Variable) else None
    elements = left.values if isinstance(left, nodes.Array) else None
    key = node.keys[0] if len(node.keys) == 1 else None
    if not elements or any(isinstance(element, nodes.Splat) for element in elements):
        return
    if isinstance(key, nodes.Integer) and key.value >= len(elements):
        last = len(elements) - 1
        view.report("INDEX_PAST_END", key.start, key.end, index=key.value, count=len(elements), last=last)


def compared(view: View, node: nodes.Comparison) -> None:
    """`Package['a'] > Service['b']`."""
    if node.operator in ("<", ">") and all(map(_is_reference, (node.left, node.right))):
        left, right = view.text(node.left), view.text(node.right)
        arrow = f"{left} -> {right}" if node.operator == ">" else f"{left} <- {right}"
        view.report("REFERENCES_COMPARED", node.start, node.end, mended=arrow)


def _is_reference(node: nodes.Node) -> bool:
    if not (isinstance(node, nodes.Access) and isinstance(node.left, nodes.TypeName)):
        return False
    titled = all(isinstance(key, nodes.String | nodes.Name) for key in node.keys)
    return titled and node.left.value not in ("Enum", "Pattern", "Runtime", "SemVer")


def source(view: View, node: nodes.Attribute) -> None:
    """`source => 'puppet://modules/ntp/ntp.conf'`."""
    if node.name == "source" and isinstance(node.value, nodes.String):
        match = SERVER.fullmatch(node.value.value)
        if match is not None:
            view.report("SERVER_IN_SOURCE", node.value.start, node.value.end, rest=match[1])


def windows_path(view: View, node: nodes.Node) -> None:
    r"""`"C:\new"`."""
    match = WINDOWS_PATH.match(view.text(node))
    if match is not None:
        start = node.start + match.start(1)
        view.report("ESCAPE_IN_PATH", start, start + 2, text=match[1])


def constant(view: View, node: nodes.TypeName) -> None:
    """`True`, `None`."""
    if node.value in FOREIGN_CONSTANTS:
        word = FOREIGN_CONSTANTS[node.value]
        view.report("FOREIGN_CONSTANT", node.start, node.end, name=node.value, word=word)


def statements(view: View, node: nodes.Block) -> None:
    """`if $x { … } end`, and the name of a class as a statement."""
    classes = {one.name for one in node.statements if isinstance(one, nodes.Class)}
    for number, statement in enumerate(node.statements):
        if isinstance(statement, nodes.TypeName | nodes.Access) and number + 1 < len(node.statements):
            _typed_variable(view, statement, node.statements[number + 1])
        if not isinstance(statement, nodes.Name):
            continue
        if number and statement.value in BLOCK_ENDS:
            view.report("BLOCK_END_WORD", statement.start, statement.end, word=statement.value)
        elif statement.value in classes:
            view.report("CLASS_NAME_ALONE", statement.start, statement.end, name=statement.value)
        elif statement.value in STEERING:
            view.report("STEERING_WORD", statement.start, statement.end, word=statement.value)
        elif statement.value in DECLARING and number + 1 < len(node.statements):
            following = node.statements[number + 1]
            if isinstance(following, nodes.Assignment):
                text = f"{view.text(following.left)} = …"
                view.report("DECLARING_WORD", statement.start, statement.end, word=statement.value, text=text)


def _typed_variable(view: View, kind: Any, following: nodes.Node) -> None:
    """`Integer $port = 80`."""
    named = kind.left if isinstance(kind, nodes.Access) else kind
    if isinstance(named, nodes.TypeName) and isinstance(following, nodes.Assignment):
        start = view.whole(following)[0]
        if not view.source.text[kind.end : start].strip(" "):
            text, left = view.text(kind), view.text(following.left)
            view.report("TYPED_VARIABLE", kind.start, kind.end, text=text, name=left)


def steering(view: View, node: Any) -> None:
    """`'a': { break }`, `if $x { next }`."""
    if isinstance(node.then, nodes.Name) and node.then.value in STEERING:
        view.report("STEERING_WORD", node.then.start, node.then.end, word=node.then.value)


def ensured(view: View, node: nodes.Resource) -> None:
    """`file { '/srv': ensure => dir }`."""
    if not isinstance(node.type_name, nodes.Name) or node.type_name.value.removeprefix("::") != "file":
        return
    for body in node.bodies:
        values = {one.name: one.value for one in body.operations if isinstance(one, nodes.Attribute)}
        given = values.get("ensure") if "target" not in values else None
        if isinstance(given, nodes.Name | nodes.String) and given.value in ENSURED:
            word = ENSURED[given.value]
            view.report("ENSURE_AS_TARGET", given.start, given.end, text=given.value, word=word)


def node_name(view: View, node: nodes.NodeDefinition) -> None:
    """`node 'default' { }`."""
    for match in node.matches:
        if isinstance(match, nodes.String) and match.value == "default":
            view.report("DEFAULT_AS_NAME", match.start, match.end)


def parameter(view: View, node: nodes.Parameter) -> None:
    """`class web($root = nil)`."""
    given = node.default
    if isinstance(given, nodes.Name) and given.value in ("nil", "null"):
        view.report("UNDEF_AS_TEXT", given.start, given.end, text=given.value)


def heredoc(view: View, node: nodes.Heredoc) -> None:
    """`@(END)` with `${n}` in it, the name of a variable."""
    if not isinstance(node.text, nodes.String):
        return
    for match in BRACED.finditer(node.text.value):
        if match[1] in view.names:
            view.report("HEREDOC_AS_WRITTEN", node.start, node.end, text=f"${{{match[1]}}}")
            return


def hiera(view: View, node: nodes.Node) -> None:
    """`"%{facts.os.family}"`."""
    match = HIERA.search(view.text(node))
    if match is not None:
        start = node.start + match.start()
        view.report("HIERA_INTERPOLATION", start, node.start + match.end(), text=match[0])


def call(view: View, node: Any) -> None:
    """`split('10.0.0.1', '.')`, `'a, b'.each |$x| { … }`."""
    is_method = isinstance(node, nodes.MethodCall)
    named = node.name if is_method else node.functor
    name = named.value if isinstance(named, nodes.Name) else ""
    given = [node.receiver, *node.arguments] if is_method else node.arguments
    if name in PATTERNS and len(given) > 1:
        pattern = given[PATTERNS[name] + 1]
        if isinstance(pattern, nodes.String) and pattern.value in METACHARACTERS:
            shown = f"/\\{pattern.value}/"
            view.report("TEXT_AS_PATTERN", pattern.start, pattern.end, text=pattern.value, mended=shown)
    if name in GOING_THROUGH and given and node.block is not None:
        text = view.literal(given[0])
        written = text.value if isinstance(text, nodes.String) else text
        if isinstance(written, str) and "," in written:
            start, end = given[0].start, given[0].end
            view.report("EACH_OF_TEXT", start, end, name=name, text=view.text(given[0]))


RULES: dict[type[nodes.Node], tuple[Callable[[View, Any], None], ...]] = {
    nodes.Access: (fact, index),
    nodes.And: (alternative,),
    nodes.Attribute: (source,),
    nodes.Block: (statements,),
    nodes.CaseOption: (steering,),
    nodes.Call: (call,),
    nodes.Comparison: (compared,),
    nodes.Concat: (windows_path, hiera),
    nodes.Heredoc: (heredoc,),
    nodes.If: (steering,),
    nodes.MethodCall: (call,),
    nodes.NodeDefinition: (node_name,),
    nodes.Or: (alternative,),
    nodes.Parameter: (parameter,),
    nodes.Resource: (ensured,),
    nodes.String: (windows_path, hiera),
    nodes.TypeName: (constant,),
    nodes.Unless: (steering,),
}
