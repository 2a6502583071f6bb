"""Provenance of attribute values: which statements set an attribute, and which lost.

It is recorded only in a session with `Settings.recorded`. Then the `history` of a resource lists every
statement that affected one of its attributes, in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program.definitions import MISSING, Scope
from evaluator.values import Value
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import find_expression_extent

if TYPE_CHECKING:
    from evaluator.catalog.model import CatalogResource
    from evaluator.catalog.overrides import AttributeChange
    from evaluator.catalog.scopes import AttributeDefault
    from evaluator.program.definitions import Definition
    from evaluator.program.lookup_trace import LookupTrace


class Cause(Record):
    """A statement that affected an attribute.

    Attributes:
        name: The attribute.
        kind: "declaration", "hash", "call", "default body", "default", "override", "collector", "data",
            "expression", "container" or "arrow".
        value: The value that it supplies; MISSING if it was not computed.
        span: The place of the statement.
        sets: False if it changed nothing because the attribute already had a value.
        adds: True when its value was appended to the previous one.
        trace: For data: the trace of the look-up.
        owner: For a container: the reference to it.
    """

    name: str
    kind: str
    value: Value
    span: Span | None = None
    sets: bool = True
    adds: bool = False
    trace: LookupTrace | None = None
    owner: str = ""


class Provenance:
    """The causes of a value: `won` lists those that make it up, `lost` the others."""

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
    """Return the provenance of each attribute of a resource, in order."""
    names = dict.fromkeys((*resource.parameters, *(cause.name for cause in resource.history)))
    return {name: Provenance(cause for cause in resource.history if cause.name == name) for name in names}


# --- recording while the program runs


def record_declaration(resource: CatalogResource) -> None:
    """Record that the declaration set all attributes that a resource has so far."""
    operations = getattr(resource.body, "operations", ())
    written = {
        operation.name: operation for operation in operations if isinstance(operation, nodes.Attribute)
    }
    splat = next((operation for operation in operations if not isinstance(operation, nodes.Attribute)), None)
    site, causes = resource.site, []
    for name, value in resource.parameters.items():
        node = written.get(name, splat)
        kind = "declaration" if name in written else "hash" if splat is not None else "call"
        causes.append(Cause(name, kind, value, site.span(node) if site is not None else None))
    resource.set_optional(history=(*resource.history, *causes))


def record_default_body(
    resource: CatalogResource, own: dict[str, Value], defaults: dict[str, Value], places: dict[str, Span]
) -> None:
    """Record the attributes of a `default:` body that applies to a resource.

    Args:
        own: The attributes of the resource's own body.
        defaults: The attributes of the `default:` body.
        places: The places of these.
    """
    remaining = [cause for cause in resource.history if cause.name in own or cause.name not in defaults]
    others = [
        Cause(name, "default body", value, places[name], sets=name not in own)
        for name, value in defaults.items()
    ]
    resource.set_optional(history=(*others, *remaining))


def record_defaults(resource: CatalogResource, owners: Iterable[dict[str, AttributeDefault]]) -> None:
    """Record resource defaults before they are applied.

    Args:
        owners: The defaults of the scopes that the resource sees, the nearest scope first.
    """
    had = set(resource.parameters)
    for owner in owners:
        for name, default in owner.items():
            cause = Cause(name, "default", default.value, default.span, sets=name not in had)
            resource.set_optional(history=(*resource.history, cause))
            had.add(name)


def record_override(
    resource: CatalogResource, change: AttributeChange, name: str, value: Value, span: Span, *, adds: bool
) -> None:
    """Record that an override, or the body of a collector, changes an attribute."""
    cause = Cause(name, "collector" if change.collected else "override", value, span, adds=adds)
    resource.set_optional(history=(*resource.history, cause))


def record_arrow(
    resource: CatalogResource, name: str, targets: list[str], span: Span, has_value: bool
) -> None:
    """Record that an arrow adds targets to a relationship attribute.

    Args:
        has_value: True if the attribute already had a value.
    """
    causes = [
        Cause(name, "arrow", target, span, adds=has_value or place > 0)
        for place, target in enumerate(targets)
    ]
    resource.set_optional(history=(*resource.history, *causes))


def record_container(resource: CatalogResource, owner: str, passed: dict[str, Value]) -> None:
    """Record that a container propagates metaparameters to a resource.

    Args:
        owner: The reference to the container.
    """
    causes = (Cause(name, "container", value, owner=owner) for name, value in passed.items())
    resource.set_optional(history=(*resource.history, *causes))


def record_parameters(
    definition: Definition,
    resource: CatalogResource,
    arguments: dict[str, Value],
    scope: Scope,
    *,
    is_class: bool,
) -> None:
    """Record the values of the parameters of a class or define.

    Args:
        arguments: The attributes before parameters were bound.
        is_class: True for a class, whose missing arguments were looked up in the data.
    """
    node: Any = definition.site.node
    causes: list[Cause] = []
    for parameter, written in zip(definition.parameters, node.parameters, strict=True):
        name = parameter.name
        has_value = arguments.get(name) is not None
        if is_class:
            trace = _trace_lookup(scope, f"{definition.name}::{name}", was_passed=has_value)
            if trace is not None:
                sets = not has_value and trace.value not in (MISSING, None)
                causes.append(Cause(name, "data", trace.value, sets=sets, trace=trace))
                has_value = has_value or sets
        if written.default is not None:
            value = MISSING if has_value else scope.variables.get(name, MISSING)
            source = definition.site.source
            span = Span(source, *find_expression_extent(written.default, source.text))
            causes.append(Cause(name, "expression", value, span, sets=not has_value))
    resource.set_optional(history=(*resource.history, *causes))


def _trace_lookup(scope: Scope, name: str, *, was_passed: bool) -> LookupTrace | None:
    """Return the trace of the last look-up of a parameter; None when there is no data.

    A parameter that was passed has not been looked up. That is done now, only to show which value has lost.
    """
    recorded = scope.runtime.trace
    assert recorded is not None
    if was_passed:
        with suppress(Failure, PuppetError):
            owner, _, parameter = name.rpartition("::")
            scope.runtime.lookup_data(scope.parent or scope, owner, [parameter])
    return next((trace for trace in reversed(recorded.nested) if trace.name == name), None)
