"""Generates the parse tables: `python -m lexer_parser.grammar.generate`.

PLY builds the LALR(1) tables from the grammar modules; they are kept as Python literals that load in well
under a millisecond. Nothing of PLY is imported when programs are parsed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

GRAMMARS = {"grammar": "parsetab", "spec": "parsetab_spec"}
HEADER = '''# ruff: noqa
# fmt: off
"""Parse tables made from lexer_parser.grammar.{grammar} by `python -m lexer_parser.grammar.generate`: do not edit."""

'''


class _Log:
    """Keeps what PLY tells, since it tells conflicts nowhere else."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def _keep(self, message: str, *arguments: Any, **_: Any) -> None:
        self.lines.append(message % arguments if arguments else message)

    debug = info = warning = error = critical = _keep


def build(grammar: str) -> tuple[Any, list[str]]:
    """PLY's parser for a grammar module, and PLY's complaints: conflicts, unused rules or tokens."""
    from ply import yacc

    log = _Log()
    parser = yacc.yacc(
        module=import_module(f"lexer_parser.grammar.{grammar}"),
        start="program",
        debug=True,
        debuglog=_Log(),
        errorlog=log,
        write_tables=False,
        tabmodule="none",
    )
    expected = ("no p_error() function is defined", "Generating LALR tables")
    return parser, [line for line in log.lines if line not in expected]


def render(grammar: str) -> str:
    """The text of the module with a grammar's tables; ValueError when the grammar is not clean.

    ACTIONS: for each state the terminals and the actions upon them, as two strings of equal length: an action
    is a state to shift to, or -production, plus OFFSET. One action without terminal stands for all of them.
    GOTOS: for each state the nonterminals and the states after them.
    PRODUCTIONS: for each the action function ("" when it only hands its one value on), the left side, the length.
    """
    parser, complaints = build(grammar)
    if complaints:
        raise ValueError("\n".join(complaints))
    terminals = sorted({terminal for row in parser.action.values() for terminal in row})
    nonterminals = sorted({production.name for production in parser.productions})
    offset = len(parser.productions)
    lines = [HEADER.format(grammar=grammar), f"OFFSET = {offset}\n"]
    lines.append(f"TERMINALS = {' '.join(terminals)!r}.split()\n")
    lines.append(f"NONTERMINALS = {' '.join(nonterminals)!r}.split()\n")
    lines.append("PRODUCTIONS = (\n")
    for production in parser.productions:
        function = production.func or ""
        function = "" if function.startswith("p_unit_") else function
        lines.append(f"    ({function!r}, {nonterminals.index(production.name)}, {len(production.prod)}),\n")
    lines.append(")\nACTIONS = (\n")
    for _, row in sorted(parser.action.items()):
        actions = set(row.values())
        if len(actions) == 1 and min(actions) < 0:
            lines.append(f"    ('', {chr(offset + actions.pop())!a}),\n")
        else:
            keys = "".join(chr(terminals.index(terminal)) for terminal in sorted(row))
            values = "".join(chr(offset + row[terminal]) for terminal in sorted(row))
            lines.append(f"    ({keys!a}, {values!a}),\n")
    lines.append(")\nGOTOS = (\n")
    for state in range(len(parser.action)):
        row = parser.goto.get(state, {})
        keys = "".join(chr(nonterminals.index(name)) for name in sorted(row))
        values = "".join(chr(row[name]) for name in sorted(row))
        lines.append(f"    ({keys!a}, {values!a}),\n")
    lines.append(")\n")
    return "".join(lines)


def main() -> int:
    """Writes the tables beside the grammars."""
    for grammar, table in GRAMMARS.items():
        Path(__file__).with_name(f"{table}.py").write_text(render(grammar), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
