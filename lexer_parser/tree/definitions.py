"""The classes of the tree for definitions, resources and templates; see `lexer_parser.tree.nodes`."""

from __future__ import annotations

from lexer_parser.tree.node import Node

# --- Parameters and lambdas


class Parameter(Node):
    """`[type] [*] $name [= default]`; type and default are nodes or None."""

    name: str
    type: Node | None
    default: Node | None
    splat: bool


class Lambda(Node):
    """`|params| >> type { body }`; `returns` is a type expression or None."""

    parameters: list[Parameter]
    body: Node
    returns: Node | None


# --- Definitions


class Class(Node):
    """`class name(params) inherits parent { body }`; names are qualified, parent is a str or None."""

    name: str
    parameters: list[Parameter]
    parent: str | None
    body: Node


class Define(Node):
    """`define name(params) { body }`."""

    name: str
    parameters: list[Parameter]
    body: Node


class Function(Node):
    """`function name(params) >> type { body }`."""

    name: str
    parameters: list[Parameter]
    returns: Node | None
    body: Node


class Plan(Node):
    """`plan name(params) { body }` (tasks mode; rejected by validation)."""

    name: str
    parameters: list[Parameter]
    returns: Node | None
    body: Node


class NodeDefinition(Node):
    """`node 'a', /b/, default { body }`; parent is a node or None."""

    matches: list[Node]
    parent: Node | None
    body: Node


class TypeAlias(Node):
    """`type Name = type`."""

    name: str
    type: Node


class TypeMapping(Node):
    """`type Runtime[…] = Type`."""

    type: Node
    mapping: Node


class TypeDefinition(Node):
    """`type Name inherits Parent { body }` (rejected by validation)."""

    name: str
    parent: str | None
    body: Node


# --- Resources


class Resource(Node):
    """`type { title: … }`: a list of `ResourceBody`; form is `regular`, `virtual` or `exported`."""

    type_name: Node
    bodies: list[ResourceBody]
    form: str


class ResourceBody(Node):
    """`title: attributes…`."""

    title: Node
    operations: list[Node]


class ResourceDefaults(Node):
    """`Type { attributes… }`."""

    type_ref: Node
    operations: list[Node]
    form: str


class ResourceOverride(Node):
    """`Type['title'] { attributes… }`."""

    resources: Node
    operations: list[Node]
    form: str


class Attribute(Node):
    """`name => value` or `name +> value`."""

    name: str
    operator: str
    value: Node


class AttributesSplat(Node):
    """`* => expr`. PN `(splat-hash …)`."""

    expr: Node


class Collector(Node):
    """`Type <| query |> { attributes… }`; query is a `Query`."""

    type: Node
    query: Query
    operations: list[Node]


class Query(Node):
    """The part between the pipes; expr is a node or None."""

    expr: Node | None
    exported: bool


# --- Templates


class Epp(Node):
    """A template's body; its parameters are those of the Lambda around it. PN `(epp …)`."""

    body: Node
    parameters_given: bool


class RenderText(Node):
    """Literal text of a template. PN `(render-s "…")`."""

    value: str


class Render(Node):
    """`<%= expr %>`. PN `(render …)`."""

    expr: Node
