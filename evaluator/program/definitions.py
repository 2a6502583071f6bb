"""Definitions of a program (classes, defines, nodes), its lambdas, and scopes.

The compiler makes them; `catalog` evaluates bodies of definitions, and functions call lambdas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.issues import make_error
from evaluator.values.kind import CALLABLE, Value
from lexer_parser.record import Record, fresh
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


class Site(Record):
    """A place in a program, by which messages and the catalog name it: the source and a node."""

    source: Source
    node: nodes.Node

    def span(self, node: nodes.Node | None = None) -> Span:
        """Return the span of the site's node, or of a node inside it."""
        node = node or self.node
        return Span(self.source, node.start, node.end)


class DefinitionParameter(Record):
    """A parameter of a class or define.

    Attributes:
        type_of: Returns the declared Type for the evaluating scope; None when the parameter is untyped.
        default: Returns the default value, evaluated in the new body's scope; None when the parameter is required.
        has_deferred_type: True if the type is not constant.
    """

    name: str
    type_of: Callable[[Scope], Value] | None = None
    default: Callable[[Scope], Value] | None = None
    has_deferred_type: bool = False


class Definition(Record):
    """A class, define or node definition.

    Attributes:
        kind: "class", "define" or "node".
        name: The full name in lower case; "" for nodes.
        parent: The name of the inherited class, or None.
        body: Runs the body in a scope that already holds the parameters. It is compiled on its first run.
        matches: For node definitions only, the nodes that it matches: names (str), Regexp values, DEFAULT, and
            functions that return an interpolated name for a scope.
    """

    kind: str
    name: str
    site: Site
    body: Callable[[Scope], Value]
    parameters: tuple[DefinitionParameter, ...] = ()
    parent: str | None = None
    matches: tuple[Value | Callable[[Scope], Value], ...] = ()
    module_name: str = ""

    def evaluate_matches(self, scope: Scope) -> list[Value]:
        """Return the names and Regexp values that a node definition matches, or DEFAULT.

        Args:
            scope: The scope in which interpolated names are evaluated.
        """
        return [match(scope) if callable(match) else match for match in self.matches]


class ParameterSpec(Record):
    """A declared parameter of a callable.

    Attributes:
        type: The declared Type; None when the parameter is untyped (Any).
        required: False if it may be left out.
        splat: True if it takes all remaining arguments (`*$rest`).
        span: The place of the declaration.
    """

    name: str
    type: Value = None
    required: bool = True
    splat: bool = False
    span: Span | None = None


class LambdaBlock(Record):
    """A lambda as it is passed to a function.

    Attributes:
        fn: The Python function. It takes the arguments positionally, checks their types and returns the value. Call
            `block.fn(x, y)` with a number of arguments between `min` and `max`.
        parameters: The declared parameters.
        min: The smallest number of arguments it takes.
        max: The largest number of arguments it takes; None for any number.
        returns: The declared return type, or None.
    """

    fn: Callable[..., Value]
    parameters: tuple[ParameterSpec, ...]
    min: int
    max: int | None
    returns: Value = None

    kind = CALLABLE

    def call(self, arguments: Sequence[Value]) -> Value:
        """Return the result of calling the lambda with any number of arguments.

        Surplus arguments are dropped. A parameter for the rest takes all that is left, and its own type check reports
        when that is too little or too much.

        Raises:
            PuppetError: A required parameter has no argument.
        """
        missing = self.parameters[len(arguments)] if len(arguments) < len(self.parameters) else None
        if missing is not None and missing.required:
            raise make_error("PARAMETER_NOT_GIVEN", missing.span, name=missing.name)
        takes_all = self.max is None or (bool(self.parameters) and self.parameters[-1].splat)
        return self.fn(*(arguments if takes_all else arguments[: self.max]))

    def accepts(self, count: int) -> bool:
        """Return True when the lambda can be called with `count` arguments."""
        return self.min <= count and (self.max is None or count <= self.max)


# --- control flow


class Unwind(Exception):
    """A signal of control flow on its way to the construct that ends it."""


class BreakIteration(Unwind):
    """The signal of `break()`: it ends the iteration of the function that called the lambda."""


class EarlyResult(Unwind):
    """A signal that ends a body; its value is the result of that body."""

    def __init__(self, value: Value = None) -> None:
        super().__init__()
        self.value = value


class NextIteration(EarlyResult):
    """The signal of `next(value)`: it ends a lambda, function, class or define body."""


class ReturnValue(EarlyResult):
    """The signal of `return(value)`: it ends the enclosing function, class or define body."""


MISSING: Any = object()  # the result of a search that found no value; None is the value undef

# The language sets these variables itself: no assignment, parameter or template may set them.
RESERVED_NAMES = frozenset({"facts", "server_facts", "trusted"})

# The kinds of scopes that are part of the body around them.
NESTED = frozenset({"local", "template"})
# The kinds of scopes whose bodies `return` and `next` end.
ENDED_EARLY = frozenset({"class", "define", "template"})


class Scope(Record):
    """The variables of one body, and its relations to the scopes around it.

    Attributes:
        kind: "top", "class", "define", "node", "function", "local" (a lambda that needs names) or "template".
        name: The name of the class or define; "" elsewhere.
        parent: The scope where variables are looked up next: an inherited class, a node, top; None for top.
        caller: The scope that caused the evaluation; resource defaults are also looked up in it and its callers.
        container: The key (type, title) of the resource that contains the resources declared here.
        defaults: The resource defaults set here, as type name -> attribute name -> value. The dict is replaced as a
            whole and never changed.
        inner: The scope of the lambda, function or template in this one that is evaluating a class, which sees its
            variables; None otherwise.
        match: The regular expression match behind $0, $1, … of this scope while another body runs; None if it is that
            of a scope around it.
    """

    runtime: Runtime
    kind: str
    name: str = ""
    parent: Scope | None = None
    caller: Scope | None = None
    container: tuple[str, str] = ("class", "")
    module_name: str = ""
    variables: dict[str, Value] = fresh(factory=dict)
    inner: Scope | None = None
    match: Any = None
    defaults: dict[str, dict[str, Value]] = fresh(factory=dict)

    def copy_empty(self) -> Scope:
        """Return a copy of the scope without variables."""
        copy = Scope.__new__(Scope)
        for field in Scope.record_fields:
            setattr(copy, field, getattr(self, field))
        copy.variables = {}
        return copy

    def get_unset(self, name: str) -> Value:
        """Return the value that a variable has as long as it is not set in this scope: MISSING.

        It differs while the defaults of parameters are evaluated, see `catalog.parameters.DefaultsScope`.
        """
        return MISSING

    def find(self, name: str) -> Value:
        """Return the value of an unqualified variable as seen from here, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.variables.get(name, MISSING)
            if value is not MISSING:
                return value
            above = scope.parent
            if above is not None and scope.kind not in NESTED:
                above = above.inner or above  # the lambda in which the class is evaluated
            scope = above
        return MISSING
