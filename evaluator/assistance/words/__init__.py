"""What is told about the language itself: its types, keywords, operators and metaparameters, as data.

The tables are texts in the form of a docstring, read when a card is asked for. Their paragraphs:

    Integer[from, to]             how it is written: the first paragraph
    A whole number. …             words
    = Integer[1, 9] | 1 | 0       a type, values that are instances of it, values that are not
    new: …                        what `new` converts to it
    under: Numeric, Scalar        the types that it is a kind of, nearest first: the tree is made of them
    dialects: …                   where the specification and the released Puppet differ
    > Integer('12')               an example and what it gives; `spec>` and `puppet>` belong to one dialect
    12
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.calling.registry import parse_documentation
from lexer_parser.lazy import lazy_module
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.calling.registry import Example

TYPE_TABLES = ("abstract_types", "simple_types", "collection_types", "rich_types", "catalog_types")
LANGUAGE_TABLES = ("definitions", "statements", "operators")
DIALECTS = ("spec", "puppet")


class Words:
    """What is told about a name of the language.

    usage     lines of Puppet code: how it is written;  words  a few sentences
    members   rows (type, values that are instances, values that are not), as code
    new       what can be converted to the type, or "";  under  the types that it is a kind of
    dialects  where the dialects differ, or ""
    """

    __slots__ = ("_examples", "dialects", "members", "name", "new", "under", "usage", "words")

    def __init__(self, name: str, text: str) -> None:
        from textwrap import dedent

        self.name = name
        self.new = self.dialects = ""
        self.under: tuple[str, ...] = ()
        self.members: list[tuple[str, str, str]] = []
        self._examples: list[tuple[str, str]] = []
        head, *paragraphs = dedent(text).strip("\n").split("\n\n")
        self.usage = tuple(head.split("\n"))
        words = [part for part in paragraphs if not self._take(part)]
        self.words = "\n".join(_joined(part) for part in words)

    def _take(self, paragraph: str) -> bool:
        """Takes a paragraph that has a mark; False for one of plain words."""
        mark, _, rest = paragraph.partition(" ")
        if mark == "=":
            self.members += [_row(line) for line in paragraph.split("\n")]
        elif mark in ("new:", "dialects:"):
            setattr(self, mark[:-1], _joined(rest))
        elif mark == "under:":
            self.under = tuple(rest.split(", "))
        elif mark.endswith(">") and mark[:-1] in ("", *DIALECTS):
            plain = "\n".join(line.removeprefix(mark[:-1]) for line in paragraph.split("\n"))
            self._examples.append((mark[:-1], plain))
        else:
            return False
        return True

    def examples(self, dialect: str) -> list[Example]:
        """The examples that hold in a dialect."""
        texts = [text for owner, text in self._examples if owner in ("", dialect)]
        return [example for text in texts for example in parse_documentation("\n" + text)[1]]


def _joined(text: str) -> str:
    return " ".join(text.split())


def _row(line: str) -> tuple[str, str, str]:
    type_text, yes, no = line.removeprefix("= ").split(" | ")
    return type_text.strip(), yes.strip(), no.strip()


def type_words(name: str) -> Words | None:
    """What is told about a data type, its name in any case."""
    found = _tables(TYPE_TABLES)
    known = _folded().get(name.lower().removeprefix("::"))
    return Words(known, found[known]) if known is not None else None


def type_names() -> list[str]:
    """The data types that have words, as they are written."""
    return list(_tables(TYPE_TABLES))


def language_words(name: str) -> list[Words]:
    """What is told about a keyword, an operator or a topic such as "heredoc"; it may have several meanings."""
    return [Words(key, text) for key, text in _tables(LANGUAGE_TABLES).items() if name in key.split()]


def language_names() -> list[str]:
    """The keywords, operators and topics that have words."""
    return [name for key in _tables(LANGUAGE_TABLES) for name in key.split()]


def metaparameter_words(name: str) -> Words | None:
    """What is told about a metaparameter."""
    known = _tables(("metaparameters",))
    return Words(name, known[name]) if name in known else None


@memoize(owner="one for each group of tables")
def _tables(modules: tuple[str, ...]) -> dict[str, str]:
    """The texts by name; a key of the language tables holds all names of its topic."""
    found: dict[str, str] = {}
    for module in modules:
        found.update(lazy_module(f"evaluator.assistance.words.{module}").WORDS)
    return found


@memoize(owner="one result")
def _folded() -> dict[str, str]:
    return {name.lower(): name for name in _tables(TYPE_TABLES)}
