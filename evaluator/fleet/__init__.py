"""A fleet: one program compiled for many nodes.

* `compilation` sends nodes in chunks to an executor, by default processes of this machine, and collects the results.
* `worker` compiles a chunk, and is the program of the processes.
* `table` holds catalogs and errors, compares them attribute by attribute, and finds facts that distinguish nodes.
* `what_if` makes facts from other facts.
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.fleet.compilation import compile_nodes
    from evaluator.fleet.table import Fleet, FleetRow, NodeGroup
    from evaluator.fleet.what_if import change_facts, parse_choices, vary_facts

__all__ = ["Fleet", "FleetRow", "NodeGroup", "change_facts", "compile_nodes", "parse_choices", "vary_facts"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "compile_nodes": "compilation",
        **dict.fromkeys(("Fleet", "FleetRow", "NodeGroup"), "table"),
        **dict.fromkeys(("change_facts", "parse_choices", "vary_facts"), "what_if"),
    },
)
