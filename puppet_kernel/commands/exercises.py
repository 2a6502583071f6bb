"""Commands for exercises: check an answer, show a hint, a solution, or the progress."""

from __future__ import annotations

import os

from lexer_parser.errors import PuppetError
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.exercises import NEARLY, NOT_TRIED, RIGHT, ExerciseProgress, Progress
from puppet_kernel.exercises.checks import CheckedProgram, Verdict, judge
from puppet_kernel.exercises.exercise import Exercise, pack, unpack
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Group,
    Line,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    make_line,
)
from puppet_kernel.rendering.literals import format_count
from puppet_kernel.replies import Reply, refuse_if, refuse_problems, require_found

GRADED = "NBGRADER_EXECUTION"  # set while nbgrader runs a notebook
DEMO_EXERCISE = Exercise(
    {
        "name": "reference",
        "checks": [{"value": "$answer == 7"}],
        "hints": ["What binds first, `+` or `*`?"],
        "why": "`*` binds before `+`.",
        "solution": "$answer = 1 + 2 * 3",
    }
)
CHECK_DEMO = f"%check reference\n{pack(DEMO_EXERCISE)}"
TRIES = 3  # after this many checks the solution is shown even if hints are left


@command("check", arguments="NAME …", takes_code=True, mutates_session=True, demo=CHECK_DEMO)
def check(context: CommandContext, argument: str) -> Answer:
    """Check the answer to an exercise of a notebook."""
    name, _, text = argument.strip().partition("\n")
    refuse_if(
        not text.strip(),
        "%check takes the name of an exercise, and the line that the notebook contains below it",
    )
    with refuse_problems(ValueError, lead=f"The line below %check {name.strip()} cannot be used: "):
        exercise = unpack(text)
        if exercise.name != name.strip():
            raise ValueError(f"it belongs to the exercise {exercise.name}")
        progress = context.progress.start(exercise)
        program = CheckedProgram(
            context.session, context.progress.answers.get(exercise.name), context.fork_session
        )
        verdict = judge(exercise, program)
    progress.state = verdict.state
    progress.tries += verdict.state != NOT_TRIED
    return (
        _make_grade(exercise, verdict)
        if os.environ.get(GRADED)
        else Reply(_describe_verdict(exercise, verdict, progress), unresolved=verdict.state == NOT_TRIED)
    )


def _make_grade(exercise: Exercise, verdict: Verdict) -> Reply:
    """Return the output that nbgrader reads: none for all points, a number, or an error."""
    if verdict.state == RIGHT:
        return Reply()
    if verdict.state == NEARLY:
        passed = sum(result.holds for result in verdict.results)
        points = exercise.points * passed / (passed + 1)
        return Reply(TextElement(make_line(("number", f"{points:.2g}"))), is_value=True)
    problem = PuppetError("EXERCISE", f"{exercise.name}: {verdict.state}")
    return Reply(TextElement(make_line(("error", problem.message))), error=problem)


@command(
    "hint",
    arguments="NAME",
    complete_argument=lambda context: sorted(context.progress.exercises),
    examples=("%hint 02-b",),
    demo="%hint reference",
)
def hint(context: CommandContext, argument: str) -> Answer:
    """Show the next hint for an exercise."""
    progress = _find_progress(context, argument, "%hint")
    exercise = progress.exercise
    refuse_if(not exercise.hints, f"There are no hints for {exercise.name}")
    progress.hints = min(progress.hints + 1, len(exercise.hints))
    return _describe_hints(exercise, progress)


@command(
    "solution",
    arguments="NAME [--now]",
    complete_argument=lambda context: sorted(context.progress.exercises),
    examples=("%solution 02-b --now",),
    demo="%solution reference --now",
)
def solution(context: CommandContext, argument: str) -> Answer:
    """Show the solution after some tries; `--now` immediately."""
    words = argument.split()
    progress = _find_progress(context, " ".join(word for word in words if word != "--now"), "%solution")
    exercise = progress.exercise
    has_tried = progress.state == RIGHT or progress.tries >= TRIES
    refuse_if(
        not ("--now" in words or has_tried or progress.hints >= len(exercise.hints)),
        f"There are hints left for {exercise.name}",
        help=f"`%hint {exercise.name}` shows the next one; `%solution {exercise.name} --now` skips them",
    )
    answer = context.progress.answers.get(exercise.name)
    return _describe_solution(exercise, answer.code if answer is not None else "")


@command("exercises", demo="%exercises")
def exercises(context: CommandContext, argument: str) -> Answer:
    """List the exercises that were checked, with the state of each."""
    return _describe_overview(context.progress)


def _find_progress(context: CommandContext, argument: str, command: str) -> ExerciseProgress:
    """Return the progress in the exercise that the argument of a command names."""
    name = argument.strip()
    return require_found(
        context.progress.exercises.get(name),
        f"There is no checked exercise {name}" if name else f"{command} takes the name of an exercise",
        suggestion=find_nearest(name, context.progress.exercises),
        help="run the cell below its answer, `%check NAME`, first",
    )


# --- views

# The roles of states; other states are warnings.
_ROLES = {RIGHT: "added", NOT_TRIED: "dim"}


def _describe_verdict(exercise: Exercise, verdict: Verdict, progress: ExerciseProgress) -> Element:
    """Return the state, the checks up to the first that fails, and where to find help."""
    head = make_line(
        ("strong", exercise.name), ("", ": "), (_ROLES.get(verdict.state, "warning"), verdict.state)
    )
    if verdict.state == NOT_TRIED:
        return TextElement(head)
    rows: list[Line] = [head]
    for result in verdict.results:
        sign = ("added", "✓ ") if result.holds else ("error", "✗ ")
        rows.append((sign, ("", result.words)))
        if not result.holds and result.actual:
            rows.append((("dim", "  but "), ("", result.actual)))
    below: list[Element] = [Paragraphs(verdict.explanation)] if verdict.explanation else []
    if verdict.state == RIGHT:
        below += [Paragraphs(exercise.why)] if exercise.why else []
        below += [NoteElement("hint", f"next: {exercise.next}")] if exercise.next else []
    elif progress.hints < len(exercise.hints):
        count = len(exercise.hints) - progress.hints
        words = "one hint" if count == 1 else format_count(count, "hint")
        below.append(NoteElement("hint", f"`%hint {exercise.name}` shows a hint ({words} left)"))
    else:
        below.append(NoteElement("hint", f"`%solution {exercise.name}` shows a solution"))
    return Group(TextElement(*rows), *below)


def _describe_hints(exercise: Exercise, progress: ExerciseProgress) -> Element:
    """Return the hints that were shown so far, the latest one last."""
    rows = [
        make_line(("strong", f"{number}. "), ("words", text))
        for number, text in enumerate(exercise.hints[: progress.hints], 1)
    ]
    rest = len(exercise.hints) - progress.hints
    left = (
        format_count(rest, "more hint")
        if rest
        else f"that was the last; `%solution {exercise.name}` shows a solution"
    )
    return Group(TextElement(*rows), NoteElement("hint", left))


def _describe_solution(exercise: Exercise, answer: str) -> Element:
    """Return the solution and its explanation, next to the learner's answer."""
    parts: list[Element] = [Code(exercise.solution.strip("\n"))]
    parts += [Paragraphs(exercise.why)] if exercise.why else []
    if answer and answer != exercise.solution.strip():
        parts.append(Group(NoteElement("hint", "your answer"), Code(answer)))
    return Group(*parts, spaced=True)


def _describe_overview(progress: Progress) -> Element:
    """Return the exercises that were checked, with their states and numbers of tries."""
    if not progress.exercises:
        return NoteElement("hint", "No exercise has been checked yet: `%check` is below each of them.")
    rows = [
        (
            make_line(("name", name)),
            make_line((_ROLES.get(item.state, "warning"), item.state)),
            make_line("" if item.tries == 0 else "once" if item.tries == 1 else f"{item.tries} times"),
        )
        for name, item in sorted(progress.exercises.items())
    ]
    return Table(rows, ("exercise", "state", "checked"))
