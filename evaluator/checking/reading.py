"""What a program defines and what it names, each with its place: read from its tree, nothing is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lexer_parser.tree import nodes

Place = tuple[int, int]  # where a name begins and ends

# functions whose arguments are names of classes, and those whose arguments ask whether something is there
_INCLUDING = frozenset({"include", "contain", "require"})
_ASKING = frozenset({"defined", "defined_with_params", "is_function_available", "stdlib::has_function"})
# what Puppet fills by itself, wherever it is read
FILLED = frozenset(
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


class Body:
    """A body that has variables of its own.

    kind    "top", "class", "define", "function", "node", "lambda" or "template"
    around  the body whose variables it sees;  parent  the class that a class inherits from
    names   the variables that are set in it, wherever;  parameters  those that are its parameters
    open    whether others may be set that cannot be seen
    """

    __slots__ = ("around", "kind", "names", "open", "parameters", "parent")

    def __init__(self, kind: str, around: Body | None = None, parent: str | None = None) -> None:
        self.kind = kind
        self.around = around
        self.parent = parent
        self.names: set[str] = set()
        self.parameters: list[str] = []
        self.open = False


class Use:
    """A name that is used: what kind of thing it names, and where it stands.

    kind   "function", "class", "parent", "type", "data type", "attribute" or "variable"
    body   of a variable: where it is read;  owner  of an attribute: type and title, "" for that of many
    """

    __slots__ = ("body", "kind", "name", "owner", "place")

    def __init__(
        self, kind: str, name: str, place: Place, body: Body | None = None, owner: tuple[str, str] = ("", "")
    ) -> None:
        self.kind = kind
        self.name = name
        self.place = place
        self.body = body
        self.owner = owner


class Reading:
    """What a program says by its text alone.

    text     of the program;  top  the body of the program itself;  nodes  those of its node definitions
    defined  ("class" | "define" | "function" | "type", name in lower case) -> the Body, None for a type
    uses     the names that it uses;  asked  names of which it asks whether they are there
    """

    def __init__(self, program: nodes.Program) -> None:
        self.text = program.source.text
        self.top = Body("top")
        self.nodes: list[Body] = []
        self.defined: dict[tuple[str, str], Body | None] = {}
        self.uses: list[Use] = []
        self.asked: set[str] = set()
        self._seen: set[int] = set()  # names of types that are no data types, by the ids of their nodes
        find = _VISITS.get
        stack: list[tuple[nodes.Node, Body]] = [(program.body, self.top)]
        while stack:
            node, body = stack.pop()
            visit = find(type(node))
            inner = body if visit is None else visit(self, node, body) or body
            stack += [(child, inner) for child in node.children()]
        self.uses.sort(key=lambda use: use.place)

    def use(self, kind: str, name: str, node: nodes.Node, **more: Any) -> None:
        """Notes a name; `node` is where it stands."""
        self.uses.append(Use(kind, plain(name), (node.start, node.end), **more))

    def type_name(self, node: nodes.TypeName) -> None:
        """Notes a name with a capital, which stands for a type of data or of resources."""
        if id(node) not in self._seen:
            self.use("data type", node.value, node)

    def pass_by(self, node: nodes.Node) -> None:
        """Leaves out a name that is noted already, or that names no type."""
        self._seen.add(id(node))

    def attributes(self, operations: list[nodes.Node], owner: tuple[str, str]) -> None:
        """Notes the attributes that are set on what has this type and title."""
        for operation in operations:
            if isinstance(operation, nodes.Attribute):
                place = operation.start, operation.start + len(operation.name)
                self.uses.append(Use("attribute", operation.name, place, owner=owner))


def plain(name: str) -> str:
    """A name without `::` before it."""
    return name.removeprefix("::")


def text_of(node: nodes.Node) -> str | None:
    """The text that a literal stands for, None when it is no literal."""
    return node.value if isinstance(node, nodes.String | nodes.Name) else None


def texts_of(node: nodes.Node) -> Iterator[tuple[str, nodes.Node]]:
    """The literal texts that a node gives, by itself or as an array, with their nodes."""
    for part in node.values if isinstance(node, nodes.Array) else [node]:
        text = text_of(part)
        if text:
            yield text, part


def reference_of(node: nodes.Node) -> Iterator[tuple[str, str]]:
    """The type, in lower case, and the literal titles of a reference: `File['/a', '/b']`."""
    if isinstance(node, nodes.Access) and isinstance(node.left, nodes.TypeName):
        kind = plain(node.left.value.lower())
        for key in node.keys:
            for title, _ in texts_of(key):
                yield kind, plain(title.lower()) if kind == "class" else title


# --- definitions


def _definition(kind: str) -> Callable[[Reading, Any, Body], Body]:
    def visit(reading: Reading, node: Any, around: Body) -> Body:
        parent = getattr(node, "parent", None)
        body = Body(kind, reading.top, plain(parent.lower()) if parent else None)
        body.parameters = [parameter.name for parameter in node.parameters]
        reading.defined.setdefault((kind, plain(node.name.lower())), body)
        if parent:
            start = reading.text.find(parent, reading.text.find("inherits", node.start))
            reading.uses.append(Use("parent", plain(parent.lower()), (start, start + len(parent))))
        return body

    return visit


def _type_alias(reading: Reading, node: nodes.TypeAlias, body: Body) -> None:
    reading.defined["type", plain(node.name.lower())] = None
    made = node.type
    if (
        isinstance(made, nodes.Access)
        and isinstance(made.left, nodes.TypeName)
        and made.left.value == "TypeSet"
    ):
        for inner in nodes.walk(made):  # the names of a set of types are its own
            reading.pass_by(inner)


def _node(reading: Reading, node: nodes.NodeDefinition, body: Body) -> Body:
    inner = Body("node", reading.top)
    reading.nodes.append(inner)
    return inner


def _lambda(reading: Reading, node: nodes.Lambda, body: Body) -> Body:
    return Body("lambda", body)


def _parameter(reading: Reading, node: nodes.Parameter, body: Body) -> None:
    body.names.add(node.name)


def _template(reading: Reading, node: nodes.Epp, body: Body) -> None:
    # what a template without parameters is given is known only where it is rendered
    body.open = not node.parameters_given


# --- variables


def _assignment(reading: Reading, node: nodes.Assignment, body: Body) -> None:
    pending = [node.left]
    while pending:
        target = pending.pop()
        if isinstance(target, nodes.Variable):
            body.names.add(target.name)
        elif isinstance(target, nodes.Array):
            pending += target.values


def _variable(reading: Reading, node: nodes.Variable, body: Body) -> None:
    reading.uses.append(Use("variable", node.name, (node.start, node.end), body))


# --- types


def _type_name(reading: Reading, node: nodes.TypeName, body: Body) -> None:
    reading.type_name(node)


def _access(reading: Reading, node: nodes.Access, body: Body) -> None:
    if isinstance(node.left, nodes.TypeName) and plain(node.left.value.lower()) == "class":
        for key in node.keys:  # `Class[Foo]` names a class
            for inner in nodes.walk(key):
                reading.pass_by(inner)


# --- calls


def _call(reading: Reading, node: nodes.Call, body: Body) -> None:
    if isinstance(node.functor, nodes.Name):
        _called(reading, node.functor, node.arguments)


def _method(reading: Reading, node: nodes.MethodCall, body: Body) -> None:
    _called(reading, node.name, [node.receiver, *node.arguments])


def _called(reading: Reading, functor: nodes.Name, arguments: list[nodes.Node]) -> None:
    name = plain(functor.value)
    reading.use("function", name, functor)
    if name in _INCLUDING:
        for argument in arguments:
            for text, node in texts_of(argument):
                reading.use("class", text.lower(), node)
    elif name in _ASKING:
        for argument in arguments:
            for inner in nodes.walk(argument):
                _asked(reading, inner)


def _asked(reading: Reading, node: nodes.Node) -> None:
    text = node.value if isinstance(node, nodes.TypeName) else text_of(node)
    if text:
        reading.asked.add(plain(text.lower()))


# --- resources


def _resource(reading: Reading, node: nodes.Resource, body: Body) -> None:
    kind = text_of(node.type_name)
    if kind is None:
        return
    kind = plain(kind.lower())
    if kind != "class":
        reading.use("type", kind, node.type_name)
    for part in node.bodies:
        titles = list(texts_of(part.title))
        if kind != "class":
            reading.attributes(part.operations, (kind, titles[0][0] if titles else ""))
            continue
        for title, place in titles:
            reading.use("class", title.lower(), place)
            reading.attributes(part.operations, (kind, plain(title.lower())))


def _defaults(reading: Reading, node: nodes.ResourceDefaults, body: Body) -> None:
    _of_type(reading, node.type_ref, node.operations)


def _collector(reading: Reading, node: nodes.Collector, body: Body) -> None:
    _of_type(reading, node.type, node.operations)


def _of_type(reading: Reading, node: nodes.Node, operations: list[nodes.Node]) -> None:
    kind = plain(node.value.lower()) if isinstance(node, nodes.TypeName) else "class"
    reading.pass_by(node)
    if kind not in ("class", "resource"):
        reading.use("type", kind, node)
        reading.attributes(operations, (kind, ""))


def _override(reading: Reading, node: nodes.ResourceOverride, body: Body) -> None:
    for kind, title in reference_of(node.resources):
        reading.attributes(node.operations, (kind, title))
        break


_VISITS: dict[type[nodes.Node], Callable[[Reading, Any, Body], Body | None]] = {
    nodes.Class: _definition("class"),
    nodes.Define: _definition("define"),
    nodes.Function: _definition("function"),
    nodes.TypeAlias: _type_alias,
    nodes.NodeDefinition: _node,
    nodes.Lambda: _lambda,
    nodes.Parameter: _parameter,
    nodes.Epp: _template,
    nodes.Assignment: _assignment,
    nodes.Variable: _variable,
    nodes.TypeName: _type_name,
    nodes.Access: _access,
    nodes.Call: _call,
    nodes.MethodCall: _method,
    nodes.Resource: _resource,
    nodes.ResourceDefaults: _defaults,
    nodes.Collector: _collector,
    nodes.ResourceOverride: _override,
}
