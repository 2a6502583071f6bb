"""The incremental evaluator of the Puppet language: the architecture on one page.

    source → syntax tree → Python code → values, catalog of the state → fixed point → outcome
       lexer_parser     compiler      running, operators,         catalog.fixpoint   session
                                      functions, catalog

`Session` is an ordered list of cells and the only object that front ends need; `check` examines names without
running anything. A cell is parsed, its definitions are registered, its statements are compiled to Python code
and run on the state of the cells before it. Then everything that Puppet defers is evaluated on a copy of the
state. Each step returns its result to the one that called it; the cell is a transaction that is rolled back
as a whole.

Five words:
    state: The variables, definitions and catalog so far. Its tables only grow, so a savepoint is their
        lengths.
    deferred: Puppet's order of evaluation: bodies of defines, collectors, overrides and arrows run after the
        program.
    fixed point: The copy of the state in which nothing deferred is left. Users see its catalog.
    read set: The names that deferred code reads. It decides whether a cell extends the fixed point or
        recomputes it.
    compiled source: The code of a file, shared by all programs in which its recorded assumptions hold.

Packages import downwards only: `session` → `running` → `compiler` → `operators`, `functions` → `catalog` →
`types` → `program` → `values` → `issues`. `help`, `assistance`, `checking`, `fleet` and `debugger` are loaded
on demand. README.md beside this file lists all packages, and where to add a function, operator or issue.
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.checking import check
    from evaluator.session.cell import Cell, Outcome
    from evaluator.session.session import Session

__all__ = ["Cell", "Outcome", "Session", "check"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "Cell": "session.cell",
        "Outcome": "session.cell",
        "Session": "session.session",
        "check": "checking",
    },
)
