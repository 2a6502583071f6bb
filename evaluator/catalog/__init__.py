"""The catalog: what resource expressions, classes, collectors and relationships build.

Many programs declare nothing: what they do not need is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.catalog.fixpoint_result import Difference, Pending, Settlement
from evaluator.catalog.initial_state import start
from evaluator.catalog.model import BUILT_IN, Catalog, Edge, Resource
from evaluator.values.on_demand import on_demand

if TYPE_CHECKING:
    from evaluator.catalog.apply_checks import problems
    from evaluator.catalog.attributes import titled
    from evaluator.catalog.classes import (
        check_classes,
        check_parameter_names,
        classification_of,
        include_classes,
        node_name,
    )
    from evaluator.catalog.collectors import Collector, collect, ignore_store, realize
    from evaluator.catalog.declarations import declare, declare_one, typed
    from evaluator.catalog.differences import difference, growth
    from evaluator.catalog.fixpoint import grow, settle
    from evaluator.catalog.overrides import override, set_defaults
    from evaluator.catalog.references import resource_parameters
    from evaluator.catalog.relationships import relate
    from evaluator.catalog.store import store_of

__all__ = [
    "BUILT_IN",
    "Catalog",
    "Collector",
    "Difference",
    "Edge",
    "Pending",
    "Resource",
    "Settlement",
    "check_classes",
    "check_parameter_names",
    "classification_of",
    "collect",
    "collectable",
    "declare",
    "declare_one",
    "difference",
    "grow",
    "growth",
    "ignore_store",
    "include_classes",
    "node_name",
    "override",
    "problems",
    "realize",
    "relate",
    "resource_parameters",
    "set_defaults",
    "settle",
    "start",
    "store_of",
    "titled",
    "typed",
]

_PLACES = {
    "problems": "apply_checks",
    "Collector": "collectors",
    "check_classes": "classes",
    "check_parameter_names": "classes",
    "classification_of": "classes",
    "collect": "collectors",
    "collectable": "collectors",
    "declare": "declarations",
    "declare_one": "declarations",
    "difference": "differences",
    "grow": "fixpoint",
    "growth": "differences",
    "ignore_store": "collectors",
    "include_classes": "classes",
    "node_name": "classes",
    "override": "overrides",
    "realize": "collectors",
    "relate": "relationships",
    "resource_parameters": "references",
    "set_defaults": "overrides",
    "settle": "fixpoint",
    "store_of": "store",
    "titled": "attributes",
    "typed": "declarations",
}

__getattr__ = on_demand(__name__, _PLACES)
