"""What a learner has done in a session: the last answers, how often they were checked, hints that were given."""

from __future__ import annotations

import re
from typing import Any

from lexer_parser.errors import PuppetError
from puppet_kernel.exercises.exercise import Exercise

ANSWER = "answer-"  # and its exercise, are what the notebooks call an answer's cell
_MARK = re.compile(r"#\s*(\w[\w-]*)\s*$", re.MULTILINE)

_NAMED = 200  # so many characters say of which exercise an answer is

NOT_TRIED, NEARLY, NOT_YET, RIGHT = "not yet tried", "nearly", "not yet", "right"


def _named(source: str) -> str | None:
    """The exercise that the first line of a cell names."""
    found = _MARK.match(source, 0, _NAMED) if source.startswith("#") else None
    return None if found is None else found[1]


class Answer:
    """What ran last in the answer cell of an exercise: its text, and the error that it gave, or None."""

    __slots__ = ("error", "source")

    def __init__(self, source: str, error: PuppetError | None) -> None:
        self.source = source
        self.error = error

    @property
    def code(self) -> str:
        """The text without the line that says of which exercise it is, if there is one."""
        return (self.source if _named(self.source) is None else self.source.partition("\n")[2]).strip()


class Try:
    """What is known of an exercise: state, how often it was checked, and how many hints were given."""

    __slots__ = ("exercise", "hints", "state", "tries")

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.state = NOT_TRIED
        self.tries = 0
        self.hints = 0


class Progress:
    """All that a session knows of exercises; it is gone with the session.

    answers  the answer cells that ran, by the name in their first line: `# 02-b`
    known    the exercises whose check cells ran, by name
    """

    __slots__ = ("answers", "known")

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.known: dict[str, Try] = {}

    def record(self, source: str, outcome: Any, cell_id: str | None) -> None:
        """Takes note of a cell that ran, if its first line names an exercise; or its identity, when that is lost."""
        name = _named(source)
        if name is None and cell_id is not None and cell_id.startswith(ANSWER):
            name = cell_id.removeprefix(ANSWER)
        if name is not None:
            self.answers[name] = Answer(source, outcome.error)

    def begun(self, exercise: Exercise) -> Try:
        """What is known of an exercise; it is known from now on, as it stands now."""
        found = self.known.setdefault(exercise.name, Try(exercise))
        found.exercise = exercise
        return found
