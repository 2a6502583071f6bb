"""The catalog: resources, classes, relationships, collectors, and the fixed point.

Compiled code calls `declare_resource`, `set_defaults`, `override_resources`, `evaluate_collector` and
`add_relationship`; they add to the `Catalog` of the state. What Puppet defers is evaluated by
`compute_fixed_point`:

    declarations, classes, overrides, collectors, relationships      while a program runs
        → fixpoint: collectors ⇄ bodies of defines, until nothing changes
        → relationships → overrides → containment → finalization     once
        → FixedPoint → differences, export, graph                    for front ends

Modules:
    model: `Catalog`, `CatalogResource`, `Edge`. `initial_state`: what every program starts from.
    declarations, attributes, tags, references: resource expressions and their parts.
    classes, parameters: classes, node definitions, classification, arguments and defaults.
    overrides, collectors, queries, store: statements that change or import resources.
    relationships, containment, finalization: the deferred steps.
    fixpoint, fixpoint_result, read_sets, bodies: the computation, its result, when it can be extended, and which
        bodies need not run again.
    graph, differences, export, provenance, apply_checks: views of a complete catalog.
    errors, scopes: wording of errors; queries about scopes.

Names that a program without resources does not need are imported on first use.
"""

from typing import TYPE_CHECKING

from evaluator.catalog.fixpoint_result import CatalogDifference, FixedPoint, PendingReference
from evaluator.catalog.initial_state import enter_initial_state
from evaluator.catalog.model import BUILT_IN, Catalog, CatalogResource, Edge
from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.catalog.apply_checks import find_apply_errors, find_cycle, find_refused_attributes
    from evaluator.catalog.attributes import check_splat, check_title, collect_attributes
    from evaluator.catalog.bodies import EvaluatedBodies
    from evaluator.catalog.classes import (
        check_class_names,
        check_parameter_names,
        evaluate_settings_class,
        include_classes,
        normalize_node_name,
        read_classification,
    )
    from evaluator.catalog.collectors import (
        ResourceCollector,
        evaluate_collector,
        realize_resources,
        resolve_collected_type,
        warn_without_store,
    )
    from evaluator.catalog.declarations import check_resource_type, declare_resource, declare_resources
    from evaluator.catalog.differences import compare_catalogs, compare_growth
    from evaluator.catalog.export import collect_conversion_warnings
    from evaluator.catalog.finalization import find_typed_attributes
    from evaluator.catalog.fixpoint import compute_fixed_point, extend_fixed_point, finalize_again
    from evaluator.catalog.graph import may_close_cycle
    from evaluator.catalog.overrides import override_resources, set_defaults
    from evaluator.catalog.parameters import evaluate_types
    from evaluator.catalog.references import read_resource_parameters
    from evaluator.catalog.relationships import add_relationship
    from evaluator.catalog.rich_data import check_written
    from evaluator.catalog.store import read_store

__all__ = [
    "BUILT_IN",
    "Catalog",
    "CatalogDifference",
    "CatalogResource",
    "Edge",
    "EvaluatedBodies",
    "FixedPoint",
    "PendingReference",
    "ResourceCollector",
    "add_relationship",
    "check_class_names",
    "check_parameter_names",
    "check_resource_type",
    "check_splat",
    "check_title",
    "check_written",
    "collect_attributes",
    "collect_conversion_warnings",
    "compare_catalogs",
    "compare_growth",
    "compute_fixed_point",
    "declare_resource",
    "declare_resources",
    "enter_initial_state",
    "evaluate_collector",
    "evaluate_settings_class",
    "evaluate_types",
    "extend_fixed_point",
    "finalize_again",
    "find_apply_errors",
    "find_cycle",
    "find_refused_attributes",
    "find_typed_attributes",
    "include_classes",
    "may_close_cycle",
    "normalize_node_name",
    "override_resources",
    "read_classification",
    "read_resource_parameters",
    "read_store",
    "realize_resources",
    "resolve_collected_type",
    "set_defaults",
    "warn_without_store",
]

_MODULES = {
    "find_apply_errors": "apply_checks",
    "find_cycle": "apply_checks",
    "find_refused_attributes": "apply_checks",
    "may_close_cycle": "graph",
    "EvaluatedBodies": "bodies",
    "ResourceCollector": "collectors",
    "check_class_names": "classes",
    "check_parameter_names": "classes",
    "read_classification": "classes",
    "evaluate_collector": "collectors",
    "resolve_collected_type": "collectors",
    "evaluate_settings_class": "classes",
    "evaluate_types": "parameters",
    "declare_resources": "declarations",
    "declare_resource": "declarations",
    "collect_conversion_warnings": "export",
    "compare_catalogs": "differences",
    "extend_fixed_point": "fixpoint",
    "finalize_again": "fixpoint",
    "compare_growth": "differences",
    "warn_without_store": "collectors",
    "include_classes": "classes",
    "normalize_node_name": "classes",
    "override_resources": "overrides",
    "realize_resources": "collectors",
    "add_relationship": "relationships",
    "read_resource_parameters": "references",
    "set_defaults": "overrides",
    "compute_fixed_point": "fixpoint",
    "read_store": "store",
    "check_splat": "attributes",
    "collect_attributes": "attributes",
    "check_title": "attributes",
    "find_typed_attributes": "finalization",
    "check_written": "rich_data",
    "check_resource_type": "declarations",
}

__getattr__ = lazy_attributes(__name__, _MODULES)
