"""The documentation of definitions: the head, the comment above, and its descriptions of parameters."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluator.assistance.cursor import list_outer_tokens, scan_tokens
from evaluator.calling.registry import to_plain_name
from evaluator.issues import Failure
from evaluator.program.definitions import Definition
from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import TypeAlias

if TYPE_CHECKING:
    from evaluator.session.session import Session

_NODES: dict[str, Any] = {
    "classes": nodes.Class,
    "defines": nodes.Define,
    "functions": nodes.Function,
    "types": nodes.TypeAlias,
}
_NAME = LazyPattern(r"[a-z]\w*(?:::[a-z]\w*)*")

_TAG = LazyPattern(r"@(\w+)\s*(.*)")
_PARAMETER = LazyPattern(r"\[?([a-z]\w*)\]?\s*:?\s*(.*)")
_MARKUP = LazyPattern(r"<br ?/?>|```|\*\*")
# the length limit keeps an address without an end from being searched again and again
_LINK = LazyPattern(r"\[([^][]*+)\]\([^)]{0,1000}\)")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z`])")
_ITEM = LazyPattern(r"\s*(?:[-*+]|\d+\.|=+|#+)\s")  # a line that starts a new item
_MOST_PARAGRAPHS = 8  # paragraphs and items of a comment that are shown


class Comment(NamedTuple):
    """The parsed comment above a definition.

    Attributes:
        words: The description of the definition.
        parameters: The description of each parameter by its name.
    """

    words: str
    parameters: dict[str, str]


class Documentation:
    """A definition, whose source text is `text`, and the comment above it."""

    def __init__(self, source: Source, node: Any) -> None:
        self.source = source
        self.node = node
        self.text = source.text[node.start : node.end]
        if isinstance(node, TypeAlias):
            self.text = f"type {node.name} = {source.text[node.type.start : node.type.end]}"

    @property
    def head(self) -> str:
        """The definition up to its body, which a type alias does not have."""
        outer_tokens = [] if isinstance(self.node, TypeAlias) else list_outer_tokens(scan_tokens(self.text))
        body = next((token.start for token in outer_tokens if token.text == "{"), None)
        return self.text if body is None else self.text[:body].strip()

    @cached_property
    def comment(self) -> Comment:
        """The comment above it."""
        return parse_comment(find_comment_above(self.source.text, self.node.start))

    @property
    def declarations(self) -> dict[str, str]:
        """The declaration of each parameter by name: its type and default, as they are written."""
        return {
            parameter.name: self._format_declaration(parameter)
            for parameter in getattr(self.node, "parameters", ())
        }

    @property
    def parameter_rows(self) -> list[tuple[str, str, str]]:
        """The parameters as rows of a card: name, the first sentence about it, declaration."""
        return [
            (name, get_first_sentence(self.comment.parameters.get(name, "")), declaration)
            for name, declaration in self.declarations.items()
        ]

    def _format_declaration(self, parameter: Any) -> str:
        """Return the type and the default of a parameter, as they are written."""
        type_text = self._quote(parameter.type) if parameter.type is not None else ""
        default = f"= {self._quote(parameter.default)}" if parameter.default is not None else ""
        return f"{type_text} {default}".strip()

    def _quote(self, node: Any) -> str:
        """Return the text of a node in one line."""
        return " ".join(self.source.text[node.start : node.end].split())


def find_documentation(session: Session, table: str, name: str) -> Documentation | None:
    """Return the documentation of a definition of the program or of a module, None if there is none.

    A definition of a module is read from its file, without loading it.

    Args:
        session: The session.
        table: "classes", "defines", "functions" or "types".
        name: The name in lower case.
    """
    definition = getattr(session.runtime.state.definitions, table).get(name)
    if isinstance(definition, Definition):  # of a class or define
        return Documentation(definition.site.source, definition.site.node)
    if definition is not None:  # of a function or type alias
        return Documentation(
            definition.unit.source if table == "functions" else definition.source, definition.node
        )
    path = session.runtime.names.loader.find_path(table, name) if _NAME.fullmatch(name) else None
    return _find_in_file(session, path, _NODES[table], name) if path is not None else None


def _find_in_file(session: Session, path: str, kind: Any, name: str) -> Documentation | None:
    try:
        program = session.runtime.names.loader.parse(path)
    except (Failure, PuppetError):
        return None
    definitions: list[Any] = [node for node in nodes.list_statements(program.body) if type(node) is kind]
    matches = (node for node in definitions if to_plain_name(node.name) == name)
    return next((Documentation(program.source, node) for node in matches), None)


def get_first_sentence(text: str) -> str:
    """Return the first sentence of a comment, without its markup."""
    return _SENTENCE.split(strip_markup(text), maxsplit=1)[0]


def strip_markup(text: str) -> str:
    """Return the words of a comment without the markup that only a page shows."""
    return " ".join(_MARKUP.sub(" ", _LINK.sub(r"\1", text)).split())


def find_comment_above(text: str, start: int) -> list[str]:
    """Return the lines of the comment that ends right above a place, without their marks."""
    rows: list[str] = []
    for row in reversed(text[:start].split("\n")[:-1]):
        row = row.strip()
        if not row.startswith("#"):
            break
        rows.append(row.lstrip("#").removeprefix(" "))
    return rows[::-1]


def parse_comment(rows: list[str]) -> Comment:
    """Return the words of a comment, and the descriptions of its `@param name …` by name.

    Other tags but `@summary` are left out.
    """
    words: list[str] = []
    parameters: dict[str, list[str]] = {}
    section = words  # the rows of the tag that was found last
    for row in rows:
        tag = _TAG.match(row.strip())
        if tag is None:
            section.append(row)
            continue
        name, rest = tag.groups()
        parameter = _PARAMETER.match(rest) if name == "param" else None
        if name == "summary":
            section = words
            section.append(rest)
        elif parameter is not None:
            section = parameters[parameter[1]] = [parameter[2]]
        else:
            section = []
    paragraphs = _join_paragraphs(words)
    if len(paragraphs) > _MOST_PARAGRAPHS:
        paragraphs[_MOST_PARAGRAPHS:] = ["…"]
    return Comment("\n".join(paragraphs), {name: " ".join(rows) for name, rows in parameters.items()})


def _join_paragraphs(rows: list[str]) -> list[str]:
    """Return lines joined to paragraphs and items."""
    paragraphs: list[str] = []
    begins = True
    for row in rows:
        if not row.strip():
            begins = True
            continue
        if begins or _ITEM.match(row):
            paragraphs.append(strip_markup(row))
        else:
            paragraphs[-1] += f" {strip_markup(row)}"
        begins = False
    return paragraphs


def shorten_text(text: str, limit: int = 200) -> str:
    """Return a text, without its end if it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
