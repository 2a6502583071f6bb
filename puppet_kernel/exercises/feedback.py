"""Feedback for a learner: the verdict, the expected and the actual result, and help."""

from __future__ import annotations

from puppet_kernel.exercises.exercise import Exercise
from puppet_kernel.exercises.progress import NOT_TRIED, RIGHT, Progress, Try
from puppet_kernel.exercises.verdict import Verdict
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Group,
    Line,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    line,
)

ROLES = {RIGHT: "added", NOT_TRIED: "dim"}


def verdict(exercise: Exercise, told: Verdict, state: Try) -> Element:
    """Return the state, the checks up to the first that fails, and where to find help."""
    head = line(("strong", exercise.name), ("", ": "), (ROLES.get(told.state, "warning"), told.state))
    if told.state == NOT_TRIED:
        return TextElement(head)
    rows: list[Line] = [head]
    for result in told.results:
        sign = ("added", "✓ ") if result.holds else ("error", "✗ ")
        rows.append((sign, ("", result.words)))
        if not result.holds and result.came:
            rows.append((("dim", "  but "), ("", result.came)))
    below: list[Element] = [Paragraphs(text) for text in (told.says,) if text]
    if told.state == RIGHT:
        below += [Paragraphs(exercise.why)] if exercise.why else []
        below += [NoteElement("hint", f"next: {exercise.next}")] if exercise.next else []
    elif state.hints < len(exercise.hints):
        count = len(exercise.hints) - state.hints
        words = "one hint" if count == 1 else f"{count} hints"
        below.append(NoteElement("hint", f"`%hint {exercise.name}` has {words} for you"))
    else:
        below.append(NoteElement("hint", f"`%solution {exercise.name}` shows how it is done"))
    return Group(TextElement(*rows), *below)


def hint(exercise: Exercise, state: Try) -> Element:
    """Return the hints that were shown so far, the latest one last."""
    rows = [
        line(("strong", f"{number}. "), ("words", text))
        for number, text in enumerate(exercise.hints[: state.hints], 1)
    ]
    rest = len(exercise.hints) - state.hints
    left = (
        f"{rest} more {'hint' if rest == 1 else 'hints'}"
        if rest
        else f"that was the last; `%solution {exercise.name}` shows how it is done"
    )
    return Group(TextElement(*rows), NoteElement("hint", left))


def solution(exercise: Exercise, answer: str) -> Element:
    """Return the solution and its explanation, next to the learner's answer."""
    parts: list[Element] = [Code(exercise.solution.strip("\n"))]
    parts += [Paragraphs(exercise.why)] if exercise.why else []
    if answer and answer != exercise.solution.strip():
        parts.append(Group(NoteElement("hint", "yours was"), Code(answer)))
    return Group(*parts, spaced=True)


def overview(progress: Progress) -> Element:
    """Return the exercises that were checked, with their states and numbers of tries."""
    if not progress.known:
        return NoteElement("hint", "No exercise has been checked yet: `%check` stands below each.")
    rows = [
        (
            line(("name", name)),
            line((ROLES.get(known.state, "warning"), known.state)),
            line("" if known.tries == 0 else "once" if known.tries == 1 else f"{known.tries} times"),
        )
        for name, known in sorted(progress.known.items())
    ]
    return Table(rows, ("exercise", "state", "checked"))
