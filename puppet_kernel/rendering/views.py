"""What a person sees of values, logs, errors, changes, the catalog and help, as view elements.

Each function takes a thing of the evaluator and returns an element; the media draw it. No other place formats
results, so the terminal and the notebook always tell the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaluator import values
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Excerpt,
    Group,
    Line,
    Mark,
    Note,
    Paragraphs,
    Table,
    Text,
    line,
    lines_of,
)
from puppet_kernel.rendering.escape import clip
from puppet_kernel.rendering.layout import marked_up
from puppet_kernel.rendering.literals import short_value, value_lines

LEVELS = {
    "debug": ("Debug", "dim"),
    "info": ("Info", "dim"),
    "notice": ("Notice", "note"),
    "warning": ("Warning", "warning"),
    "err": ("Error", "error"),
    "alert": ("Alert", "error"),
    "emerg": ("Emergency", "error"),
    "crit": ("Critical", "error"),
}
QUIET_LEVELS = ("debug", "info", "notice")  # these go to standard output, the others to standard error
TYPE_WIDTH = 60
PLAIN_ERRORS = ("RUNTIME_ERROR", "FAILED", "COMMAND", "INTERRUPTED")  # their codes would tell nothing


Names = Callable[[Source], str | None]


def log(entry: Any, names: Names = lambda source: None) -> Text:
    """A log line as Puppet prints it: `Notice: hello`.

    The place is told with warnings and errors, and below a name that is missing the nearest that is there.
    """
    label, role = LEVELS.get(entry.level, (entry.level.capitalize(), ""))
    first, *rest = lines_of(entry.message)
    lines = [((role, f"{label}: "), *first), *rest]
    if entry.span is not None and entry.level not in QUIET_LEVELS and "line: " not in entry.message:
        name = entry.span.source.name or names(entry.span.source)
        file = f"file: {name}, " if name else ""
        lines[-1] = (*lines[-1], ("dim", f" ({file}line: {entry.span.line}, column: {entry.span.column})"))
    if entry.suggestion:
        lines.append(line(" " * (len(label) + 2), ("help", f"did you mean {entry.suggestion}?")))
    return Text(*lines)


def value(outcome: Any, columns: int = 100, *, with_type: bool = False) -> Text | None:
    """The value of a cell as a literal that reads back; None without value.

    Pages show the type at the right; `with_type` writes it as a comment behind a value of one line.
    """
    if not outcome.has_value:
        return None
    lines = value_lines(outcome.value, columns)
    kind = clip(general_type(outcome.value), TYPE_WIDTH)
    if with_type and len(lines) == 1:
        used = sum(len(text) for _, text in lines[0])
        if used + 4 + len(kind) <= columns:
            lines[0] = (*lines[0], ("dim", f"  # {kind}"))
    return Text(*lines, aside=kind)


def general_type(given: Any) -> str:
    """The type of a value without sizes and ranges: `Array[Integer]`."""
    from evaluator.types import infer

    return str(infer(given).generalize())


def result(
    outcome: Any,
    columns: int = 100,
    *,
    with_type: bool = False,
    defined: Sequence[str] = (),
    told: Sequence[Any] = (),
) -> Element | None:
    """What a cell gave: its value, what it changed and defined, and notes; None when there is nothing.

    Notes that are among those `told` already are left out.
    """
    parts: list[Element] = []
    changed = change(outcome.change, columns) if outcome.change else None
    shown = (
        None
        if changed and _tells_only(outcome, outcome.change)
        else value(outcome, columns, with_type=with_type)
    )
    parts += [part for part in (shown, changed) if part is not None]
    if defined:
        parts.append(Note("hint", f"defined {', '.join(defined)}"))
    parts += [note(remark) for remark in outcome.notes if remark not in told]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Group(*parts)


def _tells_only(outcome: Any, changed: Any) -> bool:
    """True when the value is just the references to the resources that the change shows."""
    references = outcome.value if isinstance(outcome.value, list) else [outcome.value]
    added = {resource.key for resource in changed.added}
    return bool(references) and all(getattr(reference, "key", None) in added for reference in references)


def note(remark: Any) -> Note:
    """A remark of the session under a result."""
    return Note("hint", remark if isinstance(remark, str) else remark.text)


# --- Errors


def error(problem: PuppetError, names: Names = lambda source: None, *, kind: str = "error") -> Element:
    """An error with its code, wording, excerpt, secondary places, nearest name and way out.

    `names` tells what to call a source that has no name of its own; `kind` is "error" or "warning".
    """
    parts: list[Element] = [error(related, names) for related in problem.related]
    parts.append(Group(_headline(problem, kind), *_places(problem, names), *_remarks(problem)))
    return parts[0] if len(parts) == 1 else Group(*parts, spaced=True)


def _headline(problem: PuppetError, kind: str) -> Text:
    label = kind if problem.code in PLAIN_ERRORS else f"{kind}[{problem.code}]"
    first, *rest = lines_of(problem.message)
    return Text(((kind, f"{label}: "), *_strong(first)), *rest)


def _strong(parts: Line) -> Line:
    return tuple(("strong", text) for _, text in parts)


def _places(problem: PuppetError, names: Names) -> Iterable[Excerpt]:
    """One excerpt for each source that the error names, the primary place's first."""
    marks: list[Mark] = []
    if problem.span is not None:
        marks.append(Mark(problem.span, f"did you mean {problem.suggestion}?" if problem.suggestion else ""))
    marks += [
        Mark(extra.span, extra.text, primary=False) for extra in problem.notes if extra.span is not None
    ]
    sources = {id(mark.span.source): mark.span.source for mark in marks}
    for key, source in sources.items():
        yield Excerpt([mark for mark in marks if id(mark.span.source) == key], source.name or names(source))


def _remarks(problem: PuppetError) -> Iterable[Note]:
    if problem.suggestion and problem.span is None and not (problem.help and problem.notes):
        yield Note("help", f"did you mean {problem.suggestion}?", "help")
    for extra in problem.notes:
        if extra.span is None:
            yield Note("note", extra.text, "note")
    if problem.help:
        yield Note("help", problem.help, "help")


# --- Catalog and changes


def resource_lines(
    resource: Any, columns: int = 100, role: str = "", sign: str = "", *, arrows: bool = True
) -> list[Line]:
    """A resource in aligned Puppet syntax, attributes sorted.

    `sign` stands before its first line. What arrows added to its relationships is left out without `arrows`.
    """
    attributes = sorted(_shown_attributes(resource, arrows), key=lambda pair: pair[0])
    mark = "@@" if resource.exported else "@" if resource.virtual else ""
    head: Line = ((role, sign), ("type", mark + resource.type), ("", " { "))
    indent = " " * len(sign)
    title = value_lines(resource.title, columns)[0]
    if not attributes:
        return [(*head, *title, ("", ": }"))]
    lines: list[Line] = [(*head, *title, ("", ":"))]
    widest = max(len(name) for name, _ in attributes)
    for name, attribute in attributes:
        first, *rest = (
            attribute if isinstance(attribute, Given) else value_lines(attribute, columns - widest - 8)
        )
        lines.append((("", f"{indent}  "), ("name", f"{name:<{widest}}"), ("", " => "), *first))
        lines += [(("", f"{indent}  "), *parts) for parts in rest]
        lines[-1] = (*lines[-1], ("", ","))
    return [*lines, line(f"{indent}}}")]


class Given(list[Line]):
    """An attribute's value that is drawn already."""


def _shown_attributes(resource: Any, arrows: bool) -> Iterable[tuple[str, Any]]:
    """Names and values of the attributes that were given; relationships as references."""
    from evaluator.resource_types import RELATIONSHIPS

    for name, given in resource.parameters.items():
        if name in RELATIONSHIPS:
            items = given if isinstance(given, list) else [given]
            shown = [item for item in items if item is not None and (arrows or type(item) is not str)]
            if shown:
                text = ", ".join(_reference_text(item) for item in shown)
                yield name, Given([line(("type", text if len(shown) == 1 else f"[{text}]"))])
        elif given is not None:
            yield name, given


def _reference_text(item: Any) -> str:
    """A reference as it is written; an arrow leaves it as the text `Notify[a]`."""
    from evaluator.catalog.model import capitalized

    key = getattr(item, "key", None)
    if key is not None and key[1] is not None:
        return f"{capitalized(key[0])}[{values.literal(key[1])}]"
    if type(item) is str and item.endswith("]"):
        kind, _, title = item[:-1].partition("[")
        return f"{kind}[{values.literal(title)}]"
    return values.literal(item)


def change(changed: Any, columns: int = 100) -> Element | None:
    """What a cell added to, removed from and changed in the catalog."""
    lines: list[Line] = []
    for item in changed.removed:
        lines += resource_lines(item, columns, "removed", "- ", arrows=False)
    for item in changed.added:
        lines += resource_lines(item, columns, "added", "+ ", arrows=False)
    for before, after in changed.changed:
        lines += _changed_lines(before, after, columns)
    for role, sign, edges in (("removed", "- ", changed.edges_removed), ("added", "+ ", changed.edges_added)):
        lines += [line((role, sign), _arrow(edge)) for edge in edges if edge.reason in ARROWS]
    return Text(*lines) if lines else None


ARROWS = ("->", "~>", "<-", "<~")


def _arrow(edge: Any) -> str:
    return (
        f"{reference_of(edge.source)} {'~>' if edge.kind == 'notify' else '->'} {reference_of(edge.target)}"
    )


def _changed_lines(before: Any, after: Any, columns: int) -> list[Line]:
    """A resource with just the attributes that changed, and what they were."""
    twin = after.copy(after.owner)
    twin.parameters = {
        name: given
        for name, given in after.parameters.items()
        if values.key(given) != values.key(before.parameters.get(name))
    }
    lines = resource_lines(twin, columns, "changed", "~ ", arrows=False)
    gone = [
        name
        for name, given in before.parameters.items()
        if given is not None and name not in after.parameters
    ]
    lines[-1:-1] = [line(("dim", f"    # no {name} any more")) for name in gone]
    return lines if len(lines) > 1 else []


def catalog(shown: Any, columns: int = 100) -> Element:
    """Every resource of a catalog in the order of the program, without those that are always there."""
    lines = [parts for resource in declared(shown) for parts in resource_lines(resource, columns)]
    return Text(*lines) if lines else Note("hint", "The catalog is empty.")


def declared(shown: Any) -> list[Any]:
    """The resources of a catalog but those that every catalog has."""
    from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS

    return [item for key, item in shown.resources.items() if key not in (MAIN_CLASS, MAIN_STAGE, SETTINGS)]


def reference_of(key: tuple[str, str]) -> str:
    """A key of the catalog as people write it: `File[/etc/motd]`."""
    from evaluator.catalog.model import reference

    return reference(key)


# --- Tables and help


def pairs(entries: Iterable[tuple[str, Any]], role: str = "name", columns: int = 100) -> Table:
    """Names and values in two columns; long values end in `…`."""
    entries = list(entries)
    room = columns - max((len(name) for name, _ in entries), default=0) - 2
    return Table([(line((role, name)), short_value(entry, room)) for name, entry in entries])


def card(shown: Any, columns: int = 100, lines: int = 20) -> Element:
    """A help card: how it is written, words, a table, remarks, examples, source, where it comes from.

    Of a variable's value so many lines are shown.
    """
    parts: list[Element] = []
    if shown.signatures:
        parts.append(Code("\n".join(shown.signatures), fold=True))
    if shown.words:
        parts.append(Paragraphs(shown.words))
    parts += [_card_value(given, columns, lines) for given in shown.value]
    if shown.rows:
        parts.append(Table([_card_row(shown.kind, *row) for row in shown.rows], shown.header))
    if shown.remarks:
        parts.append(Table([(line(("dim", label)), marked_up(words)) for label, words in shown.remarks]))
    if shown.examples:
        parts.append(Code(shown.examples, fold=True))
    if shown.source:
        parts.append(Code(shown.source))
    if shown.origin:
        parts.append(Note("hint", shown.origin))
    return Group(*parts, spaced=True)


def _card_value(given: Any, columns: int, lines: int) -> Text:
    shown = value_lines(given, columns)
    rest = len(shown) - lines
    return Text(*shown) if rest <= 0 else Text(*shown[:lines], line(("dim", f"… ({rest} more lines)")))


def _card_row(kind: str, name: str, *rest: str) -> tuple[Line, ...]:
    """A row of a card's table: an attribute with its words and values in one cell, or a type and its instances."""
    if kind == "type":
        return (line(("type", name)), *(line(("code", part)) for part in rest))
    words, aside = rest
    if kind in ("class", "define", "function"):
        return line(("name", name)), (("code", aside), *marked_up(f"  {words}" if aside else words))
    return line(("name", name)), (*marked_up(words), ("dim", f"  {aside}" if aside and words else aside))


def explanation(shown: Any) -> Element:
    """What an error means: words, a program that has it, and the same program mended."""
    return Group(
        Group(Text(line(("error", shown.code))), Paragraphs(shown.words)),
        Group(Note("error", "", "wrong"), Code(_indented(shown.wrong))),
        Group(Note("help", "", "right"), Code(_indented(shown.right))),
        spaced=True,
    )


def _indented(source: str) -> str:
    return "\n".join(f"  {text}" if text else text for text in source.strip("\n").split("\n"))
