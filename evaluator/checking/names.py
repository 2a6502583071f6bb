"""The names that a program defines and uses, read from its syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evaluator.calling.registry import to_plain_name
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

Offsets = tuple[int, int]  # the beginning and end of a name

# Functions whose arguments are names of classes, and functions that test whether their arguments exist.
_INCLUDING = frozenset({"include", "contain", "require"})
_TESTING = frozenset({"defined", "defined_with_params", "is_function_available", "stdlib::has_function"})
# variables that Puppet sets, in every scope
PREDEFINED_VARIABLES = frozenset(
    {
        *("facts", "trusted", "server_facts", "environment", "module_name", "caller_module_name"),
        *(
            "servername",
            "serverip",
            "serverip6",
            "serverversion",
            "clientcert",
            "clientversion",
            "clientnoop",
        ),
        *("agent_specified_environment", "puppetversion", "facterversion", "title", "name"),
    }
)


class VariableScope(Record):
    """A body that has variables of its own.

    Attributes:
        kind: "top", "class", "define", "function", "node" or "lambda".
        around: The enclosing body, whose variables are visible in it.
        parent: The class that a class inherits from.
        variables: The variables that are set anywhere in it.
        parameters: The variables that are its parameters.
        open: True if code elsewhere may set further variables.
    """

    kind: str
    around: VariableScope | None = None
    parent: str | None = None
    variables: set[str] = fresh(factory=set)
    parameters: list[str] = fresh(factory=list)
    open: bool = False


class NameUse(Record):
    """A use of a name.

    Attributes:
        kind: "function", "class", "parent", "type", "data type", "attribute" or "variable".
        place: The offsets of the name.
        body: For a variable: the body that reads it.
        owner: For an attribute: type and title of the resource, of the first one if there are several. The title is ""
            if the text does not show it.
    """

    kind: str
    name: str
    place: Offsets
    body: VariableScope | None = None
    owner: tuple[str, str] = ("", "")


class ProgramNames:
    """The names in a program.

    Attributes:
        text: The text of the program.
        top: The scope of the program itself.
        nodes: The scopes of its node definitions.
        definitions: The scope of each definition, None for a type alias, by its kind ("class", "define", "function" or
            "type") and its name in lower case.
        uses: The names that it uses.
        tested_names: The names whose existence the program tests, for example with `defined`.
    """

    def __init__(self, program: nodes.Program) -> None:
        self.text = program.source.text
        self.top = VariableScope("top")
        self.nodes: list[VariableScope] = []
        self.definitions: dict[tuple[str, str], VariableScope | None] = {}
        self.uses: list[NameUse] = []
        self.tested_names: set[str] = set()
        self._other_names: set[int] = set()  # the ids of capitalized names that are no uses of data types
        find = _VISITS.get
        stack: list[tuple[nodes.Node, VariableScope]] = [(program.body, self.top)]
        while stack:
            node, body = stack.pop()
            visit = find(type(node))
            inner = body if visit is None else visit(self, node, body) or body
            # Nodes inside come later, so a visit can decide that a name inside is no use of a data type.
            stack += [(child, inner) for child in node.children()]
        self.uses.sort(key=lambda use: use.place)

    def add_use(self, kind: str, name: str, node: nodes.Node) -> None:
        """Add the use of a name at `node`."""
        self.uses.append(NameUse(kind, name.removeprefix("::"), (node.start, node.end)))

    def add_type_name(self, node: nodes.TypeName) -> None:
        """Add the use of a capitalized name: of a data type or a resource type."""
        if id(node) not in self._other_names:
            self.add_use("data type", node.value, node)

    def skip_type_name(self, node: nodes.Node) -> None:
        """Let `add_type_name` ignore a name that is recorded already, or that names no type."""
        self._other_names.add(id(node))

    def add_attributes(self, operations: list[nodes.Node], owner: tuple[str, str]) -> None:
        """Add the attributes that are set on the resource of this type and title."""
        for operation in operations:
            if isinstance(operation, nodes.Attribute):
                place = operation.start, operation.start + len(operation.name)
                self.uses.append(NameUse("attribute", operation.name, place, owner=owner))


def iterate_literal_strings(node: nodes.Node) -> Iterator[tuple[str, nodes.Node]]:
    """Yield the literal strings of a node or of an array of such, with their nodes."""
    for part in node.values if isinstance(node, nodes.Array) else [node]:
        text = nodes.get_literal_string(part)
        if text:
            yield text, part


def iterate_literal_references(node: nodes.Node) -> Iterator[tuple[str, str]]:
    """Yield the type with each literal title of a reference such as `File['/a', '/b']`.

    The type is in lower case.
    """
    if isinstance(node, nodes.Access) and isinstance(node.left, nodes.TypeName):
        type_name = to_plain_name(node.left.value)
        for key in node.keys:
            for title, _ in iterate_literal_strings(key):
                yield type_name, to_plain_name(title) if type_name == "class" else title


# --- definitions
#
# A visit function records the names of a node in the scope `body`. It returns the scope of the nodes inside; None if
# that is the same.


def _make_definition_visit(kind: str) -> Callable[[ProgramNames, Any, VariableScope], VariableScope]:
    def visit(names: ProgramNames, node: Any, around: VariableScope) -> VariableScope:
        parent = getattr(node, "parent", None)
        body = VariableScope(kind, around=names.top, parent=to_plain_name(parent) if parent else None)
        body.parameters = [parameter.name for parameter in node.parameters]
        names.definitions.setdefault((kind, to_plain_name(node.name)), body)
        if parent:
            # The node has the name of the parent, but not its position.
            start = names.text.find(parent, names.text.find("inherits", node.start))
            names.uses.append(NameUse("parent", to_plain_name(parent), (start, start + len(parent))))
        return body

    return visit


def _visit_type_alias(names: ProgramNames, node: nodes.TypeAlias, body: VariableScope) -> None:
    names.definitions["type", to_plain_name(node.name)] = None
    aliased = node.type
    if (
        isinstance(aliased, nodes.Access)
        and isinstance(aliased.left, nodes.TypeName)
        and aliased.left.value == "TypeSet"
    ):
        for inner in nodes.walk(aliased):  # the names inside a type set belong to it
            names.skip_type_name(inner)


def _visit_node(names: ProgramNames, node: nodes.NodeDefinition, body: VariableScope) -> VariableScope:
    inner = VariableScope("node", around=names.top)
    names.nodes.append(inner)
    return inner


def _visit_template(names: ProgramNames, node: nodes.Epp, body: VariableScope) -> None:
    # the parameters of a template that declares none are known only where it is rendered
    body.open = not node.parameters_given


# --- variables


def _visit_assignment(names: ProgramNames, node: nodes.Assignment, body: VariableScope) -> None:
    pending = [node.left]
    while pending:
        target = pending.pop()
        if isinstance(target, nodes.Variable):
            body.variables.add(target.name)
        elif isinstance(target, nodes.Array):
            pending += target.values


# --- types


def _visit_access(names: ProgramNames, node: nodes.Access, body: VariableScope) -> None:
    if isinstance(node.left, nodes.TypeName) and to_plain_name(node.left.value) == "class":
        for key in node.keys:  # `Class[Foo]` names a class
            for inner in nodes.walk(key):
                names.skip_type_name(inner)


# --- calls


def _visit_call(names: ProgramNames, node: nodes.Call, body: VariableScope) -> None:
    if isinstance(node.functor, nodes.Name):
        _add_call(names, node.functor, node.arguments)


def _add_call(names: ProgramNames, functor: nodes.Name, arguments: list[nodes.Node]) -> None:
    name = functor.value.removeprefix("::")
    names.add_use("function", name, functor)
    if name in _INCLUDING:
        for argument in arguments:
            for text, node in iterate_literal_strings(argument):
                names.add_use("class", text.lower(), node)
    elif name in _TESTING:
        for argument in arguments:
            for inner in nodes.walk(argument):
                _add_tested_name(names, inner)


def _add_tested_name(names: ProgramNames, node: nodes.Node) -> None:
    text = node.value if isinstance(node, nodes.TypeName) else nodes.get_literal_string(node)
    if text:
        names.tested_names.add(to_plain_name(text))


# --- resources


def _visit_resource(names: ProgramNames, node: nodes.Resource, body: VariableScope) -> None:
    literal = nodes.get_literal_string(node.type_name)
    if literal is None:
        return
    type_name = to_plain_name(literal)
    if type_name != "class":
        names.add_use("type", type_name, node.type_name)
    for part in node.bodies:
        if type_name == "class":
            for title, title_node in iterate_literal_strings(part.title):
                names.add_use("class", title.lower(), title_node)
                names.add_attributes(part.operations, ("class", to_plain_name(title)))
        else:
            titles = [title for title, _ in iterate_literal_strings(part.title)]
            names.add_attributes(part.operations, (type_name, titles[0] if titles else ""))


def _add_attributes_of_type(names: ProgramNames, node: nodes.Node, operations: list[nodes.Node]) -> None:
    """Add the type and the attributes of defaults or a collector, `File { mode => '0644' }`."""
    names.skip_type_name(node)
    type_name = to_plain_name(node.value) if isinstance(node, nodes.TypeName) else None
    if type_name is not None and type_name not in ("class", "resource"):
        names.add_use("type", type_name, node)
        names.add_attributes(operations, (type_name, ""))


def _visit_override(names: ProgramNames, node: nodes.ResourceOverride, body: VariableScope) -> None:
    # All resources of an override have the same attributes: the first one is enough to check them.
    first = next(iterate_literal_references(node.resources), None)
    if first is not None:
        names.add_attributes(node.operations, first)


_VISITS: dict[type[nodes.Node], Callable[[ProgramNames, Any, VariableScope], VariableScope | None]] = {
    nodes.Class: _make_definition_visit("class"),
    nodes.Define: _make_definition_visit("define"),
    nodes.Function: _make_definition_visit("function"),
    nodes.TypeAlias: _visit_type_alias,
    nodes.NodeDefinition: _visit_node,
    nodes.Lambda: lambda names, node, body: VariableScope("lambda", around=body),
    nodes.Parameter: lambda names, node, body: body.variables.add(node.name),
    nodes.Epp: _visit_template,
    nodes.Assignment: _visit_assignment,
    nodes.Variable: lambda names, node, body: names.uses.append(
        NameUse("variable", node.name, (node.start, node.end), body)
    ),
    nodes.TypeName: lambda names, node, body: names.add_type_name(node),
    nodes.Access: _visit_access,
    nodes.Call: _visit_call,
    nodes.MethodCall: lambda names, node, body: _add_call(names, node.name, [node.receiver, *node.arguments]),
    nodes.Resource: _visit_resource,
    nodes.ResourceDefaults: lambda names, node, body: _add_attributes_of_type(
        names, node.type_ref, node.operations
    ),
    nodes.Collector: lambda names, node, body: _add_attributes_of_type(names, node.type, node.operations),
    nodes.ResourceOverride: _visit_override,
}
