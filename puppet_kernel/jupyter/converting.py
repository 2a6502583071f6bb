"""Exporters of notebooks to manifests (`--to script`) and to readable Markdown.

The manifest contains the code of the cells in order. Comments are: text cells, commands, questions, statements that
only show a value (in a manifest only the last statement may be one), cells that failed, and cells that only the dialect
of the specification can parse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from nbconvert.exporters import Exporter, MarkdownExporter
from nbconvert.filters import strip_ansi
from nbformat.v4 import new_output
from traitlets.config import Config

from lexer_parser import PUPPET, PuppetError, parse
from lexer_parser.record import Record
from lexer_parser.source import replace_parts
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.jupyter.parameters import find_replacement, is_injected, parse_statements
from puppet_kernel.rendering.markdown import make_fence

# A statement without effect is refused unless it is the last one.
INEFFECTIVE = "IDEM_EXPRESSION_NOT_LAST"
NEXT_STATEMENT = "\n$something = 1"


class _Part(Record):
    """The text of a cell in the manifest, which a later cell of parameters may replace."""

    source: str


CONTINUATIONS = ("{", "[", "(", "/", "-")  # characters that may continue the previous statement


def to_manifest(cells: Iterable[Any]) -> str:
    """Return the manifest of the cells of a notebook, as nbformat has them."""
    parts: list[_Part] = []
    for cell in cells:
        source = cell["source"].rstrip()
        if cell["cell_type"] == "markdown":
            parts.append(_Part(_to_comment(source)))
        elif cell["cell_type"] == "code" and source:
            _add(parts, source, cell)
    return "".join(f"{text}\n\n" for text in _separate_cells(part.source for part in parts)).rstrip() + "\n"


def _separate_cells(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts with `;` before characters that would continue the statement above."""
    began = False
    for text in texts:
        lines = text.split("\n")
        code = next(
            (i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None
        )
        if code is not None and began and lines[code].lstrip().startswith(CONTINUATIONS):
            lines[code] = f";{lines[code]}"
        began = began or code is not None
        yield "\n".join(lines)


def _add(parts: list[_Part], source: str, cell: Any) -> None:
    """Append the text of a code cell, or replace the defaults in an earlier one."""
    if is_injected(source, cell["metadata"].get("tags")):
        replacement = find_replacement(source, parts, PUPPET.name)
        if replacement is not None:
            replacement.cell.source = replacement.source
            return
    failed = any(output["output_type"] == "error" for output in cell.get("outputs", ()))
    parts.append(_Part(_to_comment(source) if failed else _to_code(source)))


def _to_code(source: str) -> str:
    """Return the code of an input, with the rest of it as comments."""
    parsed = ParsedInput(source, COMMANDS.takes_code)
    code = replace_parts(source, ((item.start, item.end, f"# {item.text}") for item in parsed.directives))
    if parsed.takes_code:
        directive = parsed.directives[-1]
        if not COMMANDS.runs_code(directive.text[1:]):
            return _to_comment(source)
        rest = source[directive.end :]
        code = f"{code[: -len(rest)]}\n{rest.lstrip()}" if rest else code
    try:
        return _comment_out_ineffective(code)
    except PuppetError:
        return _to_comment(code)


def _comment_out_ineffective(source: str) -> str:
    """Return a program in which statements without effect are comments, or raise PuppetError."""
    parts, end = [], 0
    for _, start, stop in parse_statements(source, PUPPET):
        text = source[start:stop]
        if _is_ineffective(text):
            before = source[end:start]
            # A comment needs lines of its own, even if the statement follows code on a line or precedes it.
            parts += [before, "\n" if before.rpartition("\n")[2].strip() else "", _to_comment(text)]
            parts += [] if text.endswith("\n") else ["\n"]
            end = stop
    return "".join([*parts, source[end:]])


def _is_ineffective(text: str) -> bool:
    """Return True for a statement without effect."""
    try:
        parse(text + NEXT_STATEMENT, dialect=PUPPET)
    except PuppetError as problem:
        return problem.code == INEFFECTIVE
    return False


def _to_comment(text: str) -> str:
    """Return a text as a comment; comments and empty lines stay as they are."""
    lines = text.split("\n")
    return "\n".join(
        f"# {line}" if line.strip() and not line.lstrip().startswith("#") else line for line in lines
    )


READABLE = ("image/svg+xml", "image/png", "image/jpeg", "text/markdown", "text/plain", "text/html")


class ManifestExporter(Exporter):
    """An exporter to a manifest that the released Puppet can compile."""

    output_mimetype = "text/x-puppet"

    def _file_extension_default(self) -> str:
        return ".pp"

    def from_notebook_node(  # type: ignore[override]  # text exporters return a string
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """Return the manifest of a notebook, and the resources that nbconvert collects."""
        copy, changed = super().from_notebook_node(nb, resources, **options)
        return to_manifest(copy.cells), changed


class ReadableExporter(MarkdownExporter):
    """An exporter to Markdown that prefers pictures and Markdown to HTML in outputs.

    An error is one block.
    """

    export_from_notebook = "Markdown of a Puppet notebook"

    @property
    def default_config(self) -> Config:
        """The configuration with our order of preference among the formats of an output."""
        config: Config = super().default_config
        config.merge(Config({"NbConvertBase": {"display_data_priority": list(READABLE)}}))
        return config

    def from_notebook_node(  # type: ignore[override]  # text exporters return a string
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """Return the Markdown of a notebook, and the resources that nbconvert collects."""
        notebook = deepcopy(nb)
        for cell in notebook.cells:
            cell.update({"outputs": list(map(_convert_error, cell.outputs))} if "outputs" in cell else {})
        result: tuple[str, Any] = super().from_notebook_node(notebook, resources, **options)
        return result


def _convert_error(output: Any) -> Any:
    """Return an output; one that is an error becomes a display of Markdown."""
    if output.output_type != "error":
        return output
    lines = strip_ansi("\n".join(output.traceback))
    return new_output("display_data", {"text/markdown": make_fence(lines), "text/plain": lines})
