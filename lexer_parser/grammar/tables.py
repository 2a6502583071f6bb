"""The generated parse tables as they are found: what is missing or damaged is made again, in memory."""

from __future__ import annotations

from binascii import crc32
from types import SimpleNamespace
from typing import Any
from warnings import warn

from lexer_parser.lazy import lazy_module


def grammar_module(name: str) -> Any:
    """A module of the grammar by its name. Raises whatever a damaged one raises."""
    return lazy_module(f"lexer_parser.grammar.{name}")


def tables_of(grammar: str, table: str) -> Any:
    """The module `table` with the tables of a grammar. What it lacks is told in a warning and made again by PLY."""
    try:
        found = grammar_module(table)
        if digest(found) == found.DIGEST:
            return found
        problem = "are damaged"
    except Exception as cause:  # a torn file of Python can raise whatever it likes
        problem = f"cannot be read ({type(cause).__name__})"
    warn(
        f"the parse tables in lexer_parser/grammar/{table}.py {problem} and were made again in memory;"
        " `python -m lexer_parser.grammar.generate` writes them",
        RuntimeWarning,
        stacklevel=2,
    )
    return executed(grammar_module("generate").render(grammar))


def executed(text: str) -> SimpleNamespace:
    """The names that the text of a generated module defines."""
    names: dict[str, Any] = {}
    exec(compile(text, "<tables>", "exec"), names)
    return SimpleNamespace(**names)


def digest(tables: Any) -> int:
    """A number that tells damaged tables; counted in a third of a millisecond."""
    rows = [part for row in (*tables.ACTIONS, *tables.GOTOS) for part in row]
    sizes = ",".join([str(len(part)) for part in rows])
    parts = (tables.OFFSET, tables.TERMINALS, tables.NONTERMINALS, tables.PRODUCTIONS, sizes)
    return crc32(f"{parts}{''.join(rows)}".encode("utf-8", "surrogatepass"))
