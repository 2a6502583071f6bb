"""Titles of native resources: what they give by the patterns of the type, and what tells resources apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.catalog.model import Resource, capitalized
from evaluator.issues import Failure
from evaluator.values import Regexp

if TYPE_CHECKING:
    from evaluator.resource_types import TypeFacts

_COMPILED: dict[str, Regexp] = {}


def parts(facts: TypeFacts, title: str) -> dict[str, Any]:
    """The attributes that a title gives by the first pattern that it fits. Raises Failure when it fits none."""
    for source, names in facts.patterns or ():
        pattern = _COMPILED.get(source)
        if pattern is None:
            pattern = _COMPILED[source] = Regexp(source)
        found = pattern.search(title)
        if found is not None:
            return {name: _group(found, number) for number, name in enumerate(names, 1)}
    raise Failure("TITLE_NOT_MATCHED", title=title)


def _group(found: Any, number: int) -> Any:
    try:
        return found[number]
    except IndexError:
        return None


def identity(facts: TypeFacts, resource: Resource) -> tuple[Any, ...] | None:
    """The values of all attributes that make up the name of a resource, by their names; None when it needs none."""
    given = {name: value for name, value in resource.parameters.items() if value is not None}
    found = {**(resource.titled or {}), **given}
    namevar = facts.namevar
    default = f"{capitalized(resource.type)}/{resource.title}"
    name = next((item for item in (found.get(namevar), found.get("name")) if item is not None), default)
    names = {namevar: name, "name": name, **{key: item for key, item in found.items() if item is not None}}
    key = tuple(names.get(attribute) for attribute in sorted(facts.namevars))
    if not facts.isomorphic or all(item in (None, False) for item in key) or key == (resource.title,):
        return None
    return key
