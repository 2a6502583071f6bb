"""Late code that gives the same whatever later cells add: it has no need to run again for each of them.

What the body of a define reads is told by its tree: its parameters, variables by name, and functions that see nothing
but their arguments. A later cell disturbs what such a body has made only when it brings one of these names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from evaluator import resource_types
from evaluator.catalog.model import Catalog
from evaluator.program.definitions import Definition
from evaluator.program.state import Mark, State
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# What reads nothing but what stands inside of it.
_PLAIN = frozenset(
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
# What may be added only while no code is evaluated late: bodies see it in ways that their trees do not show.
_SEEN_LATE = frozenset(
    {"defaults", "definitions.functions", "definitions.types", "has_defaults", "tag_sequence", "warned"}
)
_NAMED = ("resources", "aliases")


class Reads:
    """What late code reads: names of variables, of classes whose variables they are, and of resource types.

    whole  False once there is code of which it is not known
    """

    __slots__ = ("_declared", "_names", "classes", "types", "variables", "whole")

    def __init__(self, runtime: Program) -> None:
        self._names = runtime.names
        self._declared: dict[Definition, set[str]] = {}
        self.variables: set[str] = set()
        self.classes: set[str] = set()
        self.types: set[str] = set()
        self.whole = True

    def take(self, definitions: Iterable[Definition], defines: list[dict[str, Definition]]) -> bool:
        """Adds what the bodies of defines read, and those of the defines that they declare; gives `whole`.

        defines  where the others are found, by name
        """
        waiting = list(set(definitions))
        seen = set(waiting)
        while waiting and self.whole:
            for name in self._read(waiting.pop()):
                found = next((table[name] for table in defines if name in table), None)
                if found is None:
                    self.whole = self.whole and resource_types.exists(name)
                elif found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return self.whole

    def _read(self, definition: Definition) -> set[str]:
        """Adds what a body reads; gives the names of the types of which it declares resources."""
        declared = self._declared.get(definition)
        if declared is None:
            declared = self._declared[definition] = set()
            own = {"title", "name", *(parameter.name for parameter in definition.parameters)}
            for node in nodes.walk(definition.site.node):
                rule = _RULES.get(type(node))
                if rule is not None:
                    self.whole = rule(self, node, own, declared) and self.whole
                elif type(node) not in _PLAIN:
                    self.whole = False
            self.types |= declared
        return declared

    def _variable(self, node: nodes.Variable, own: set[str], declared: set[str]) -> bool:
        owner, _, name = node.name.removeprefix("::").rpartition("::")
        if owner:
            self.classes.add(owner)
        elif name not in own or node.name != name:
            self.variables.add(name)
        return not name.isdigit()  # matches are those of whatever ran before

    def _call(self, node: Any, own: set[str], declared: set[str]) -> bool:
        name = node.name if isinstance(node, nodes.MethodCall) else node.functor
        return isinstance(name, nodes.Name) and self._names.sees_arguments_only(name.value)

    def _resource(self, node: nodes.Resource, own: set[str], declared: set[str]) -> bool:
        name = node.type_name
        if not isinstance(name, nodes.Name) or node.form != "regular":
            return False
        declared.add(name.value.removeprefix("::"))
        return name.value != "class"


_RULES: dict[type[nodes.Node], Callable[[Reads, Any, set[str], set[str]], bool]] = {
    nodes.Call: Reads._call,
    nodes.MethodCall: Reads._call,
    nodes.Resource: Reads._resource,
    nodes.Variable: Reads._variable,
}


def steady(reads: Reads, settled: State, state: State, since: Mark, grown: set[str]) -> bool:
    """True when what a state has added since a moment changes nothing of what late code has made in a settled one.

    grown  the names of the tables that it has added to
    """
    if not reads.whole or not grown.isdisjoint(_SEEN_LATE):
        return False
    for table, read in (
        ("variables", reads.variables),
        ("classes", reads.classes),
        ("definitions.defines", reads.types),
    ):
        if table in grown and not read.isdisjoint(name for name, _ in state.added(since, table)):
            return False
    if _clashes(settled, state, since):
        return False
    resources = state.catalog.resources
    added = [resources[key] for key in state.added(since, "catalog.pending")]
    tables = [state.definitions.defines, settled.definitions.defines]
    definitions = {resource.definition for resource in added}
    return True not in {resource.virtual for resource in added} and reads.take(
        [definition for definition in definitions if definition is not None], tables
    )


def _clashes(settled: State, state: State, since: Mark) -> bool:
    """True when something is added that late code has made too."""
    catalog: Catalog = settled.catalog
    for name in _NAMED:
        for table in (catalog.resources, catalog.aliases):
            if table and not table.keys().isdisjoint(state.added_keys(since, f"catalog.{name}")):
                return True
    return any(key in catalog.unique for key, _ in state.added(since, "catalog.unique")) or any(
        name in getattr(settled.definitions, table)
        for table in ("classes", "defines", "loaded")
        for name, _ in state.added(since, f"definitions.{table}")
    )
