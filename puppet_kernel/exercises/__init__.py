"""Exercises in notebooks that check themselves, and the progress of a learner.

`python -m puppet_kernel.exercises` writes the exercises of a folder's YAML files into its notebooks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from puppet_kernel.exercises.exercise import Exercise

ANSWER = "answer-"  # followed by the name of the exercise, this is the id of an answer's cell
_MARK = LazyPattern(r"#\s*(\w[\w-]*)\s*$", re.MULTILINE)

_NAMED = 200  # characters at the beginning of an answer that may name its exercise

NOT_TRIED, NEARLY, NOT_YET, RIGHT = "not yet tried", "nearly", "not yet", "right"


def _find_name(source: str) -> str | None:
    """Return the exercise that the first line of a cell names."""
    match = _MARK.match(source, 0, _NAMED) if source.startswith("#") else None
    return None if match is None else match[1]


class Answer(Record):
    """The last answer to an exercise: its text, and its error or None."""

    source: str
    error: PuppetError | None

    @property
    def code(self) -> str:
        """The text without the line that names the exercise."""
        return (self.source if _find_name(self.source) is None else self.source.partition("\n")[2]).strip()


class ExerciseProgress(Record):
    """The progress in one exercise: its state, and the numbers of tries and hints."""

    exercise: Exercise
    state: str = NOT_TRIED
    tries: int = 0
    hints: int = 0


class Progress(Record):
    """The progress in all exercises of a session.

    Attributes:
        answers: The answers by the name in their first line: `# 02-b`.
        exercises: The progress in the exercises that were checked, by name.
    """

    answers: dict[str, Answer] = fresh(factory=dict)
    exercises: dict[str, ExerciseProgress] = fresh(factory=dict)

    def record(self, source: str, outcome: Any, cell_id: str | None) -> None:
        """Record a cell that ran, if its first line or its identity names an exercise."""
        name = _find_name(source)
        if name is None and cell_id is not None and cell_id.startswith(ANSWER):
            name = cell_id.removeprefix(ANSWER)
        if name is not None:
            self.answers[name] = Answer(source, outcome.error)

    def start(self, exercise: Exercise) -> ExerciseProgress:
        """Return the progress in an exercise, and start it if it is new."""
        progress = self.exercises.setdefault(exercise.name, ExerciseProgress(exercise))
        progress.exercise = exercise
        return progress
