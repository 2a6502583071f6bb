"""What a classifier says of a node: classes with their parameters, and variables of the top scope."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from evaluator.catalog.classes import add_class
from evaluator.catalog.duplicates import duplicate_of_node
from evaluator.catalog.failures import problem
from evaluator.catalog.tags import is_valid
from evaluator.program.scope import Scope
from evaluator.program.settings import Classification

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def classification_of(given: Mapping[str, Any]) -> Classification:
    """What is said by a mapping with `classes`, `parameters` and `environment`, each of which may be left out.

    Raises ValueError for anything else.
    """
    for name in given:
        if name not in Classification.__slots__:
            raise ValueError(
                f"a classification has {', '.join(sorted(Classification.__slots__))}, and no '{name}'"
            )
    classes, parameters = given.get("classes") or {}, given.get("parameters") or {}
    if isinstance(classes, list | tuple):
        classes = dict.fromkeys(classes)
    for found, words in ((classes, "classes"), (parameters, "parameters")):
        if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
            raise ValueError(f"the {words} of a classification are no mapping of names to values: {found!r}")
    for name, values in classes.items():
        if values and not isinstance(values, Mapping):
            raise ValueError(f"the parameters of class {name} are no mapping of names to values: {values!r}")
    environment = given.get("environment")
    return Classification(
        {name: dict(values or {}) for name, values in classes.items()},
        {str(name): value for name, value in parameters.items() if name != "environment"},
        str(environment) if environment is not None else None,
    )


def check_classes(given: Classification) -> None:
    """Raises INVALID_TAG for a class whose name is none, such as `::web`: a node is tagged with its classes."""
    for name in map(str.lower, given.classes):
        if not is_valid(name):
            raise problem("INVALID_TAG", placeless=True, tag=name)


def classify(runtime: Program, scope: Scope) -> None:
    """Adds the classes of the node to the catalog, those with parameters first; they are evaluated like defines.

    scope  that of the node definition, or the top scope
    Raises CLASSIFIED_CLASS_NOT_FOUND, and DUPLICATE_DECLARATION for a class with parameters that has been declared.
    """
    given = runtime.settings.classification
    assert given is not None
    catalog = runtime.state.catalog
    for name, values in sorted(given.classes.items(), key=lambda pair: not pair[1]):
        name = name.lower()
        definition = runtime.names.find_class(name)
        if definition is None:
            node = runtime.settings.node
            raise problem("CLASSIFIED_CLASS_NOT_FOUND", placeless=True, name=name, node=node)
        if ("class", name) in catalog.resources:
            if values:
                raise duplicate_of_node(catalog, ("class", name))
            continue
        known = len(catalog.resources)
        add_class(scope, definition, dict(values))
        catalog.pending.extend(islice(catalog.resources, known, None))  # classes that it inherits come first
