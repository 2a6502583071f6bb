"""One program for many nodes.

running    gives nodes in chunks to an executor and gathers what comes back;  chunks  a chunk, compiled where it arrives
processes  the executor of this machine, whose processes run  serving
results    what came of it;  table  the fleet attribute by attribute;  telling  the facts that tell nodes apart
varying    facts made from other facts
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.fleet.results import Fleet
    from evaluator.fleet.running import compile_nodes
    from evaluator.fleet.table import Group, Row
    from evaluator.fleet.varying import changed, choices, varied

__all__ = ["Fleet", "Group", "Row", "changed", "choices", "compile_nodes", "varied"]

_PLACES = {
    "Fleet": "results",
    "Group": "table",
    "Row": "table",
    "changed": "varying",
    "choices": "varying",
    "compile_nodes": "running",
    "varied": "varying",
}

__getattr__ = lazy_attributes(__name__, _PLACES)
