"""The grammars, and their generated parse tables: damaged or missing tables are generated again, in memory."""

from __future__ import annotations

from binascii import crc32
from types import SimpleNamespace
from typing import Any
from warnings import warn

from lexer_parser.lazy import lazy_module


class Grammar:
    """A grammar of the language.

    Attributes:
        name: The name, which is shown in the file of its tables.
        modules: The modules of its productions; a later one replaces productions of the same name.
        table: The module of its generated tables.
    """

    __slots__ = ("modules", "name", "table")

    def __init__(self, name: str, table: str, *modules: str) -> None:
        self.name = name
        self.table = table
        self.modules = modules

    def make_namespace(self) -> SimpleNamespace:
        """Return what PLY reads a grammar from: its productions, `tokens` and `precedence`.

        Raises:
            Exception: whatever a damaged module raises.
        """
        found: dict[str, Any] = {}
        for module in map(_import, self.modules):
            lists = (*found.get("LISTS", ()), *getattr(module, "LISTS", ()))
            found |= {**vars(module), "LISTS": lists}
        return SimpleNamespace(**found)

    def load_tables(self) -> Any:
        """Return the generated tables. Missing or damaged ones are generated again by PLY, with a warning."""
        try:
            found = _import(self.table)
            if compute_digest(found) == found.DIGEST:
                return found
            problem = "are damaged"
        except Exception as cause:  # a torn file of Python can raise whatever it likes
            problem = f"cannot be read ({type(cause).__name__})"
        warn(
            f"the parse tables in lexer_parser/grammar/{self.table}.py {problem} and were made again in memory;"
            " `python -m lexer_parser.grammar.generate` writes them",
            RuntimeWarning,
            stacklevel=2,
        )
        return execute_tables(_import("generate").render_tables(self))


RELEASED = Grammar("released", "parsetab", "expressions", "definitions")
SPECIFICATION = Grammar("specification", "parsetab_spec", "expressions", "definitions", "specification")


def _import(name: str) -> Any:
    return lazy_module(f"lexer_parser.grammar.{name}")


def execute_tables(text: str) -> SimpleNamespace:
    """Return the names that the text of a generated module defines."""
    names: dict[str, Any] = {}
    exec(compile(text, "<tables>", "exec"), names)
    return SimpleNamespace(**names)


def compute_digest(tables: Any) -> int:
    """Return a checksum by which damaged tables are detected; it takes a third of a millisecond."""
    rows = [part for row in (*tables.ACTIONS, *tables.GOTOS) for part in row]
    sizes = ",".join([str(len(part)) for part in rows])
    parts = (tables.OFFSET, tables.TERMINALS, tables.NONTERMINALS, tables.PRODUCTIONS, sizes)
    return crc32(f"{parts}{''.join(rows)}".encode("utf-8", "surrogatepass"))
