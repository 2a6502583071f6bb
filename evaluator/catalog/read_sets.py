"""Read-set analysis of define bodies, for extending a fixed point.

The read set of a body follows from its syntax tree: its parameters, variables by name, and functions that see
nothing but their arguments. A body whose read set is disjoint from what a cell adds need not be evaluated
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from evaluator import resource_types
from evaluator.catalog.model import Catalog
from evaluator.program.definitions import Definition
from evaluator.program.state import State, StateSavepoint
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Names, ProgramContext

# Nodes that read nothing but their children.
_PURE_NODES = frozenset(
    {
        *(nodes.And, nodes.Arithmetic, nodes.Array, nodes.Assignment, nodes.Attribute, nodes.AttributesSplat),
        *(nodes.Block, nodes.Boolean, nodes.Case, nodes.CaseOption, nodes.Comparison, nodes.Concat),
        *(nodes.Default, nodes.Define, nodes.Float, nodes.Hash, nodes.Heredoc, nodes.If, nodes.In),
        *(nodes.Integer, nodes.Lambda, nodes.Match, nodes.Minus, nodes.Name, nodes.Nop, nodes.Not, nodes.Or),
        *(nodes.Pair, nodes.Parameter, nodes.Paren, nodes.Regexp, nodes.ResourceBody, nodes.Selector),
        *(nodes.SelectorEntry, nodes.Splat, nodes.String, nodes.Text, nodes.TypeName, nodes.Undef),
        *(nodes.Unless, nodes.Access),
    }
)
# Tables that bodies read in ways that their syntax trees do not show.
_VISIBLE_TO_BODIES = frozenset(
    {"defaults", "definitions.functions", "definitions.types", "has_defaults", "tag_sequence", "warned"}
)
_NAMED = ("resources", "aliases")


class BodyReadSet:
    """The names that the body of a define reads: variables, classes and resource types.

    Attributes:
        classes: Classes whose variables it reads by qualified names.
        complete: False when it reads something that the analysis cannot name.
    """

    __slots__ = ("classes", "complete", "names", "own_names", "types", "variables")

    def __init__(self, definition: Definition, names: Names) -> None:
        self.names = names
        self.own_names = {"title", "name", *(parameter.name for parameter in definition.parameters)}
        self.variables: set[str] = set()
        self.classes: set[str] = set()
        self.types: set[str] = set()
        self.complete = True
        for node in nodes.walk(definition.site.node):
            rule = _RULES.get(type(node))
            if rule is not None:
                self.complete = rule(self, node) and self.complete
            elif type(node) not in _PURE_NODES:
                self.complete = False

    def _read_variable(self, node: nodes.Variable) -> bool:
        owner, _, name = node.name.removeprefix("::").rpartition("::")
        if owner:
            self.classes.add(owner)
        elif name not in self.own_names or node.name != name:
            self.variables.add(name)
        return not name.isdigit()  # match variables depend on the code that ran before

    def _read_call(self, node: nodes.Call | nodes.MethodCall) -> bool:
        name = node.name if isinstance(node, nodes.MethodCall) else node.functor
        return isinstance(name, nodes.Name) and self.names.sees_arguments_only(name.value)

    def _read_resource(self, node: nodes.Resource) -> bool:
        name = node.type_name
        if not isinstance(name, nodes.Name) or node.form != "regular":
            return False
        self.types.add(name.value.removeprefix("::"))
        return name.value != "class"


_RULES: dict[type[nodes.Node], Callable[[BodyReadSet, Any], bool]] = {
    nodes.Call: BodyReadSet._read_call,
    nodes.MethodCall: BodyReadSet._read_call,
    nodes.Resource: BodyReadSet._read_resource,
    nodes.Variable: BodyReadSet._read_variable,
}


class ReadSet:
    """The names that all deferred code reads: the union of the read sets of bodies.

    Attributes:
        complete: False once there is code whose read set is unknown.
    """

    __slots__ = ("_bodies", "_names", "classes", "complete", "types", "variables")

    def __init__(self, runtime: ProgramContext) -> None:
        self._names = runtime.names
        self._bodies: dict[Definition, BodyReadSet] = {}
        self.variables: set[str] = set()
        self.classes: set[str] = set()
        self.types: set[str] = set()
        self.complete = True

    def add_definitions(
        self, definitions: Iterable[Definition], defines: list[dict[str, Definition]]
    ) -> bool:
        """Add the read sets of bodies and of the defines that they declare, and return `complete`.

        Args:
            defines: Tables in which the other defines are looked up by name.
        """
        waiting = list(set(definitions))
        seen = set(waiting)
        while waiting and self.complete:
            definition = waiting.pop()
            if definition not in self._bodies:
                self._add_body(definition, BodyReadSet(definition, self._names))
            for name in self._bodies[definition].types:
                found = next((table[name] for table in defines if name in table), None)
                if found is None:
                    self.complete = self.complete and resource_types.is_known(name)
                elif found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return self.complete

    def _add_body(self, definition: Definition, body: BodyReadSet) -> None:
        self._bodies[definition] = body
        self.variables |= body.variables
        self.classes |= body.classes
        self.types |= body.types
        self.complete = self.complete and body.complete

    def savepoint(self) -> tuple[int, bool]:
        """Return a savepoint: the number of bodies, and `complete`."""
        return len(self._bodies), self.complete

    def rollback(self, mark: tuple[int, bool]) -> tuple[dict[Definition, BodyReadSet], bool]:
        """Return to a savepoint, and return what was added since, for `reapply`."""
        length, whole = mark
        tail: dict[Definition, BodyReadSet] = {}
        before = self.complete
        if len(self._bodies) > length:
            bodies = list(self._bodies.items())
            self._bodies, tail = {}, dict(bodies[length:])
            self.variables, self.classes, self.types = set(), set(), set()
            self.reapply((dict(bodies[:length]), whole))
        self.complete = whole
        return tail, before

    def reapply(self, tail: tuple[dict[Definition, BodyReadSet], bool]) -> None:
        """Add what `rollback` has removed."""
        bodies, whole = tail
        for definition, body in bodies.items():
            self._add_body(definition, body)
        self.complete = whole


def is_unaffected(
    reads: ReadSet, fixed: State, state: State, since: StateSavepoint, changed: set[str]
) -> bool:
    """Return True when additions to a state affect no deferred code of its fixed point.

    Args:
        reads: The read set of the deferred code.
        fixed: The state of the fixed point.
        since: The savepoint of `state` after which the additions were made.
        changed: The names of the tables that have additions.
    """
    if not reads.complete or not changed.isdisjoint(_VISIBLE_TO_BODIES):
        return False
    for table, read in (
        ("variables", reads.variables),
        ("classes", reads.classes),
        ("definitions.defines", reads.types),
    ):
        if table in changed and not read.isdisjoint(name for name, _ in state.get_added(since, table)):
            return False
    if _has_clashes(fixed, state, since):
        return False
    resources = state.catalog.resources
    added = [resources[key] for key in state.get_added(since, "catalog.pending")]
    tables = [state.definitions.defines, fixed.definitions.defines]
    definitions = {resource.definition for resource in added}
    return True not in {resource.virtual for resource in added} and reads.add_definitions(
        [definition for definition in definitions if definition is not None], tables
    )


def _has_clashes(fixed: State, state: State, since: StateSavepoint) -> bool:
    """Return True when deferred code has already made something of the same name."""
    catalog: Catalog = fixed.catalog
    for name in _NAMED:
        for table in (catalog.resources, catalog.aliases):
            if table and not table.keys().isdisjoint(state.get_added_keys(since, f"catalog.{name}")):
                return True
    return any(key in catalog.unique for key, _ in state.get_added(since, "catalog.unique")) or any(
        name in getattr(fixed.definitions, table)
        for table in ("classes", "defines", "loaded")
        for name, _ in state.get_added(since, f"definitions.{table}")
    )
