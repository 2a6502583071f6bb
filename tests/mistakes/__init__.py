"""Beginner's mistakes, and what is said of them: `python -m tests.mistakes` prints the table.

The files of `cases` hold them:

    ### NAME: cell            where the mistake is made: `cell`, or `file`; `, own` where nobody asked for it
    the program
    --- CODE at LINE:COLUMN   what must be said, and where the mark must stand
    words of the help
    --- released
    what the released Puppet says, compiling it and making the catalog fit for applying; nothing where it is silent
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
    r"--- (?P<code>\w+) at (?P<place>\S+)\n(?P<words>.*?)\n--- released\n(?P<released>[^\n]*)\n*\Z",
    re.DOTALL,
)


class Said:
    """One thing that is said of a program; `hint` is true for what stops nothing."""

    def __init__(self, problem: PuppetError, hint: bool = False) -> None:
        self.code = problem.code
        self.place = f"{problem.span.line}:{problem.span.column}" if problem.span is not None else "end"
        self.message = problem.message
        self.help = problem.help or ""
        self.hint = hint


class Mistake:
    """A mistake of the table, with what must be said of it and what the released Puppet says."""

    def __init__(self, text: str) -> None:
        match = CASE.fullmatch(text)
        assert match is not None, text
        self.name, self.where, self.source = match["name"], match["where"], match["source"]
        self.own = match["own"] is not None
        self.code, self.place, self.words = match["code"], match["place"], match["words"]
        self.released = match["released"]


def mistakes() -> list[Mistake]:
    """The whole table, file by file."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.txt"))]
    return [Mistake(part) for text in texts for part in re.split(r"(?m)^(?=### )", text) if part.strip()]


def found_in(source: str, where: str) -> list[Said]:
    """Return the messages for a program: of a cell when it runs, of a file by its check and then when it runs."""
    if where == "file":
        told = [
            Said(found.error, found.severity != "error")
            for found in find_problems(source, PUPPET)
            if found.error.span is not None
        ]
        outcome = Session("puppet").run(source)
    else:
        told, outcome = [], Session(interactive=True).run(source)
    if outcome.error is not None:
        told.append(Said(outcome.error))
    told += [Said(note.problem, hint=True) for note in outcome.notes if isinstance(note, Hint)]
    for log in outcome.logs:
        if log.level == "warning":
            told.append(Said(PuppetError("WARNING", log.message, log.span, help=log.suggestion), hint=True))
    told += [
        Said(PuppetError("PENDING", str(note)), hint=True) for note in outcome.notes if type(note) is str
    ]
    return told
