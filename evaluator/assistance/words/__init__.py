"""The reference of the language itself: its types, keywords, operators and metaparameters, as data.

First the entries and the functions that find them, then the hierarchy of types, which is made from the entries.

Each entry of a table is a string in the form of a docstring. It is parsed when a user requests help for its name (see
`evaluator.assistance.cards`). Its paragraphs:

    Integer[from, to]             usage: the first paragraph
    A whole number. …             a description
    = Integer[1, 9] | 1 | 0       a type, values that are instances of it, values that are not
    new: …                        what `new` converts to it
    under: Numeric, Scalar        its supertypes, the nearest first; the hierarchy of types is made of these lines
    dialects: …                   the difference between the specification and released Puppet
    > Integer('12')               an example with its result; `spec>` and `puppet>` belong to one dialect
    12
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent

from evaluator.calling.registry import Example, parse_documentation, to_plain_name
from evaluator.types import Type, find_builtin_type
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.memo import memoize

TYPE_TABLES = ("basic_types", "structured_types")
LANGUAGE_TABLES = ("statements", "operators")


class ReferenceEntry:
    """The description of a name of the language.

    Attributes:
        name: The name.
        usage: Lines of Puppet code that show its syntax.
        words: A description of a few sentences.
        instance_rows: Rows (type, values that are instances, values that are not instances), as code.
        new: The values that can be converted to the type, or "".
        supertypes: The supertypes of the type, beginning with the nearest.
        dialects: The difference between the dialects, or "".
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.new = self.dialects = ""
        self.supertypes: tuple[str, ...] = ()
        self.instance_rows: list[tuple[str, ...]] = []
        self._examples: list[tuple[str, str]] = []  # pairs of the owner, "" for both, and the text
        head, *paragraphs = dedent(text).strip("\n").split("\n\n")
        self.usage = tuple(head.split("\n"))
        descriptions = []
        for paragraph in paragraphs:
            mark, _, rest = paragraph.partition(" ")
            owner = mark.removesuffix(">")  # of an example
            if mark == "=":
                rows = [line.removeprefix("= ").split(" | ") for line in paragraph.split("\n")]
                self.instance_rows += [tuple(cell.strip() for cell in row) for row in rows]
            elif mark == "new:":
                self.new = _join_lines(rest)
            elif mark == "dialects:":
                self.dialects = _join_lines(rest)
            elif mark == "under:":
                self.supertypes = tuple(rest.split(", "))
            elif owner != mark and owner in ("", "spec", "puppet"):
                example = "\n".join(line.removeprefix(owner) for line in paragraph.split("\n"))
                self._examples.append((owner, example))
            else:
                descriptions.append(_join_lines(paragraph))
        self.words = "\n".join(descriptions)

    def examples(self, dialect: Dialect) -> list[Example]:
        """Return the examples for a dialect."""
        own = "puppet" if dialect.is_released else "spec"
        texts = [text for owner, text in self._examples if owner in ("", own)]
        _, examples = parse_documentation("\n" + "\n\n".join(texts))  # the first line is for a description
        return examples


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def find_type(name: str) -> ReferenceEntry | None:
    """Return the entry of a data type, None if there is none. The case of the name does not matter."""
    lowered = to_plain_name(name)
    texts = _load_tables(TYPE_TABLES).items()
    return next((ReferenceEntry(key, text) for key, text in texts if key.lower() == lowered), None)


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


@memoize(unbounded_because="one for each group of tables")
def _load_tables(modules: tuple[str, ...]) -> dict[str, str]:
    """Return the texts by name; entries of the language may have several names: "if else"."""
    tables = [import_module(f"evaluator.assistance.words.{module}").WORDS for module in modules]
    return {name: text for table in tables for name, text in table.items()}


# --- The hierarchy of types

# Types whose instances are of types from several branches of the hierarchy, so that they are not in it.
UNIONS = ("Data", "RichData", "Iterable", "NotUndef", "Optional", "Variant", "Init", "RichDataKey")


@memoize(unbounded_because="one result")
def read_hierarchy() -> dict[str, tuple[str, ...]]:
    """Return each type with the types right below it, in the order of the reference.

    A type is below the first of its supertypes that is in the hierarchy itself, else below Any. A type without
    supertypes in the reference is not in the hierarchy.
    """
    entries = [find_type(name) for name in list_types() if name not in UNIONS]
    supertypes = {entry.name: entry.supertypes for entry in entries if entry is not None and entry.supertypes}
    hierarchy: dict[str, tuple[str, ...]] = {}
    for name, above in supertypes.items():
        parent = next((supertype for supertype in above if supertype in supertypes), "Any")
        hierarchy[parent] = (*hierarchy.get(parent, ()), name)
    return hierarchy


def find_types_of_value(value: Value, dialect: Dialect) -> set[str]:
    """Return the names of the types, in the hierarchy and UNIONS, that include a value."""
    return {name for name, type in _iterate_types(dialect) if type.instance(value)}


def find_supertypes(inner: Type, dialect: Dialect) -> set[str]:
    """Return the names of the types, in the hierarchy and UNIONS, that include all of a type.

    Some types without parameters accept even the type right above them: Enum accepts String. Such a type is included
    only if `inner` has its name.
    """
    parents = {
        name: find_builtin_type(parent, dialect)
        for parent, names in read_hierarchy().items()
        for name in names
    }
    supertypes = set()
    for name, type in _iterate_types(dialect):
        parent = parents.get(name)
        is_narrower = parent is None or not type.assignable(parent)
        if name == inner.simple_name or (is_narrower and type.assignable(inner)):
            supertypes.add(name)
    return supertypes


def _iterate_types(dialect: Dialect) -> Iterator[tuple[str, Type]]:
    """Yield the names and types in the hierarchy and UNIONS that a dialect has."""
    for name in {name for names in read_hierarchy().values() for name in names} | {"Any", *UNIONS}:
        type = find_builtin_type(name, dialect)
        if type is not None:
            yield name, type
