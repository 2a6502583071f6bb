"""The commands that explain evaluation (`%step`), types (`%types`) and origins (`%why`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from evaluator import types as data_types
from evaluator.assistance.explain.expressions import evaluate_alone
from evaluator.assistance.explain.steps import LONGEST_EXPRESSION, EvaluationStep, Iteration, compute_steps
from evaluator.assistance.words import UNIONS, find_supertypes, find_types_of_value, read_hierarchy
from evaluator.catalog.model import Key, format_key
from evaluator.catalog.provenance import trace_provenance
from evaluator.catalog.references import parse_reference
from evaluator.resource_types import RELATIONSHIPS
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

MOST_ITERATIONS = 6  # the most iterations of a lambda that are shown without a fold
ITERATIONS_BEFORE_FOLD = 3  # the iterations that are shown if there are more


@command(
    "step",
    arguments="EXPRESSION",
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
    refuse_if(
        len(source) > LONGEST_EXPRESSION,
        f"%step takes expressions of at most {LONGEST_EXPRESSION:,} characters",
    )

    def write_literal(value: Any, room: int) -> str:
        return context.session.call_supervised(lambda: cut_columns(format_literal(value, room), room + 1))

    parts: list[Element] = []
    rows: list[Line] = []
    step: EvaluationStep | None = None  # the last one
    try:
        dialect = DIALECTS[context.session.dialect]
        for next_step in compute_steps(
            source, dialect, partial(evaluate_alone, context.session), write_literal
        ):
            rows.append(_make_row(next_step, first=step is None))
            step = next_step
            iteration_rows, fold = _render_iterations(step.iterations)
            rows += iteration_rows
            if fold is not None:
                parts += [TextElement(*rows), fold]
                rows = []
    except PuppetError as problem:
        if step is None or step.problem is None:
            rows.append(_make_last_row(source, step))
        return Reply(Group(*parts, TextElement(*rows), views.describe_error(problem)), error=problem)
    rows.append(_make_last_row(source, step))
    return Group(*parts, TextElement(*rows)) if parts else TextElement(*rows)


def _render_iterations(iterations: Sequence[Iteration]) -> tuple[list[Line], Element | None]:
    """Return the iterations of a lambda, one a line, and a fold with those of a long list."""
    rows = [_render_iteration(iteration) for iteration in iterations]
    if len(rows) <= MOST_ITERATIONS:
        return rows, None
    label = make_line(("dim", f"   … {len(rows) - ITERATIONS_BEFORE_FOLD:,} more iterations"))
    return rows[:ITERATIONS_BEFORE_FOLD], Fold(label, TextElement(*rows[ITERATIONS_BEFORE_FOLD:]))


def _render_iteration(iteration: Iteration) -> Line:
    """Return the parameters of an iteration, then the stages of its body."""
    parameters = ", ".join(f"${name} = {text}" for name, text in iteration.parameters.items())
    stages: list[Fragment] = []
    for number, stage in enumerate(iteration.stages):
        error = iteration.failed and number == len(iteration.stages) - 1
        stages += [("dim", "  ⇒  ")] if number else []
        stages.append(("error" if error else "", to_one_line(stage)))
    return (("", "     "), ("variable", to_one_line(parameters)), ("dim", ":  "), *stages)


def _make_row(step: EvaluationStep, first: bool) -> Line:
    """Return the row of a step: its source, with the part that is evaluated next marked."""
    before, part = step.source[: step.start], step.source[step.start : step.end]
    after = step.source[step.end :]
    return (
        *_make_lead(first),
        ("", to_one_line(before)),
        ("changed", to_one_line(part)),
        ("", to_one_line(after)),
    )


def _make_last_row(source: str, step: EvaluationStep | None) -> Line:
    """Return the row of the result of the last step; of the source if there was no step."""
    return (*_make_lead(step is None), ("", to_one_line(source if step is None else step.after)))


def _make_lead(first: bool) -> Line:
    """Return the beginning of a row: an arrow, except in the first one."""
    return make_line(("dim", "   " if first else "⇒  "))


# --- types


@command(
    "types",
    arguments="[EXPRESSION]",
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
    return context.session.call_supervised(lambda: _find_types_around(context, values[-1], argument))


def _find_types_around(context: CommandContext, value: Any, argument: str) -> Element:
    """Return the hierarchy of types, in which those that contain a value are marked.

    Args:
        context: The command context.
        value: The value.
        argument: The expression that has the value, as the user wrote it.
    """
    dialect = DIALECTS[context.session.dialect]
    label = shorten_value(value, context.width() - 4)
    is_type = isinstance(value, data_types.Type)
    marked = find_supertypes(value, dialect) if is_type else find_types_of_value(value, dialect)
    unions = ", ".join(name for name in UNIONS if name in marked)
    parts: list[Element] = [TextElement((*make_line("● "), *label)), _make_tree("Any", marked)]
    parts += [NoteElement("hint", f"and in {unions}")] if unions else []
    if is_type:
        parts.append(
            NoteElement(
                "hint", "The marked types contain all its values; the type itself is a value of Type."
            )
        )
    type_name = argument.strip().capitalize()
    if value == argument.strip() and data_types.find_builtin_type(type_name, dialect) is not None:
        parts.append(NoteElement("hint", f"A bare word is a String; the type is `{type_name}`."))
    return Group(*parts, spaced=True)


def _make_tree(name: str, marked: set[str]) -> Tree:
    """Return the hierarchy below a type; a page closes the branches without marked types."""
    label = make_line(("strong", f"{name} ●")) if name in marked else make_line(("type", name))
    subtypes = [_make_tree(subtype, marked) for subtype in read_hierarchy().get(name, ())]
    return Tree(label, subtypes, open=name in marked or not marked)


# --- origins

DECISIONS = "a match (=~, !~), types (<, <=), a case, a selector, a call, `node`"
EXAMPLES = ("%why File['/etc/motd'] mode", "%why 5 =~ String")
# The pattern of an argument that %why does not explain, and the remedy: other commands. The first match is used.
OTHER_COMMANDS = (
    (re.compile(r"\S\s*(->|~>|<-|<~)"), "%graph --path A B shows why one thing comes before another"),
    (
        re.compile(r"\$[\w:]+"),
        "?$name describes a variable, %cells shows the cell that sets it, %step evaluates it",
    ),
    (re.compile(r"<<?\|"), "%why File['/x'] shows what a collector did to a resource"),
    (re.compile(r"."), "%step shows how a value is computed"),
)

# A reference, and the name of an attribute after it. No backtracking, because interrupts cannot stop it here.
_REFERENCE = re.compile(
    r"(?P<reference>(?:::)?[A-Z][\w:]*+\s*+\[[^\[\]]*+\])(?:(?:\s++[.,]?|[.,])\s*+(?P<attribute>[a-z]\w*+))?"
)

_LOOKUP = re.compile(r"lookup\(\s*+['\"](?P<key>[\w:.]+)['\"]\s*+\)")
_CLASS = re.compile(r"(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*+)")
_PARAMETER = re.compile(r"\$(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*?)::(?P<parameter>[a-z]\w*+)")


@command(
    "why",
    arguments="WHAT",
    complete_argument=lambda context: (
        "node",
        *(item.reference for item in context.session.catalog().resources.values()),
    ),
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
    # A lookup, the parameters of a class, and the attributes of a resource have an origin; anything else is an
    # expression.
    text = argument.strip()
    lookup = _LOOKUP.fullmatch(text)
    if lookup is not None:
        return show_lookup(context, lookup["key"])
    class_match = _PARAMETER.fullmatch(text) or _CLASS.fullmatch(text)
    if class_match is not None:
        resource = context.session.catalog().find(("class", class_match["name"]))
        parameter = class_match.groupdict().get("parameter")
        if resource is not None and (parameter is None or parameter in resource.parameters):
            return _describe_attributes(context, resource.key, parameter)
    reference = _REFERENCE.fullmatch(text)
    if reference is None:
        reason = context.session.assistant.explain(argument) if text else None
        if reason is None:
            remedies = [remedy for pattern, remedy in OTHER_COMMANDS if pattern.search(text)]
            raise CommandError(
                "%why takes a reference, or an expression with a decision: " + DECISIONS,
                help="; ".join([*EXAMPLES, *remedies[:1]]),
            )
        return context.session.call_supervised(lambda: explanations.describe_reason(reason, context.width()))
    return _describe_attributes(context, _read_key(context, reference["reference"]), reference["attribute"])


def _read_key(context: CommandContext, text: str) -> Key:
    """Return the key of the resource in a reference, or raise PuppetError."""
    kind, _, rest = text.partition("[")
    title = rest.removesuffix("]").strip()
    if title[:1] in ("'", '"') or "$" in title:
        value = evaluate_alone(context.session, text)
        if not isinstance(value, data_types.ResourceType | data_types.ClassType) or value.title is None:
            raise CommandError(f"{text} is not a reference to one resource", help="; ".join(EXAMPLES))
        return value.key
    return require_found(
        parse_reference(f"{kind.strip()}[{title}]"),
        f"{text} is not a reference to a resource",
        help="; ".join(EXAMPLES),
    )


def _describe_attributes(context: CommandContext, key: Key, name: str | None) -> Answer:
    """Return the origin of one attribute of a resource, or of each.

    The cells run once more, because only a forked session records origins.

    Args:
        context: The command context.
        key: The key of the resource.
        name: The name of the attribute; None for all attributes.
    """
    catalog = context.session.catalog()
    if catalog.find(key) is None:
        references = [item.reference for item in catalog.resources.values()]
        raise CommandError(
            f"There is no resource {format_key(key)} in the catalog",
            suggestion=find_nearest(format_key(key), references),
            help="%catalog lists all",
        )
    resource = require_found(  # the result of the cells may depend on more than the program
        context.fork_session(recorded=True).catalog().find(key),
        f"{format_key(key)} is not declared if the cells run again",
    )
    if name is None:
        return context.session.call_supervised(
            lambda: explanations.describe_attributes(resource, context.width())
        )
    attributes = trace_provenance(resource)
    if name not in attributes:
        refuse_if(not attributes, f"{resource.reference} has no attributes")
        hint = (
            f"; %graph --around {resource.reference} shows what it waits for" if name in RELATIONSHIPS else ""
        )
        raise CommandError(
            f"{resource.reference} has no attribute {name}",
            suggestion=find_nearest(name, attributes),
            help=f"it has {', '.join(attributes)}{hint}",
        )
    return context.session.call_supervised(
        lambda: explanations.describe_attribute(resource, name, context.width())
    )
