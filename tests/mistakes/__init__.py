"""Mistakes of beginners and their messages: `python -m tests.mistakes` prints the table.

The files of `cases` contain them in this form:

    ### NAME: cell
    the program
    --- CODE at LINE:COLUMN
    words of the help
    --- released
    the message of the released Puppet

`cell` is `file` for a mistake in a file, and `, own` follows if the mistake is of our own finding. The first message
must have this code, this position, and these words. The last line is empty if the released Puppet reports nothing
when it compiles the program and converts the catalog for the agent.
"""

from __future__ import annotations

import re
from pathlib import Path

from evaluator import Session
from lexer_parser import PUPPET, PuppetError
from lexer_parser.check import find_problems
from lexer_parser.errors import Hint

CASES = Path(__file__).parent / "cases"
CASE = re.compile(
    r"### (?P<name>\w+): (?P<where>cell|file)(?P<own>, own)?\n(?P<source>.*?)\n"
    r"--- (?P<code>\w+) at (?P<position>\S+)\n(?P<words>.*?)\n--- released\n(?P<released>[^\n]*)\n*\Z",
    re.DOTALL,
)


class MistakeMessage:
    """A message about a program."""

    def __init__(self, problem: PuppetError) -> None:
        self.code = problem.code
        self.position = f"{problem.span.line}:{problem.span.column}" if problem.span is not None else "end"
        self.message = problem.message
        self.help = problem.help or ""


class Mistake:
    """A mistake with the expected message, and the message of the released Puppet."""

    def __init__(self, text: str) -> None:
        match = CASE.fullmatch(text)
        assert match is not None, text
        self.name, self.where, self.source = match["name"], match["where"], match["source"]
        self.is_own = match["own"] is not None
        self.code, self.position, self.help_words = match["code"], match["position"], match["words"]
        self.released = match["released"]


def read_mistakes() -> list[Mistake]:
    """Return all mistakes of the table, file by file."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.txt"))]
    return [Mistake(part) for text in texts for part in re.split(r"(?m)^(?=### )", text) if part.strip()]


def collect_messages(source: str, where: str) -> list[MistakeMessage]:
    """Return the messages about a program, in order.

    A cell only runs; a file is checked first.
    """
    if where == "file":
        messages = [
            MistakeMessage(problem.error)
            for problem in find_problems(source, PUPPET)
            if problem.error.span is not None
        ]
        outcome = Session("puppet").run(source)
    else:
        messages, outcome = [], Session(interactive=True).run(source)
    if outcome.error is not None:
        messages.append(MistakeMessage(outcome.error))
    messages += [MistakeMessage(note.problem) for note in outcome.notes if isinstance(note, Hint)]
    for log in outcome.logs:
        if log.level == "warning":
            messages.append(
                MistakeMessage(PuppetError("WARNING", log.message, log.span, help=log.suggestion))
            )
    messages += [
        MistakeMessage(PuppetError("PENDING", str(note))) for note in outcome.notes if type(note) is str
    ]
    return messages
