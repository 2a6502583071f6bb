"""Commands that explain: steps of evaluation, hierarchy of types, origin of values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from evaluator import types as data_types
from evaluator.assistance.explain.branches import evaluate_alone
from evaluator.assistance.explain.steps import LONGEST, EvaluationStep, Iteration, compute_steps
from evaluator.assistance.inspection import UNIONS, find_supertypes, find_types_of_value, read_hierarchy
from evaluator.catalog.model import Key, format_key
from evaluator.catalog.provenance import trace_provenance
from evaluator.catalog.references import parse_reference
from evaluator.resource_types import RELATIONSHIPS
from evaluator.types import ClassType, ResourceType
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.commands.settings import show_lookup
from puppet_kernel.rendering import explanations, views
from puppet_kernel.rendering.elements import (
    Element,
    Fold,
    Fragment,
    Group,
    Line,
    NoteElement,
    TextElement,
    Tree,
    make_line,
)
from puppet_kernel.rendering.escape import cut_columns, to_one_line
from puppet_kernel.rendering.literals import format_literal, shorten_value
from puppet_kernel.replies import CommandError, Reply, refuse_if, require_found

FEW, SHOWN = 6, 3  # all of up to this many iterations are shown, and only this many if there are more


@command(
    *("step", "EXPRESSION"),
    summary="Show the evaluation of an expression step by step.",
    examples=("%step 1 + 2 * 3", "%step if 1 > 2 { 'more' } else { 'less' }"),
    demo="%step 1 + 2 * 3",
    takes_code=True,
    mutates_session=True,
)
def show_steps(context: CommandContext, argument: str) -> Answer:
    """Show the steps of an expression; the part that is evaluated next is marked."""
    source = argument.strip()
    refuse_if(not source, "%step takes an expression", help="%step 1 + 2 * 3")
    refuse_if(len(source) > LONGEST, f"%step takes expressions of at most {LONGEST:,} characters")

    def write(value: Any, room: int) -> str:
        return context.session.supervised(lambda: cut_columns(format_literal(value, room), room + 1))

    parts: list[Element] = []
    rows: list[Line] = []
    last: str | None = source
    try:
        dialect = DIALECTS[context.session.dialect]
        for found in compute_steps(source, dialect, partial(evaluate_alone, context.session), write):
            rows.append(_make_row(found, first=last is source))
            last = found.after if found.problem is None else None
            shown, more = _render_iterations(found.iterations)
            rows += shown
            if more is not None:
                parts += [TextElement(*rows), more]
                rows = []
    except PuppetError as problem:
        rows += [] if last is None else [(*_make_lead(last is source), ("", to_one_line(last)))]
        return Reply(Group(*parts, TextElement(*rows), views.describe_error(problem)), error=problem)
    rows.append((*_make_lead(last is source), ("", to_one_line(last or source))))
    return Group(*parts, TextElement(*rows)) if parts else TextElement(*rows)


def _render_iterations(turns: Sequence[Iteration]) -> tuple[list[Line], Element | None]:
    """Return the iterations of a block, one a line, and further ones folded."""
    rows = [_render_iteration(turn) for turn in turns]
    if len(rows) <= FEW:
        return rows, None
    label = make_line(("dim", f"   … {len(rows) - SHOWN:,} more iterations"))
    return rows[:SHOWN], Fold(label, TextElement(*rows[SHOWN:]))


def _render_iteration(turn: Iteration) -> Line:
    """Return the parameters of an iteration, then the stages of its body."""
    given = ", ".join(f"${name} = {text}" for name, text in turn.parameters.items())
    forms: list[Fragment] = []
    for number, stage in enumerate(turn.stages):
        error = turn.failed and number == len(turn.stages) - 1
        forms += [("dim", "  ⇒  ")] if number else []
        forms.append(("error" if error else "", to_one_line(stage)))
    return (("", "     "), ("variable", to_one_line(given)), ("dim", ":  "), *forms)


def _make_row(found: EvaluationStep, first: bool) -> Line:
    """Return a step: the source before it, with the part that is evaluated next marked."""
    before, part = found.source[: found.start], found.source[found.start : found.end]
    after = found.source[found.end :]
    return (
        *_make_lead(first),
        ("", to_one_line(before)),
        ("changed", to_one_line(part)),
        ("", to_one_line(after)),
    )


def _make_lead(first: bool) -> Line:
    """Return the beginning of a row: an arrow, except in the first one."""
    return make_line(("dim", "   " if first else "⇒  "))


# --- types


@command(
    *("types", "[EXPRESSION]"),
    summary="Show the tree of types, and the types that contain a value.",
    examples=("%types [1, 'a']",),
    demo="%types 'a'",
    takes_code=True,
    mutates_session=True,
)
def show_types(context: CommandContext, argument: str) -> Answer:
    """Show the tree of types, with those marked that contain a value.

    The value is that of an expression, or of the last cell. For a type, the type itself and its supertypes are
    marked.
    """
    if argument.strip():
        values = [evaluate_alone(context.session, argument)]
    else:
        values = [cell.outcome.value for cell in context.session.cells if cell.outcome.has_value]
    if not values:
        words = f"These types have instances in several branches: {', '.join(UNIONS)}"
        return Group(_make_tree("Any", set()), NoteElement("hint", words), spaced=True)
    return context.session.supervised(lambda: _find_types_around(context, values[-1], argument))


def _find_types_around(context: CommandContext, value: Any, argument: str) -> Element:
    """Return the hierarchy of types around a value."""
    dialect = DIALECTS[context.session.dialect]
    named = shorten_value(value, context.width() - 4)
    is_type = isinstance(value, data_types.Type)
    holding = find_supertypes(value, dialect) if is_type else find_types_of_value(value, dialect)
    unions = ", ".join(name for name in UNIONS if name in holding)
    parts: list[Element] = [TextElement((*make_line("● "), *named)), _make_tree("Any", holding)]
    parts += [NoteElement("hint", f"and in {unions}")] if unions else []
    if is_type:
        parts.append(
            NoteElement(
                "hint", "The marked types contain all its values; the type itself is a value of Type."
            )
        )
    meant = argument.strip().capitalize()
    if value == argument.strip() and data_types.find_builtin_type(meant, dialect) is not None:
        parts.append(NoteElement("hint", f"A bare word is a String; the type is `{meant}`."))
    return Group(*parts, spaced=True)


def _make_tree(name: str, holding: set[str]) -> Tree:
    """Return the hierarchy below a type; a page closes the branches without marks."""
    label = make_line(("strong", f"{name} ●")) if name in holding else make_line(("type", name))
    below = [_make_tree(one, holding) for one in read_hierarchy().get(name, ())]
    return Tree(label, below, open=name in holding or not holding)


KINDS = "a match (=~, !~), types (<, <=), a case, a selector, a call, `node`"
EXAMPLES = ("%why File['/etc/motd'] mode", "%why 5 =~ String")
# pattern of an argument -> the command that shows it; the first match is used
INSTEAD = (
    (re.compile(r"\S\s*(->|~>|<-|<~)"), "%graph --path A B shows why one thing comes before another"),
    (
        re.compile(r"\$[\w:]+"),
        "?$name describes a variable, %cells shows the cell that sets it, %step evaluates it",
    ),
    (re.compile(r"<<?\|"), "%why File['/x'] shows what a collector did to a resource"),
    (re.compile(r"."), "%step shows how a value is computed"),
)

# a reference, and the name of an attribute after it; no backtracking, because interrupts cannot stop it here
_REFERENCE = re.compile(
    r"(?P<reference>(?:::)?[A-Z][\w:]*+\s*+\[[^\[\]]*+\])(?:(?:\s++[.,]?|[.,])\s*+(?P<attribute>[a-z]\w*+))?"
)

_LOOKUP = re.compile(r"lookup\(\s*+['\"](?P<key>[\w:.]+)['\"]\s*+\)")
_CLASS = re.compile(r"(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*+)(?P<parameter>(?!))?")
_PARAMETER = re.compile(r"\$(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*?)::(?P<parameter>[a-z]\w*+)")


@command(
    *("why", "WHAT"),
    lambda context: ("node", *(item.reference for item in context.session.catalog().resources.values())),
    summary="Explain the origin of a value, or a match, choice or call.",
    examples=(
        "%why File['/etc/motd'] mode",
        "%why Class[ntp]",
        "%why [1, 'a'] =~ Array[Integer]",
        "%why join('a', 2)",
        "%why case 5 { Integer[6]: { 'many' } default: { 'few' } }",
        "%why node",
    ),
    demo="%why File['/etc/ntp.conf'] mode",
    takes_code=True,
    mutates_session=True,
)
def show_reason(context: CommandContext, argument: str) -> Answer:
    """Show the origin of values, or the reason for the value of an expression."""
    text = argument.strip()
    looked_up, parameter = _LOOKUP.fullmatch(text), (_PARAMETER.fullmatch(text) or _CLASS.fullmatch(text))
    if looked_up is not None:
        return show_lookup(context, looked_up["key"])
    if parameter is not None:
        known = context.session.catalog().find(("class", parameter["name"]))
        if known is not None and (
            parameter["parameter"] is None or parameter["parameter"] in known.parameters
        ):
            return _describe_attributes(context, known.key, parameter["parameter"])
    reference = _REFERENCE.fullmatch(text)
    if reference is None:
        found = context.session.assistant.explain(argument) if text else None
        if found is None:
            instead = [words for pattern, words in INSTEAD if pattern.search(text)]
            raise CommandError(
                "%why takes a reference, or an expression with a decision: " + KINDS,
                help="; ".join([*EXAMPLES, *instead[:1]]),
            )
        return context.session.supervised(lambda: explanations.describe_reason(found, context.width()))
    return _describe_attributes(context, _read_key(context, reference["reference"]), reference["attribute"])


def _read_key(context: CommandContext, text: str) -> Key:
    """Return the key of the resource in a reference, or raise PuppetError."""
    kind, _, rest = text.partition("[")
    title = rest.removesuffix("]").strip()
    if title[:1] in ("'", '"') or "$" in title:
        value = evaluate_alone(context.session, text)
        if not isinstance(value, ResourceType | ClassType) or value.title is None:
            raise CommandError(f"{text} is not a reference to one resource", help="; ".join(EXAMPLES))
        return value.key
    return require_found(
        parse_reference(f"{kind.strip()}[{title}]"),
        f"{text} is not a reference to a resource",
        help="; ".join(EXAMPLES),
    )


def _describe_attributes(context: CommandContext, key: Key, name: str | None) -> Answer:
    """Return the origin of one attribute of a resource, or of each; the cells run once more."""
    here = context.session.catalog()
    if here.find(key) is None:
        known = [item.reference for item in here.resources.values()]
        raise CommandError(
            f"There is no resource {format_key(key)} in the catalog",
            suggestion=find_nearest(format_key(key), known),
            help="%catalog lists all",
        )
    resource = require_found(  # the result of the cells may depend on more than the program
        context.fork_session(recorded=True).catalog().find(key),
        f"{format_key(key)} is not declared if the cells run again",
    )
    if name is None:
        return context.session.supervised(lambda: explanations.describe_attributes(resource, context.width()))
    attributes = trace_provenance(resource)
    if name not in attributes:
        order = (
            f"; %graph --around {resource.reference} shows what it waits for" if name in RELATIONSHIPS else ""
        )
        refuse_if(not attributes, f"{resource.reference} has no attributes")
        raise CommandError(
            f"{resource.reference} has no attribute {name}",
            suggestion=find_nearest(name, attributes),
            help=f"it has {', '.join(attributes)}{order}",
        )
    return context.session.supervised(
        lambda: explanations.describe_attribute(resource, name, context.width())
    )
