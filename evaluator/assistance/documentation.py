"""The documentation of definitions: the head, the comment above, and its descriptions of parameters."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evaluator.assistance.cursor import list_outer_tokens, scan_tokens
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
_LINES = 8  # at most this many paragraphs and items of a comment are shown


class Documentation:
    """A definition in its source. Its comment is parsed when it is first needed; `text` is all of it."""

    def __init__(self, source: Source, node: Any) -> None:
        self.source = source
        self.node = node
        self.text = _format_definition(source, node)

    @property
    def head(self) -> str:
        """The definition up to its body."""
        return self.text if isinstance(self.node, TypeAlias) else _format_definition_head(self.text)

    @cached_property
    def comment(self) -> tuple[str, dict[str, str]]:
        """The words of the comment above it, and its description of each parameter."""
        return parse_comment(find_comment_above(self.source.text, self.node.start))

    @property
    def declared(self) -> dict[str, str]:
        """The parameters with type and default."""
        return {
            parameter.name: self._format_declaration(parameter)
            for parameter in getattr(self.node, "parameters", ())
        }

    @property
    def parameters(self) -> list[tuple[str, str, str]]:
        """The parameters as rows: name, the first sentence about it, type and default."""
        words = self.comment[1]
        return [
            (name, get_first_sentence(words.get(name, "")), declared)
            for name, declared in self.declared.items()
        ]

    def _format_declaration(self, parameter: Any) -> str:
        """Return the type and the default of a parameter, as they are written."""

        def written(node: Any) -> str:
            return " ".join(self.source.text[node.start : node.end].split())

        type_text = written(parameter.type) if parameter.type is not None else ""
        default = f"= {written(parameter.default)}" if parameter.default is not None else ""
        return f"{type_text} {default}".strip()


def find_documentation(session: Session, table: str, name: str) -> Documentation | None:
    """Return the documentation of a definition of the program or of a module, None if there is none.

    A definition of a module is read from its file, without loading it.

    Args:
        session: The session.
        table: "classes", "defines", "functions" or "types".
        name: The name in lower case.
    """
    definition = getattr(session.runtime.state.definitions, table).get(name)
    if isinstance(definition, Definition):
        return Documentation(definition.site.source, definition.site.node)
    if definition is not None:
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
    matches = (node for node in definitions if node.name.removeprefix("::").lower() == name)
    return next((Documentation(program.source, node) for node in matches), None)


def _format_definition(source: Source, node: Any) -> str:
    if isinstance(node, TypeAlias):
        return f"type {node.name} = {source.text[node.type.start : node.type.end]}"
    return source.text[node.start : node.end]


def get_first_sentence(text: str) -> str:
    """Return the first sentence of a comment, without its markup."""
    return _SENTENCE.split(strip_markup(text), maxsplit=1)[0]


def strip_markup(text: str) -> str:
    """Return the words of a comment without the markup that only a page shows."""
    return " ".join(_MARKUP.sub(" ", _LINK.sub(r"\1", text)).split())


def _format_definition_head(text: str) -> str:
    body = next((token.start for token in list_outer_tokens(scan_tokens(text)) if token.text == "{"), None)
    return text if body is None else text[:body].strip()


def find_comment_above(text: str, start: int) -> list[str]:
    """Return the lines of the comment that ends right above a place, without their marks."""
    rows: list[str] = []
    for row in reversed(text[:start].split("\n")[:-1]):
        row = row.strip()
        if not row.startswith("#"):
            break
        rows.append(row.lstrip("#").removeprefix(" "))
    return rows[::-1]


def parse_comment(rows: list[str]) -> tuple[str, dict[str, str]]:
    """Return the words of a comment, and the descriptions of its `@param name …` by name.

    Other tags but `@summary` are left out.
    """
    words: list[str] = []
    parameters: dict[str, str] = {}
    into, parameter = words, ""
    for row in rows:
        tag = _TAG.match(row.strip())
        if tag is None:
            if parameter and row.strip():
                parameters[parameter] = f"{parameters[parameter]} {row.strip()}".strip()
            elif not parameter:
                into.append(row)
            continue
        name, rest = tag.groups()
        parameter, into = "", []
        if name == "summary":
            into = words
            words.append(rest)
        elif name == "param" and (match := _PARAMETER.match(rest)):
            parameter = match.group(1)
            parameters[parameter] = match.group(2)
    paragraphs = _join_paragraphs(words)
    return "\n".join(paragraphs[:_LINES] + (["…"] if len(paragraphs) > _LINES else [])), parameters


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
