"""Commands that teach: an expression evaluated step by step, and the hierarchy of types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator import types as data_types
from evaluator.assistance.explain.steps import LONGEST, EvaluationStep, Iteration, compute_steps
from evaluator.assistance.inspection import UNIONS, find_holding_types, find_wider_types, read_hierarchy
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.rendering import problems
from puppet_kernel.rendering.elements import (
    Element,
    Fold,
    Fragment,
    Group,
    Line,
    NoteElement,
    TextElement,
    Tree,
    line,
)
from puppet_kernel.rendering.escape import clip, one_line
from puppet_kernel.rendering.literals import literal, short_value
from puppet_kernel.replies import CommandError, Reply

FEW, SHOWN = 6, 3  # so many turns of a block are shown, and so many of those that are more


def step(context: CommandContext, argument: str) -> Answer:
    """Show the steps of an expression; the part that is evaluated next is marked."""
    source = argument.strip()
    if not source:
        raise CommandError("%step takes an expression", help="%step 1 + 2 * 3")
    if len(source) > LONGEST:
        raise CommandError(f"%step takes expressions of at most {LONGEST:,} characters")

    def evaluate(text: str) -> Any:
        outcome = context.session.look(text)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def write(value: Any, room: int) -> str:
        return context.supervise(lambda: clip(literal(value, room), room + 1))

    parts: list[Element] = []
    rows: list[Line] = []
    last: str | None = source
    try:
        for found in compute_steps(source, DIALECTS[context.session.dialect], evaluate, write):
            rows.append(_row(found, first=last is source))
            last = found.after if found.problem is None else None
            shown, more = _turns(found.iterations)
            rows += shown
            if more is not None:
                parts += [TextElement(*rows), more]
                rows = []
    except PuppetError as problem:
        rows += [] if last is None else [_arrow(one_line(last), first=last is source)]
        return Reply(Group(*parts, TextElement(*rows), problems.error(problem)), error=problem)
    rows.append(_arrow(one_line(last or source), first=last is source))
    return Group(*parts, TextElement(*rows)) if parts else TextElement(*rows)


def _turns(turns: Sequence[Iteration]) -> tuple[list[Line], Element | None]:
    """Return the iterations of a block, one a line, and further ones folded."""
    rows = [_turn(turn) for turn in turns]
    if len(rows) <= FEW:
        return rows, None
    label = line(("dim", f"   … {len(rows) - SHOWN:,} more turns"))
    return rows[:SHOWN], Fold(label, TextElement(*rows[SHOWN:]))


def _turn(turn: Iteration) -> Line:
    given = ", ".join(f"${name} = {text}" for name, text in turn.parameters.items())
    forms: list[Fragment] = []
    for number, stage in enumerate(turn.stages):
        error = turn.failed and number == len(turn.stages) - 1
        forms += [("dim", "  ⇒  ")] if number else []
        forms.append(("error" if error else "", one_line(stage)))
    return (("", "     "), ("variable", one_line(given)), ("dim", ":  "), *forms)


def _row(found: EvaluationStep, first: bool) -> Line:
    before, part = found.source[: found.start], found.source[found.start : found.end]
    after = found.source[found.end :]
    return (*_lead(first), ("", one_line(before)), ("changed", one_line(part)), ("", one_line(after)))


def _arrow(text: str, first: bool) -> Line:
    return (*_lead(first), ("", text))


def _lead(first: bool) -> Line:
    return line(("dim", "   " if first else "⇒  "))


# --- types


def types(context: CommandContext, argument: str) -> Answer:
    """Show the hierarchy of types, with those marked that hold a value.

    The value is that of an expression, or of the last cell. For a type, the type itself and its supertypes are
    marked.
    """
    if argument.strip():
        asked = [context.session.look(argument)]
        if asked[0].error is not None:
            raise asked[0].error
    else:
        asked = [cell.outcome for cell in context.session.cells if cell.outcome.has_value]
    if not asked:
        words = f"These hold what lies in several places: {', '.join(UNIONS)}"
        return Group(_tree("Any", set()), NoteElement("hint", words), spaced=True)
    return context.supervise(lambda: _around(context, asked[-1].value, argument))


def _around(context: CommandContext, value: Any, argument: str) -> Element:
    """Return the hierarchy of types around a value."""
    dialect = DIALECTS[context.session.dialect]
    named = short_value(value, context.width() - 4)
    is_type = isinstance(value, data_types.Type)
    holding = find_wider_types(value, dialect) if is_type else find_holding_types(value, dialect)
    unions = ", ".join(name for name in UNIONS if name in holding)
    parts: list[Element] = [TextElement((*line("● "), *named)), _tree("Any", holding)]
    parts += [NoteElement("hint", f"and in {unions}")] if unions else []
    if is_type:
        parts.append(
            NoteElement("hint", "Marked is what holds all its values; the type itself is a value of Type.")
        )
    meant = argument.strip().capitalize()
    if value == argument.strip() and data_types.find_builtin_type(meant, dialect) is not None:
        parts.append(NoteElement("hint", f"A bare word is a String; the type is `{meant}`."))
    return Group(*parts, spaced=True)


def _tree(name: str, holding: set[str]) -> Tree:
    """Return the hierarchy below a type; a page closes the branches without marks."""
    label = line(("strong", f"{name} ●")) if name in holding else line(("type", name))
    below = [_tree(one, holding) for one in read_hierarchy().get(name, ())]
    return Tree(label, below, open=name in holding or not holding)
