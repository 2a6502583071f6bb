"""Explanations as trees: the origin of a value, the trace of a lookup, a match."""

from __future__ import annotations

import os
from itertools import chain, groupby
from typing import Any

from evaluator.catalog.provenance import Cause, Provenance, trace_provenance
from evaluator.program.definitions import MISSING
from evaluator.program.lookup_trace import ABSENT, LookupStep, LookupTrace
from evaluator.types.learner_wording import Explanation
from evaluator.values import Sensitive
from evaluator.values import format_literal as to_source
from lexer_parser.source import Source, Span
from puppet_kernel.rendering.catalogs import format_attribute_value
from puppet_kernel.rendering.elements import (
    Element,
    Excerpt,
    Fragment,
    Group,
    Line,
    Mark,
    Tree,
    count_characters,
    make_line,
)
from puppet_kernel.rendering.escape import COLUMNS, to_one_line
from puppet_kernel.rendering.literals import format_literal, shorten_value

_LEAST_ROOM = 20  # columns for a value, even if the words beside it are long
_WORDS_WIDTH = 56  # columns for the words beside a value
_REDACTED: Line = (("dim", "Sensitive [value redacted]"),)

_WORDS = {
    "declaration": "its declaration",
    "hash": "the hash of `* =>` in its declaration",
    "call": "the call that declares it",
    "default body": "the body `default:` of its declaration",
    "default": "a resource default",
    "override": "an override",
    "collector": "the body of a collector",
    "arrow": "an arrow",
    "data": "the data",
    "expression": "the default expression of the parameter",
}

# For each kind of cause whose value was not used, the reason, if it could never be used.
_UNUSED = {
    "default body": "the body of the title sets it",
    "default": "the resource sets it itself",
    "data": "data is looked up only for parameters that are not passed",
    "expression": "it is evaluated only if nothing else sets a value",
}


def describe_attributes(resource: Any, columns: int) -> Element:
    """Return all attributes of a resource, each with its value and origin."""
    origins = trace_provenance(resource).items()
    branches = [_describe_attribute(resource, name, provenance, columns) for name, provenance in origins]
    return Tree(_describe_head(resource), branches or [Tree(make_line(("dim", "it sets no attributes")))])


def describe_attribute(resource: Any, name: str, columns: int) -> Element:
    """Return one attribute, with the lines of the program that set it."""
    provenance = trace_provenance(resource)[name]
    return Group(
        Tree(_describe_head(resource), [_describe_attribute(resource, name, provenance, columns)]),
        *(
            Excerpt([Mark(cause.span)], _name_source(cause.span.source))
            for cause in provenance.won
            if cause.span is not None
        ),
        spaced=True,
    )


def format_position(span: Span | None) -> str:
    """Return a position in a program: `[4], line 2`, or a file and its line."""
    return "" if span is None else f"{_name_source(span.source) or 'the program'}, line {span.line}"


def _name_source(source: Source) -> str:
    """Return the path of a source, or the label of a cell; "" if it has neither."""
    return shorten_path(source.name) if source.name else source.label


def _describe_head(resource: Any) -> Line:
    """Return the reference of a resource, and where it is declared."""
    origin = f"  declared in {format_position(resource.span)}" if resource.span is not None else ""
    if not origin and resource.included is not None:
        origin = f"  first included in {format_position(resource.included.span)}"
    return make_line(("type", resource.reference), ("dim", origin))


def _describe_attribute(resource: Any, name: str, provenance: Provenance, columns: int) -> Tree:
    """Return an attribute with its value; its branches are the causes that won or lost."""
    value = resource.parameters.get(name)
    hidden = isinstance(value, Sensitive)
    room = max(columns - len(name) - _WORDS_WIDTH, _LEAST_ROOM)
    label: Line = (("name", name), ("", " = "), *format_attribute_value(name, value, room))
    branches: list[Tree] = []
    if len(provenance.won) == 1:
        label = (*label, ("dim", "  from "), *_describe_cause(provenance.won[0]))
        branches += _describe_steps(provenance.won[0], hidden, columns)
    elif provenance.won:
        for cause in provenance.won:
            sign = "added by " if cause.adds else "from "
            branches.append(
                _describe_candidate(
                    cause, hidden, room, (("dim", f"  {sign}"), *_describe_cause(cause)), columns
                )
            )
    elif resource.parameters.get(name) is not None:
        label = (*label, ("dim", f"  {_describe_unrecorded(resource, name)}"))
    for cause in reversed(provenance.lost):
        words = (
            ("dim", "  lost: "),
            *_describe_cause(cause),
            ("dim", f": {_describe_reason(cause, provenance)}"),
        )
        branches.append(_describe_candidate(cause, hidden, room, words, columns))
    return Tree(label, branches)


def _describe_candidate(cause: Cause, hidden: bool, room: int, words: Line, columns: int) -> Tree:
    """Return the value of a cause, followed by words about it."""
    if cause.value is MISSING:
        parts: Line = (
            () if cause.kind == "data" or cause.span is None else _format_expression(cause.span, hidden, room)
        )
    else:
        parts = _REDACTED if hidden else format_attribute_value(cause.name, cause.value, room)
    if not parts:  # no gap is needed before the words
        (role, first), *rest = words
        words = ((role, first.lstrip()), *rest)
    return Tree((*parts, *words), _describe_steps(cause, hidden, columns))


def _format_expression(span: Span, hidden: bool, room: int) -> Line:
    """Return an expression that was not evaluated, as written."""
    if hidden:
        return _REDACTED
    text = to_one_line(span.source.text[span.start : span.end])
    return make_line(("code", text if len(text) <= room else text[: room - 1] + "…"))


def _describe_cause(cause: Cause) -> Line:
    """Return a cause in words, with its position in the program or the data."""
    if cause.kind == "container":
        return make_line("its container, ", ("type", cause.owner))
    words = _WORDS[cause.kind]
    where = format_position(cause.span)
    if cause.trace is not None:
        step = next((item for item in cause.trace.steps if item.has_value and item.is_reached), None)
        if step is not None:
            line = f", line {step.line}" if step.line is not None else ""
            where = f"{shorten_path(step.place)}{line}" if step.place else step.layer
    return make_line(words, ("dim", f", {where}" if where else ""))


def _describe_steps(cause: Cause, hidden: bool, columns: int) -> list[Tree]:
    """Return the lookup steps of the data, if it was searched in more than one place."""
    if cause.trace is None or len(cause.trace.steps) < 2 or hidden:
        return []
    return [describe_lookup(cause.trace, columns)]


def _describe_reason(cause: Cause, provenance: Provenance) -> str:
    """Return the reason why the value of a cause was not used."""
    if cause.kind == "data" and cause.value is MISSING:
        return "it has no value"
    if cause.value is None:
        return "undef means that there is no value"
    if cause.sets:
        return "a later value replaces it"
    if cause.kind == "default" and any(
        other.kind == "default" and other.sets for other in (*provenance.won, *provenance.lost)
    ):
        return "the default of an inner scope takes precedence"
    return _UNUSED[cause.kind]


def _describe_unrecorded(resource: Any, name: str) -> str:
    """Return the cause of a value without a recorded one: the catalog itself set it."""
    where = format_position(resource.places[name]) if resource.places and resource.places.get(name) else ""
    return f"from {where}" if where else "from the catalog itself: its title, or `require`"


NO_DATA = "there is no data: no hiera.yaml of the session, environment or module; `%hiera FILE` names one"
_LEAST_DATA_ROOM = 30  # columns that a value gets at least if the words before it are long


def describe_lookup(trace: LookupTrace, columns: int = COLUMNS) -> Tree:
    """Return the trace of a lookup as a tree.

    If the final value is Sensitive, the values on the way are not displayed either.
    """
    hidden = isinstance(trace.value, Sensitive)
    branches = [Tree(line) for line in _describe_merge(trace, columns)]
    for layer, steps in groupby(trace.steps, lambda step: step.layer):
        levels = groupby(steps, lambda step: step.level)
        trees = [_describe_level(level, list(places), hidden, columns) for level, places in levels]
        branches.append(Tree(_make_layer_line(layer), list(chain.from_iterable(trees))))
    if not trace.steps:
        branches.append(Tree(make_line(("dim", NO_DATA))))
    return Tree(_render_value((("name", trace.name),), trace.value, columns), branches)


def _make_layer_line(layer: str) -> Line:
    words, colon, path = layer.partition(": ")
    return make_line(("title", words), ("dim", colon + shorten_path(path)))


def _describe_merge(trace: LookupTrace, columns: int) -> list[Line]:
    """Return how several values are merged, and the conversion of the result."""
    lines: list[Line] = []
    options = trace.options
    if options is not None:
        lines.append(
            _render_value((("", "lookup_options"), *_describe_place(options)), options.answer, columns)
        )
    strategy = trace.merge["strategy"] if isinstance(trace.merge, dict) else trace.merge
    lines.append(
        make_line("merge: ", ("strong", strategy or "first"), ("dim", _MERGES.get(strategy or "first", "")))
    )
    if trace.convert is not None:
        target = trace.convert if isinstance(trace.convert, str) else to_source(trace.convert)
        lines.append(make_line("converted to ", ("type", target)))
    return lines


_MERGES = {
    "first": ", the first value that is found",
    "unique": ", one flat array of all values without repetition",
    "hash": ", one hash with all keys; the first value of each key",
    "deep": ", one hash with all keys; nested hashes are merged, arrays joined",
}


def _describe_level(name: str, places: list[LookupStep], hidden: bool, columns: int) -> list[Tree]:
    """Return a level: on one line if it has one file, else with a branch for each."""
    if not name:
        return [_render_step((), step, hidden, columns) for step in places]
    if len(places) == 1:
        return [_render_step((("", name),), places[0], hidden, columns)]
    return [Tree(make_line(name), [_render_step((), step, hidden, columns) for step in places])]


def _render_step(label: Line, step: LookupStep, hidden: bool, columns: int) -> Tree:
    """Return a step of a lookup: where it searched, and the value there."""
    head = (*label, *_describe_place(step, gap=bool(label)))
    if step.answer is ABSENT:
        return Tree((*head, ("dim", "  no such file")))
    if hidden and step.has_value:
        return Tree((*head, ("", " = "), *_REDACTED))
    if not step.is_reached and step.has_value:
        head = (*head, ("dim", "  not reached"))
    nested = [] if hidden else [describe_lookup(trace, columns) for trace in step.nested]
    return Tree(_render_value(head, step.answer, columns), nested)


def _describe_place(step: LookupStep, gap: bool = True) -> list[Fragment]:
    """Return the file and the line of a step, after a gap."""
    if not step.place:
        return []
    where = f", line {step.line}" if step.line is not None else ""
    return [("dim", f"{'  ' if gap else ''}{shorten_path(step.place)}{where}")]


def shorten_path(path: str) -> str:
    """Return a path, relative to the working folder if it is in there."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _render_value(head: Line, value: Any, columns: int) -> Line:
    """Return a line that begins with a head and ends with a value of the data."""
    if value is MISSING:
        return (*head, ("dim", "  no value"))
    room = max(columns - count_characters(head) - 12, _LEAST_DATA_ROOM)
    return (*head, ("", " = "), *shorten_value(value, room))


# By `holds`: true, false, neither.
_SIGNS = {True: ("added", "✓ "), False: ("removed", "✗ "), None: ("dim", "· ")}
_LEAST_REASON_ROOM = 24  # columns that a value gets at least if the words beside it are long


def describe_reason(explanation: Explanation, columns: int) -> Tree:
    """Return an explanation as a tree."""
    return Tree(
        _make_reason_line(explanation, columns),
        [describe_reason(part, max(columns - 3, _LEAST_REASON_ROOM)) for part in explanation.parts],
    )


def _make_reason_line(explanation: Explanation, columns: int) -> Line:
    """Return an explanation on one line: sign, subject, value, reason and position."""
    sign = _SIGNS[explanation.holds]
    subject = to_one_line(explanation.subject)
    parts: Line = make_line(sign, ("code", subject))
    if explanation.value is not MISSING and subject != format_literal(explanation.value, len(subject)):
        room = max(columns - len(subject) - len(explanation.words) - 8, _LEAST_REASON_ROOM)
        parts = (*parts, ("", " = "), *shorten_value(explanation.value, room))
    if explanation.words:
        parts = (*parts, ("", "  "), ("words", to_one_line(explanation.words)))
    if explanation.span is not None:
        parts = (*parts, ("dim", f"  {format_position(explanation.span)}"))
    return parts
