"""The catalog: what resource expressions, classes, collectors and relationships build."""

from __future__ import annotations

from evaluator.catalog.attributes import titled
from evaluator.catalog.classes import check_parameter_names, include_classes
from evaluator.catalog.collectors import Collector, collect, ignore_store, realize
from evaluator.catalog.declarations import declare, typed
from evaluator.catalog.defaults import set_defaults
from evaluator.catalog.lookup import resource_parameters
from evaluator.catalog.model import Catalog, Edge, Resource
from evaluator.catalog.overrides import override
from evaluator.catalog.relationships import relate
from evaluator.catalog.settlement import settle
from evaluator.catalog.start import start

__all__ = [
    "Catalog",
    "Collector",
    "Edge",
    "Resource",
    "check_parameter_names",
    "collect",
    "declare",
    "ignore_store",
    "include_classes",
    "override",
    "realize",
    "relate",
    "resource_parameters",
    "set_defaults",
    "settle",
    "start",
    "titled",
    "typed",
]
