"""Views of values, logs, errors, changes, the catalog and help, as elements.

Each function takes an object of the evaluator and returns an element; the media draw it. Nothing else formats
results, so the terminal and the notebook always show the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaluator import values
from evaluator.catalog import CatalogDifference
from evaluator.types import describe_outline
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Hint, PuppetError
from lexer_parser.source import Source
from puppet_kernel.remedies import COMMAND_LINE, Remedies, format_help, format_remark
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Excerpt,
    Group,
    Line,
    Mark,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    count_characters,
    make_line,
    make_lines,
)
from puppet_kernel.rendering.escape import COLUMNS
from puppet_kernel.rendering.layout import CODE_INDENT, mark_up, measure_line
from puppet_kernel.rendering.literals import ELEMENTS, flatten, make_value_lines, shorten_value

MOST_COLUMNS = 12  # of a value that is shown as a table
MOST_ROWS = 200
WIDEST_CELL = 60  # characters; a longer value is easier to read when it is folded
TYPE_WIDTH = 60  # characters of the type of a value; a longer one is abbreviated


def make_table(value: Any, kind: str, columns: int) -> Element | None:
    """Return an array of hashes with equal keys as a table that fits the width; else None.

    A value that fits on one line, or contains one that needs several, is not shown as a table. `kind` is its type.
    """
    if not isinstance(value, list) or len(value) < 2 or flatten(value, columns) is not None:
        return None
    first = value[0]
    if not isinstance(first, dict) or not 0 < len(first) <= MOST_COLUMNS:
        return None
    if any(not isinstance(element, dict) or element.keys() != first.keys() for element in value):
        return None
    header = [key for key, _ in values.iterate_items(first)]
    if any(type(key) is not str for key in header):
        return None
    room = min(columns, WIDEST_CELL)
    rows: list[Sequence[Line]] = []
    for element in value[: min(MOST_ROWS, ELEMENTS // len(first))]:
        items = dict(values.iterate_items(element))
        cells = [flatten(items[key], room) for key in header]
        row = [tuple(cell) for cell in cells if cell is not None]
        if len(row) < len(cells):
            return None
        rows.append(row)
    widths = [max(len(key), *(measure_line(row[index]) for row in rows)) for index, key in enumerate(header)]
    if sum(widths) + 2 * (len(widths) - 1) > columns:
        return None
    count = f"{kind if len(kind) <= TYPE_WIDTH else 'Array[Hash[…]]'}, {len(value):,} rows"
    left = len(value) - len(rows)
    notes = [NoteElement("hint", f"… {left:,} more rows")] if left else []
    return Group(
        Table(rows, header, written=make_value_lines(value, columns)), *notes, NoteElement("hint", count)
    )


# --- Errors and logs

PLAIN_ERRORS = ("RUNTIME_ERROR", "FAILED", "COMMAND", "INTERRUPTED")  # errors whose codes do not help users
MOST_CHARACTERS = 20_000  # of a message; people read no more, and it may contain a value of any length
MOST_RELATED = 100  # errors of one source that are shown; nobody reads thousands, and each excerpt takes time
FindName = Callable[[Source], str | None]


def describe_error(
    problem: PuppetError,
    find_name: FindName = lambda source: None,
    *,
    kind: str = "error",
    remedies: Remedies = COMMAND_LINE,
) -> Element:
    """Return an error with its code, message, excerpts, suggestion and remedy.

    Args:
        problem: The error.
        find_name: Returns the name to show for a source that has none itself; None for no name.
        kind: "error" or "warning".
        remedies: The remedies that the front end offers.
    """
    related = problem.related
    parts: list[Element] = [
        describe_error(error, find_name, remedies=remedies) for error in related[:MOST_RELATED]
    ]
    if len(related) > MOST_RELATED:
        parts.append(NoteElement("hint", f"… {len(related) - MOST_RELATED:,} more errors"))
    parts.append(
        Group(
            _render_headline(problem, kind),
            *_render_places(problem, find_name),
            *_render_remarks(problem, remedies),
        )
    )
    return parts[0] if len(parts) == 1 else Group(*parts, spaced=True)


def _render_headline(problem: PuppetError, kind: str) -> TextElement:
    """Return the code and the message of an error."""
    label = kind if problem.code in PLAIN_ERRORS else f"{kind}[{problem.code}]"
    first, *rest = make_lines(shorten_message(problem.message))
    return TextElement(
        ((kind, f"{label}:"), ("", " "), *(("strong", text) for _, text in first)), *rest, fold=""
    )


def shorten_message(message: str) -> str:
    """Return a message as it is shown; of a very long one the beginning."""
    if len(message) <= MOST_CHARACTERS:
        return message
    return f"{message[:MOST_CHARACTERS]}… ({len(message) - MOST_CHARACTERS:,} more characters)"


def _render_places(problem: PuppetError, find_name: FindName) -> Iterable[Excerpt]:
    """Yield one excerpt for each source of the error, the primary position's first."""
    marks: list[Mark] = []
    if problem.span is not None:
        marks.append(Mark(problem.span, f"did you mean {problem.suggestion}?" if problem.suggestion else ""))
    marks += [Mark(note.span, note.text, primary=False) for note in problem.notes if note.span is not None]
    sources = {id(mark.span.source): mark.span.source for mark in marks}
    for key, source in sources.items():
        yield Excerpt(
            [mark for mark in marks if id(mark.span.source) == key], source.name or find_name(source)
        )


def _render_remarks(problem: PuppetError, remedies: Remedies) -> Iterable[NoteElement]:
    """Yield the suggestion and the notes that have no position, and the help."""
    if problem.suggestion and problem.span is None and not (problem.help and problem.notes):
        yield NoteElement("help", f"did you mean {problem.suggestion}?", "help")
    for note in problem.notes:
        if note.span is None:
            yield NoteElement("note", shorten_message(format_remark(note, remedies)), "note")
    help = format_help(problem, remedies)
    if help:
        yield NoteElement("help", shorten_message(help), "help")


LEVELS = {  # the level of a log entry -> its label and its role
    "debug": ("Debug", "dim"),
    "info": ("Info", "dim"),
    "notice": ("Notice", "note"),
    "warning": ("Warning", "warning"),
    "err": ("Error", "error"),
    "alert": ("Alert", "error"),
    "emerg": ("Emergency", "error"),
    "crit": ("Critical", "error"),
}
QUIET_LEVELS = ("debug", "info", "notice")  # printed on standard output; the others, on standard error


def describe_log(entry: Any, find_name: FindName = lambda source: None) -> TextElement:
    """Return a log line as Puppet prints it: `Notice: hello`.

    Warnings and errors show their position, and below an unknown name the most similar one.
    """
    label, role = LEVELS.get(entry.level, (entry.level.capitalize(), ""))
    first, *rest = make_lines(entry.message)
    lines = [((role, f"{label}: "), *first), *rest]
    if entry.span is not None and entry.level not in QUIET_LEVELS and "line: " not in entry.message:
        name = entry.span.source.name or find_name(entry.span.source)
        file = f"file: {name}, " if name else ""
        lines[-1] = (*lines[-1], ("dim", f" ({file}line: {entry.span.line}, column: {entry.span.column})"))
    if entry.suggestion:
        lines.append(make_line(" " * (len(label) + 2), ("help", f"did you mean {entry.suggestion}?")))
    return TextElement(*lines)


# --- Values and changes


def describe_value(outcome: Any, columns: int = COLUMNS, *, with_type: bool = False) -> Element | None:
    """Return the value of a cell as a literal or as a table; None without value.

    Pages show the type at the right; `with_type` adds it as a comment to a value of one line.
    """
    if not outcome.has_value:
        return None
    kind = describe_outline(outcome.value, outcome.dialect)
    if (table := make_table(outcome.value, kind, columns)) is not None:
        return table
    lines = make_value_lines(outcome.value, columns)
    kind = kind if len(kind) <= TYPE_WIDTH else f"{kind.partition('[')[0]}[…]"
    if with_type and len(lines) == 1:
        with_comment: Line = (*lines[0], ("dim", f"  # {kind}"))
        if count_characters(with_comment) <= columns:
            lines[0] = with_comment
    return TextElement(*lines, aside=kind)


def get_general_type(value: Any) -> str:
    """Return the type of a value without sizes and ranges: `Array[Integer]`."""
    return describe_outline(value, PUPPET)


def describe_change(change: CatalogDifference | None, columns: int) -> Element | None:
    """Return a change of the catalog; None if there is none."""
    if not change:
        return None
    from puppet_kernel.rendering import catalogs  # most cells change nothing in it

    return catalogs.describe_change(change, columns)


def describe_result(
    outcome: Any,
    columns: int,
    *,
    with_type: bool = False,
    defined: Sequence[str] = (),
    hidden: Sequence[Any] = (),
    remedies: Remedies = COMMAND_LINE,
) -> Element | None:
    """Return the result of a cell: its value, its changes and definitions, and notes; or None.

    Args:
        outcome: The outcome of the cell.
        columns: The width for drawing.
        with_type: True to show the type of a short value.
        defined: The definitions to list.
        hidden: Notes to omit, because they have been shown already.
        remedies: The remedies that the front end offers.
    """
    parts: list[Element] = []
    change = describe_change(outcome.change, columns)
    value = (
        None
        if change and _shows_references_only(outcome, outcome.change)
        else describe_value(outcome, columns, with_type=with_type)
    )
    parts += [part for part in (value, change) if part is not None]
    if isinstance(change, Group):
        parts.append(NoteElement("hint", "`%catalog Class[NAME]` opens one, `%catalog TEXT` looks for some"))
    if defined:
        parts.append(NoteElement("hint", f"defined {', '.join(defined)}"))
    parts += [_render_remark(remark, remedies) for remark in outcome.notes if remark not in hidden]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Group(*parts)


def _render_remark(remark: Any, remedies: Remedies) -> Element:
    """Return a note; one about a position of the cell is shown with that position."""
    if isinstance(remark, Hint):
        spans = [remark.span, *(note.span for note in remark.problem.notes)]
        has_several_sources = len({id(span.source) for span in spans if span is not None}) > 1

        def find_name(source: Source) -> str | None:
            # A single source is the cell above, which needs no name.
            return f"cell {source.label}" if has_several_sources and source.label else None

        return describe_error(remark.problem, find_name, kind=remark.severity, remedies=remedies)
    return NoteElement("hint", format_remark(remark, remedies))


def _shows_references_only(outcome: Any, change: Any) -> bool:
    """Return True if the value is just the references to the resources that the change shows."""
    references = outcome.value if isinstance(outcome.value, list) else [outcome.value]
    added = {resource.key for resource in change.added}
    return bool(references) and all(getattr(reference, "key", None) in added for reference in references)


# --- Tables and help


def describe_pairs(entries: Iterable[tuple[str, Any]], role: str, columns: int) -> Element:
    """Return names and values in two columns, limited in number; long values end in `…`."""
    entries = list(entries)
    left = len(entries) - ELEMENTS
    if left > 0:
        return Group(
            describe_pairs(entries[:ELEMENTS], role, columns), NoteElement("hint", f"… {left:,} more")
        )
    room = columns - max((len(name) for name, _ in entries), default=0) - 2
    return Table([(make_line((role, name)), shorten_value(entry, room)) for name, entry in entries])


def describe_card(card: Any, columns: int = COLUMNS, lines: int = 20) -> Element:
    """Return a help card: usage, words, table, remarks, examples, source, origin.

    Args:
        card: The Card.
        columns: The width for drawing.
        lines: The number of lines of a variable's value to show.
    """
    usage = (
        TextElement(*map(_render_command, card.signatures), fold=CODE_INDENT)
        if card.kind == "command"
        else Code("\n".join(card.signatures), fold=True)
    )
    remarks = [(make_line(("dim", label)), mark_up(words)) for label, words in card.remarks]
    # Each part, and whether the card has it.
    parts: list[tuple[Any, Element]] = [
        (card.signatures, usage),
        (card.words, Paragraphs(card.words)),
        *((True, _render_card_value(value, columns, lines)) for value in card.value),
        (card.rows, Table([_render_card_row(card.kind, *row) for row in card.rows], card.header)),
        (remarks, Table(remarks)),
        (card.examples, Code(card.examples, fold=True)),
        (card.source, Code(card.source)),
        (card.origin, NoteElement("hint", card.origin)),
    ]
    return Group(*(element for content, element in parts if content), spaced=True)


def _render_command(usage: str) -> Line:
    """Return the usage of a command and its effect."""
    command, mark, words = usage.partition("  # ")
    return make_line(("strong", command), ("comment", mark + words))


def _render_card_value(value: Any, columns: int, lines: int) -> TextElement:
    """Return the first lines of a value, and the number of the others."""
    value_lines = make_value_lines(value, columns)
    rest = len(value_lines) - lines
    return (
        TextElement(*value_lines)
        if rest <= 0
        else TextElement(*value_lines[:lines], make_line(("dim", f"… ({rest} more lines)")))
    )


def _render_card_row(kind: str, name: str, *rest: str) -> tuple[Line, ...]:
    """Return a row of a card: an attribute with its values, or a type with instances."""
    if kind == "type":
        return (make_line(("type", name)), *(make_line(("code", part)) for part in rest))
    words, aside = rest
    if kind in ("class", "define", "function"):
        return make_line(("name", name)), (("code", aside), *mark_up(f"  {words}" if aside else words))
    return make_line(("name", name)), (*mark_up(words), ("dim", f"  {aside}" if aside and words else aside))


def describe_explanation(issue: Any) -> Element:
    """Return the explanation of an error: words, a program with it, and the corrected program."""
    return Group(
        Group(TextElement(make_line(("error", issue.code))), Paragraphs(issue.words)),
        Group(NoteElement("error", "", "wrong"), Code(_indent(issue.wrong))),
        Group(NoteElement("help", "", "right"), Code(_indent(issue.right))),
        spaced=True,
    )


def _indent(source: str) -> str:
    return "\n".join(f"  {text}" if text else text for text in source.strip("\n").split("\n"))
