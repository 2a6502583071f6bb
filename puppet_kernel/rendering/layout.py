"""View elements as lines of fragments, for media with fixed-width characters.

`text` and `html` render the fragments: a fragment is a role, such as "dim", and a text. All widths are in columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lexer_parser.source import Span
from puppet_kernel.rendering import graphs
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Excerpt,
    Fold,
    Fragment,
    Graph,
    Group,
    Line,
    Mark,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    Tree,
    group_by,
    make_line,
    make_lines,
)
from puppet_kernel.rendering.escape import COLUMNS, measure_width, to_one_line, to_printable

NARROWEST = 12  # the least width of a column of a table, of the labels of a tree, and of a note


def measure_line(parts: Line) -> int:
    """Return the number of terminal columns of a line."""
    return sum(measure_width(to_one_line(text)) for _, text in parts)


def trim_line(parts: Sequence[Fragment]) -> Line:
    """Return a line without blank fragments at its end."""
    end = len(parts)
    while end and not parts[end - 1][1].strip(" "):
        end -= 1
    return tuple(parts[:end])


def wrap_line(parts: Line, columns: int, indent: str = "") -> list[Line]:
    """Return a line broken at blanks into lines of at most `columns`; later ones are indented."""
    if measure_line(parts) <= columns:
        return [parts]
    lines: list[list[Fragment]] = [[]]
    used = 0
    for blank, word in _split_words(parts, max(columns - len(indent), 1)):
        size = measure_line(word)
        if used + len(blank) + size > columns and used > len(indent):
            lines.append([("", indent)] if indent else [])
            used, blank = len(indent), ""
        lines[-1] += [("", blank), *word] if blank else word
        used += len(blank) + size
    return [tuple(fragments) for fragments in lines]


def _split_words(parts: Line, longest: int) -> Iterator[tuple[str, Line]]:
    """Yield the words of a line, each with the blank before it; longer ones in pieces."""
    blank = ""
    word: list[Fragment] = []
    for role, text in parts:
        first, *rest = to_one_line(text).split(" ")
        word += [(role, first)] if first else []
        for part in rest:
            yield from _split_pieces(blank, tuple(word), longest)
            blank, word = " ", [(role, part)] if part else []
    yield from _split_pieces(blank, tuple(word), longest)


def _split_pieces(blank: str, word: Line, longest: int) -> Iterator[tuple[str, Line]]:
    """Yield a word with the blank before it, in pieces of at most `longest` columns."""
    if measure_line(word) <= longest:
        yield blank, word
        return
    for role, text in word:
        for start in range(0, len(text), longest):
            yield blank, ((role, text[start : start + longest]),)
            blank = ""


def break_lines(lines: Iterable[Line], columns: int | None, indent: str | None) -> list[Line]:
    """Return lines of at most `columns`, see `wrap_line`; None leaves them unchanged."""
    if columns is None or indent is None:
        return list(lines)
    return [part for row in lines for part in wrap_line(row, columns, indent)]


def make_tree_lines(tree: Tree, columns: int | None) -> list[Line]:
    """Return the label with the branches drawn below it; long labels are broken at `columns`."""
    lines = break_lines([tree.label], columns, "")
    stack = [(branch, "", i == 0) for i, branch in enumerate(reversed(tree.branches))]
    while stack:
        branch, indent, is_last = stack.pop()
        child_indent = indent + ("   " if is_last else "│  ")
        lead = indent + ("└─ " if is_last else "├─ ")
        later_lead = child_indent + ("│  " if branch.branches else "")
        room = None if columns is None else max(columns - len(later_lead), NARROWEST)
        for row in break_lines([branch.label], room, ""):
            lines.append((("dim", lead), *row))
            lead = later_lead
        stack += [(child, child_indent, i == 0) for i, child in enumerate(reversed(branch.branches))]
    return lines


TAB = "    "
CODE_INDENT = "    "  # of the continuation of a long line of code
WORDS_WIDTH = 100  # longer lines are hard to read
LABEL_WIDTH = 30  # a label of a mark that has fewer columns beside it is shown below it
NOTE_ROLES = {"help": "help", "hint": "dim", "note": "note", "warning": "warning", "error": "error"}


def lay_out_element(
    element: Element, columns: int = COLUMNS, highlight: bool = False, wrap_labels: bool = False
) -> list[Line]:
    """Return the lines of an element, at most `columns` wide where possible.

    Args:
        element: The element.
        columns: The width.
        highlight: True for the roles of Puppet code, which imports Pygments.
        wrap_labels: True to also break lines of text, labels of trees and lines of graphs at the width. Where a program
            may search for them, they stay whole.
    """
    match element:
        case TextElement():
            return break_lines(element.lines, columns, element.fold if wrap_labels else None)
        case Code():
            return break_lines(
                make_code_lines(element.source, highlight), columns, CODE_INDENT if element.fold else None
            )
        case Paragraphs():
            return make_paragraph_lines(element.text, columns)
        case Excerpt():
            return make_excerpt_lines(element, columns)
        case Table():
            return make_table_lines(element, columns)
        case Tree():
            return make_tree_lines(element, columns if wrap_labels else None)
        case Fold():
            return make_fold_lines(element, columns, highlight, wrap_labels)
        case Graph():
            return graphs.make_graph_lines(element, columns if wrap_labels else None)
        case NoteElement():
            return make_note_lines(element, columns)
        case Group():
            return make_group_lines(element, columns, highlight, wrap_labels)


def make_code_lines(source: str, highlight: bool) -> list[Line]:
    """Return the lines of Puppet source, with roles if requested."""
    if not highlight:
        return list(make_lines(source))
    from puppet_kernel.rendering.highlight import highlight_lines

    return highlight_lines(source)


def make_group_lines(group: Group, columns: int, highlight: bool, wrap_labels: bool) -> list[Line]:
    """Return the lines of the children one below the other."""
    lines: list[Line] = []
    for child in group.children:
        child_lines = lay_out_element(child, columns, highlight, wrap_labels)
        if group.spaced and lines and child_lines:
            lines.append(())
        lines += child_lines
    return lines


def make_note_lines(note: NoteElement, columns: int) -> list[Line]:
    """Return `label: text`, with further lines aligned to the text."""
    role = NOTE_ROLES[note.kind]
    label = f"{note.label}: " if note.label else ""
    body = "dim" if note.kind == "hint" else ""
    room = max(columns - len(label), NARROWEST)
    texts = [row for text in to_printable(note.text).split("\n") for row in wrap_line(((body, text),), room)]
    return _align_rows(make_line((role, label)), texts)


def make_fold_lines(fold: Fold, columns: int, highlight: bool, wrap_labels: bool) -> list[Line]:
    """Return the label, and the content if that is open."""
    if not fold.open:
        return [(("dim", "▸ "), *fold.label)]
    inside = lay_out_element(fold.inside, columns - 2, highlight, wrap_labels)
    return [(("dim", "▾ "), *fold.label), *((("", "  "), *row) for row in inside)]


def make_table_lines(table: Table, columns: int) -> list[Line]:
    """Return left-aligned columns, two blanks apart; long cells continue below."""
    rows = [tuple(make_line(("title", title)) for title in table.header)] if table.header else []
    rows += table.rows
    count = max(map(len, rows), default=0)
    widths = fit_widths(
        [max(measure_line(row[i]) if i < len(row) else 0 for row in rows) for i in range(count)],
        columns - 2 * (count - 1),
    )
    lines = []
    for row in rows:
        cells = [wrap_line(cell, room) for cell, room in zip(row, widths, strict=False)]
        for height in range(max(map(len, cells), default=1)):
            parts: list[Fragment] = []
            for cell, room in zip(cells, widths, strict=False):
                part = cell[height] if height < len(cell) else ()
                parts += [*part, ("", " " * (room - measure_line(part) + 2))]
            lines.append(trim_line(parts))
    return lines


def fit_widths(widths: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns: narrow ones keep theirs, wide ones share the rest.

    Args:
        widths: The width that each column needs.
        room: The width of all columns together.
    """
    fitted = list(widths)
    by_width = sorted(range(len(widths)), key=lambda i: widths[i])
    for position, i in enumerate(by_width):
        fitted[i] = min(widths[i], max(room // (len(by_width) - position), NARROWEST))
        room -= fitted[i]
    return fitted


def make_paragraph_lines(text: str, columns: int) -> list[Line]:
    """Return wrapped lines of words, with text in backquotes as code."""
    columns = min(columns, WORDS_WIDTH)
    return [part for row in text.split("\n") for part in wrap_line(mark_up(row), columns)]


def mark_up(text: str) -> Line:
    """Return a line of words in which text in backquotes has the role of code."""
    parts = to_one_line(text).split("`")
    if len(parts) % 2 == 0:
        return (("words", to_one_line(text)),)
    return tuple(("code", f"`{part}`") if i % 2 else ("words", part) for i, part in enumerate(parts) if part)


def make_excerpt_lines(excerpt: Excerpt, columns: int) -> list[Line]:
    """Return the marked lines with their numbers, and below each its marks."""
    by_line = group_by(excerpt.marks, lambda mark: mark.span.line)
    digits = len(str(max(by_line)))
    lines: list[Line] = []
    if excerpt.name:
        primary = next((mark.span for mark in excerpt.marks if mark.primary), excerpt.marks[0].span)
        place = f"{to_one_line(excerpt.name)}:{primary.line}:{primary.column}"
        lines.append(make_line(("dim", " " * digits + " ╭╴"), ("dim", place)))
    previous = None
    for number in sorted(by_line):
        if previous is not None and number > previous + 1:
            lines.append(make_line(("dim", " " * digits + " ⋮")))
        lines += _mark_line(by_line[number], number, digits, columns - digits - 3)
        previous = number
    return lines


def _mark_line(marks: list[Mark], number: int, digits: int, columns: int) -> list[Line]:
    """Return a line of a source with its number, and below it a row for each mark.

    Args:
        marks: The marks that begin on the line.
        number: The number of the line.
        digits: The width of the numbers.
        columns: The width of the text.
    """
    source = marks[0].span.source
    text = source.line(number)
    start = source.line_starts[number - 1]
    places = sorted(
        (
            (
                _find_column(text, mark.span.start - start),
                _find_column(text, _find_end(mark.span, start, text)),
                mark,
            )
            for mark in marks
        ),
        key=lambda place: place[:2],
    )
    shift, visible = 0, _expand(text)
    if measure_width(visible) > columns:
        shift, visible = _cut_window(visible, places[0][0], columns)
    lines = [make_line(("dim", f"{number:>{digits}} │ "), visible)]
    for first, last, mark in places:
        left = max(first - shift, 0)
        length = max(min(last - shift, columns) - left, 1)
        lines += [
            make_line(("dim", " " * digits + " │ "), *row)
            for row in _make_mark_rows(mark, left, length, columns)
        ]
    return lines


def _make_mark_rows(mark: Mark, left: int, length: int, columns: int) -> list[Line]:
    """Return a row that underlines a place, and its label beside or below it.

    Args:
        mark: The mark.
        left: The first column of the place.
        length: The width of the place.
        columns: The width of the text.
    """
    underline = make_line(" " * left, ("mark", "^" * length) if mark.primary else ("note", "-" * length))
    role, text = "help" if mark.primary else "note", to_one_line(mark.label)
    room = columns - left - length - 1
    if measure_width(text) <= room:
        return [make_line(*underline, (role, f" {text}" if text else ""))]
    is_beside = room >= LABEL_WIDTH
    lead = (
        make_line(*underline, " ") if is_beside else make_line(" " * max(min(left, columns - LABEL_WIDTH), 0))
    )
    rows = _align_rows(lead, wrap_line(((role, text),), columns - measure_line(lead)))
    return rows if is_beside else [underline, *rows]


def _align_rows(lead: Line, rows: list[Line]) -> list[Line]:
    """Return rows with a lead before the first, and as many blanks before the others."""
    return [(*lead, *rows[0]), *((*make_line(" " * measure_line(lead)), *row) for row in rows[1:])]


def _expand(text: str) -> str:
    return to_one_line(text.replace("\t", TAB))


def _find_column(text: str, offset: int) -> int:
    """Return the column at which the character at an offset is drawn."""
    return measure_width(_expand(text[:offset]))


def _find_end(span: Span, start: int, text: str) -> int:
    """Return the end of a span within its first line, at least one character after its start."""
    return min(max(span.end, span.start + 1) - start, max(len(text.rstrip()), span.start - start + 1))


def _cut_window(text: str, column: int, columns: int) -> tuple[int, str]:
    """Return the number of columns that are cut on the left of a long line, and the rest.

    Args:
        text: The line.
        column: A column that must be visible.
        columns: The width of the window.
    """
    first = max(0, min(column - columns // 3, len(text) - columns))
    part = text[first : first + columns]
    if first:
        part = "…" + part[1:]
    if first + columns < len(text):
        part = part[:-1] + "…"
    return first, part
