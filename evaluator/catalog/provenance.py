"""Where the values of a resource's attributes came from, and what lost.

This is kept only in a session that records it (`Settings.recorded`): then a resource holds its `history`, every
statement that had a say in one of its attributes, in the order in which they had it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program.scope import MISSING, Scope
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import expression_extent

if TYPE_CHECKING:
    from evaluator.catalog.model import CatalogResource
    from evaluator.catalog.overrides import AttributeChange
    from evaluator.program.definitions import Definition
    from evaluator.program.lookup_trace import LookupTrace


class Cause:
    """What had a say in an attribute.

    kind     "declaration", "hash", "call", "default body", "default", "override", "collector", "data", "expression",
             "container" or "arrow"
    value    what it gives, MISSING where nothing was computed;  span  where it stands
    sets     false when it changed nothing, as the attribute had a value
    adds     whether its value was added to the one before
    account  of data: how it was looked up;  owner  of a container: the reference to it
    """

    __slots__ = ("account", "adds", "kind", "name", "owner", "sets", "span", "value")

    def __init__(
        self, name: str, kind: str, value: Any, span: Span | None = None, *, sets: bool = True
    ) -> None:
        self.name = name
        self.kind = kind
        self.value = value
        self.span = span
        self.sets = sets
        self.adds = False
        self.account: LookupTrace | None = None
        self.owner = ""


class Provenance:
    """Where a value came from: `won` holds several causes where values were added to each other, `lost` the rest."""

    __slots__ = ("lost", "won")

    def __init__(self, causes: Iterable[Cause]) -> None:
        self.won: list[Cause] = []
        self.lost: list[Cause] = []
        for cause in causes:
            if not cause.sets:
                self.lost.append(cause)
                continue
            if not cause.adds:
                self.lost += self.won
                self.won = []
            self.won.append(cause)


def trace_provenance(resource: CatalogResource) -> dict[str, Provenance]:
    """For each attribute of a resource from a session that records where its value came from, in order."""
    names = dict.fromkeys((*resource.parameters, *(cause.name for cause in resource.history)))
    return {name: Provenance(cause for cause in resource.history if cause.name == name) for name in names}


# --- what is noted while the program runs


def record_declaration(resource: CatalogResource) -> None:
    """Its declaration has given a resource all that it has so far."""
    operations = getattr(resource.body, "operations", ())
    written = {one.name: one for one in operations if isinstance(one, nodes.Attribute)}
    splat = next((one for one in operations if not isinstance(one, nodes.Attribute)), None)
    site, found = resource.site, []
    for name, value in resource.parameters.items():
        node = written.get(name, splat)
        kind = "declaration" if name in written else "hash" if splat is not None else "call"
        found.append(Cause(name, kind, value, site.span(node) if site is not None else None))
    resource.set_optional(history=(*resource.history, *found))


def record_default_body(resource: CatalogResource, own: dict[str, Any], given: dict[str, Any]) -> None:
    """A `default:` body stands beside the body of a resource; `own` is what that gives, `given` what the other does."""
    site = resource.site
    assert site is not None
    node: Any = site.node
    default = next((body for body in node.bodies if isinstance(body.title, nodes.Default)), node)
    written = {
        one.name: one for one in getattr(default, "operations", ()) if isinstance(one, nodes.Attribute)
    }
    kept = [cause for cause in resource.history if cause.name in own or cause.name not in given]
    others = [
        Cause(name, "default body", value, site.span(written.get(name, default)), sets=name not in own)
        for name, value in given.items()
    ]
    resource.set_optional(history=(*others, *kept))


def record_defaults(resource: CatalogResource, owners: Iterable[dict[str, tuple[Any, Span]]]) -> None:
    """Resource defaults are about to be given to a resource; `owners` are those of its scopes, the nearest first."""
    had = set(resource.parameters)
    for owner in owners:
        for name, (value, span) in owner.items():
            cause = Cause(name, "default", value, span, sets=name not in had)
            resource.set_optional(history=(*resource.history, cause))
            had.add(name)


def record_override(
    resource: CatalogResource, item: AttributeChange, name: str, value: Any, span: Span, adds: bool
) -> None:
    """An override, or the body of a collector, changes an attribute."""
    cause = Cause(name, "collector" if item.collected else "override", value, span)
    cause.adds = adds
    resource.set_optional(history=(*resource.history, cause))


def record_arrow(resource: CatalogResource, name: str, target: str, span: Span, adds: bool) -> None:
    """An arrow leads from a resource to another: it is one of those that an attribute names."""
    cause = Cause(name, "arrow", target, span)
    cause.adds = adds
    resource.set_optional(history=(*resource.history, cause))


def record_container(resource: CatalogResource, owner: str, given: dict[str, Any]) -> None:
    """What contains a resource hands metaparameters down to it; `owner` is the reference."""
    for name, value in given.items():
        cause = Cause(name, "container", value)
        cause.owner = owner
        resource.set_optional(history=(*resource.history, cause))


def record_parameters(
    definition: Definition, resource: CatalogResource, given: dict[str, Any], scope: Scope, data: bool
) -> None:
    """A class or define has its parameters.

    given  what the resource had before;  data  whether the data is asked for what was not given
    """
    node: Any = definition.site.node
    found: list[Cause] = []
    for parameter, written in zip(definition.parameters, node.parameters, strict=True):
        name = parameter.name
        settled = given.get(name) is not None
        if data:
            told = _find_lookup(scope, f"{definition.name}::{name}", settled)
            if told is not None:
                cause = Cause(
                    name, "data", told.value, sets=not settled and told.value not in (MISSING, None)
                )
                cause.account = told
                found.append(cause)
                settled = settled or cause.sets
        if written.default is not None:
            value = MISSING if settled else scope.variables.get(name, MISSING)
            source = definition.site.source
            span = Span(source, *expression_extent(written.default, source.text))
            found.append(Cause(name, "expression", value, span, sets=not settled))
    resource.set_optional(history=(*resource.history, *found))


def _find_lookup(scope: Scope, name: str, given: bool) -> LookupTrace | None:
    """How a name was looked up just now; or, where the value was given, would be. None when there is no data."""
    kept = scope.runtime.trace
    assert kept is not None
    if given:
        with suppress(Failure, PuppetError):
            scope.runtime.lookup_data(scope.parent or scope, name)
    return next((told for told in reversed(kept.nested) if told.name == name), None)
