"""Reading resources: `Type['title']['attribute']`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator import issues, resource_types, values
from evaluator.catalog.model import Catalog, Resource

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def resource_parameters(runtime: Program, reference: Any, names: list[Any]) -> Any:
    """The value of an attribute, or an array of the values of several; those that are not set are left out then.

    Raises UNKNOWN_RESOURCE when no such resource is declared and UNKNOWN_RESOURCE_PARAMETER.
    """
    catalog: Catalog = runtime.state.catalog
    catalog.looked = True
    resource = catalog.find(reference.key)
    if resource is None:
        raise issues.error("UNKNOWN_RESOURCE", reference=_shown(reference))
    found = [_value(resource, reference, name) for name in names]
    return found[0] if len(found) == 1 else found


def _value(resource: Resource, reference: Any, name: Any) -> Any:
    text = values.text(name)
    if text in resource.parameters:
        return resource.parameters[text]
    valid = _valid(resource)
    if valid is not None and text not in valid:
        raise issues.error("UNKNOWN_RESOURCE_PARAMETER", reference=_shown(reference), name=text)
    return None


def _valid(resource: Resource) -> frozenset[str] | None:
    """The attributes that it can have; None when they are not known."""
    if resource.definition is None:
        known = resource.facts()
        return known.valid if known is not None else resource_types.METAPARAMETERS | {"name"}
    own = {parameter.name for parameter in resource.definition.parameters}
    return resource_types.METAPARAMETERS | own


def _shown(reference: Any) -> str:
    return f"Class['{reference.title}']" if reference.key[0] == "class" else values.literal(reference)
