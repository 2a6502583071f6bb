"""The reference of the language itself: its types, keywords, operators and metaparameters, as data.

Each entry of a table is a string in the form of a docstring. It is parsed when a user requests help for its name (see
`evaluator.assistance.cards`). Its paragraphs:

    Integer[from, to]             usage: the first paragraph
    A whole number. …             a description
    = Integer[1, 9] | 1 | 0       a type, values that are instances of it, values that are not
    new: …                        what `new` converts to it
    under: Numeric, Scalar        its supertypes, the nearest first; the tree of types is made of these lines
    dialects: …                   the difference between the specification and released Puppet
    > Integer('12')               an example with its result; `spec>` and `puppet>` belong to one dialect
    12
"""

from __future__ import annotations

from importlib import import_module

from evaluator.calling.registry import Example, parse_documentation
from lexer_parser.dialect import Dialect
from lexer_parser.memo import memoize

TYPE_TABLES = ("basic_types", "structured_types")
LANGUAGE_TABLES = ("statements", "operators")
OWNERS = ("spec", "puppet")  # the owners of examples: the specification, and all releases


class ReferenceEntry:
    """The description of a name of the language.

    Attributes:
        name: The name.
        usage: Lines of Puppet code that show its syntax.
        words: A description of a few sentences.
        members: Rows (type, values that are instances, values that are not instances), as code.
        new: The values that can be converted to the type, or "".
        under: The supertypes of the type, beginning with the nearest.
        dialects: The difference between the dialects, or "".
    """

    def __init__(self, name: str, text: str) -> None:
        from textwrap import dedent

        self.name = name
        self.new = self.dialects = ""
        self.under: tuple[str, ...] = ()
        self.members: list[tuple[str, str, str]] = []
        self._examples: list[tuple[str, str]] = []
        head, *paragraphs = dedent(text).strip("\n").split("\n\n")
        self.usage = tuple(head.split("\n"))
        descriptions = [paragraph for paragraph in paragraphs if not self._store_marked(paragraph)]
        self.words = "\n".join(map(_join_lines, descriptions))

    def _store_marked(self, paragraph: str) -> bool:
        """Store a paragraph that begins with a mark. Return False for one without a mark."""
        mark, _, rest = paragraph.partition(" ")
        if mark == "=":
            self.members += [_make_row(line) for line in paragraph.split("\n")]
        elif mark in ("new:", "dialects:"):
            setattr(self, mark[:-1], _join_lines(rest))
        elif mark == "under:":
            self.under = tuple(rest.split(", "))
        elif mark.endswith(">") and (owner := mark[:-1]) in ("", *OWNERS):
            example = "\n".join(line.removeprefix(owner) for line in paragraph.split("\n"))
            self._examples.append((owner, example))
        else:
            return False
        return True

    def examples(self, dialect: Dialect) -> list[Example]:
        """Return the examples for a dialect."""
        own = OWNERS[dialect.is_released]
        texts = [text for owner, text in self._examples if owner in ("", own)]
        return [example for text in texts for example in parse_documentation("\n" + text)[1]]


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _make_row(line: str) -> tuple[str, str, str]:
    """Return a row of `members` from its line: `= Integer[1, 9] | 1 | 0`."""
    type_text, yes, no = line.removeprefix("= ").split(" | ")
    return type_text.strip(), yes.strip(), no.strip()


def find_type(name: str) -> ReferenceEntry | None:
    """Return the entry of a data type, None if there is none. The case of the name does not matter."""
    texts = _load_tables(TYPE_TABLES)
    type_name = _map_lowered_names().get(name.lower().removeprefix("::"))
    return ReferenceEntry(type_name, texts[type_name]) if type_name is not None else None


def list_types() -> list[str]:
    """Return the names of the data types with an entry."""
    return list(_load_tables(TYPE_TABLES))


def find_language_entries(name: str) -> list[ReferenceEntry]:
    """Return the entries of a keyword, an operator or a topic such as "heredoc", one for each meaning."""
    return [
        ReferenceEntry(key, text)
        for key, text in _load_tables(LANGUAGE_TABLES).items()
        if name in key.split()
    ]


def list_language_names() -> list[str]:
    """Return the keywords, operators and topics with an entry."""
    return [name for key in _load_tables(LANGUAGE_TABLES) for name in key.split()]


def find_metaparameter(name: str) -> ReferenceEntry | None:
    """Return the entry of a metaparameter, None if there is none."""
    texts = _load_tables(("resources",))
    return ReferenceEntry(name, texts[name]) if name in texts else None


@memoize(owner="one for each group of tables")
def _load_tables(modules: tuple[str, ...]) -> dict[str, str]:
    """Return the texts by name; entries of the language may have several names: "if else"."""
    tables = [import_module(f"evaluator.assistance.words.{module}").WORDS for module in modules]
    return {name: text for table in tables for name, text in table.items()}


@memoize(owner="one result")
def _map_lowered_names() -> dict[str, str]:
    """Return the names of the data types by their names in lower case."""
    return {name.lower(): name for name in _load_tables(TYPE_TABLES)}
