"""An exercise, its encoding that a learner cannot read at a glance, and its variations."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from evaluator import Session
from evaluator.values import make_key
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.record import Record
from lexer_parser.source import replace_parts
from lexer_parser.tree import nodes

MOST_BYTES = 64_000  # bytes of an unpacked exercise
_TEXTS = ("name", "ask", "start", "why", "solution", "next", "place")
_FIELDS = (*_TEXTS, "checks", "hints", "wrong", "points")


class WrongAnswer(Record):
    """An answer that is known to be wrong.

    Attributes:
        code: The program.
        says: The sentence that explains the mistake.
        when: An expression that is true if an answer makes the same mistake in another way; "" for none.
    """

    code: str
    says: str
    when: str = ""


class Exercise:
    """An exercise: its task, its checks and its help.

    Attributes:
        name: The name, such as `02-b`.
        ask: The task, in Markdown.
        start: The initial content of the answer cell.
        checks: Mappings from the name of a check to its argument, see `checks`.
        hints: The hints in order.
        why: The explanation after a right answer.
        solution: A right answer.
        wrong: Answers known to be wrong.
        points: Points for nbgrader.
        next: The name of the next exercise.
        place: "recall" for a task about earlier notebooks at the beginning; else "".
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Read the data of a file or a cell, or raise ValueError if it is no exercise."""
        unknown = [key for key in data if key not in _FIELDS]
        if unknown:
            raise ValueError(f"an exercise has no field '{unknown[0]}'")
        texts = {field: data.get(field, "") for field in _TEXTS}
        if not texts["name"] or not all(isinstance(text, str) for text in texts.values()):
            raise ValueError("an exercise needs a name, and its texts must be strings")
        # in the order of _TEXTS
        self.name, self.ask, self.start, self.why, self.solution, self.next, self.place = texts.values()
        checks, hints, wrong = (
            _require(data.get(field, []), list, f"the {field} of an exercise")
            for field in ("checks", "hints", "wrong")
        )
        self.checks = [dict(_require(check, Mapping, "a check")) for check in checks]
        self.hints = [str(hint) for hint in hints]
        self.wrong = [WrongAnswer(**_read_texts(answer)) for answer in wrong]
        self.points = data.get("points", 1)
        if type(self.points) is not int:
            raise ValueError("the points of an exercise must be a whole number")

    def to_json(self) -> dict[str, Any]:
        """Return the exercise as JSON, without empty fields."""
        data = {field: getattr(self, field) for field in _FIELDS}
        data["wrong"] = [
            {field: getattr(answer, field) for field in WrongAnswer.record_fields if getattr(answer, field)}
            for answer in self.wrong
        ]
        return {field: value for field, value in data.items() if value}


def _require(value: Any, kind: type, subject: str) -> Any:
    """Return a value that is a list or a mapping; else raise ValueError about the subject."""
    if not isinstance(value, kind):
        raise ValueError(f"{subject} must be a {kind.__name__.lower()}")
    return value


def _read_texts(value: Any) -> dict[str, str]:
    """Return the fields of a wrong answer, or raise ValueError."""
    texts = dict(_require(value, Mapping, "a wrong answer"))
    if not {"code", "says"} <= texts.keys() <= set(WrongAnswer.record_fields):
        raise ValueError("a wrong answer needs `code` and `says`; `when` is optional")
    return {name: str(text) for name, text in texts.items()}


def pack(exercise: Exercise) -> str:
    """Return an exercise as one line of letters."""
    data = exercise.to_json()
    for field in ("ask", "place"):  # these fields are for readers of the notebook
        data.pop(field, None)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def unpack(line: str) -> Exercise:
    """Return the exercise in a line of `pack`; raise ValueError if it is damaged or too long."""
    try:
        reader = zlib.decompressobj()
        content = reader.decompress(base64.b64decode(line.strip(), validate=True), MOST_BYTES)
        if not reader.eof:
            raise ValueError("it is too long, or damaged")
        data = json.loads(content)
    except (binascii.Error, zlib.error, UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError("it is not a packed exercise") from None
    return Exercise(_require(data, Mapping, "an exercise"))


def replace_variables(source: str, values: Mapping[str, str], dialect: str) -> str:
    """Return a cell with other values for variables, each by its name with `$`."""
    if not any(name in source for name in values):
        return source
    parts = (
        (*nodes.find_expression_extent(node.right, source), values[f"${node.left.name}"])
        for node in nodes.walk(parse_tree(source, dialect))
        if isinstance(node, nodes.Assignment)
        and isinstance(node.left, nodes.Variable)
        and f"${node.left.name}" in values
    )
    return replace_parts(source, parts)


def replace_literals(source: str, values: Mapping[str, str], session: Session) -> str:
    """Return an answer in which the first occurrence of each literal has another value."""
    parts = [
        (*extent, replacement)
        for literal, replacement in values.items()
        if (extent := _find_literal(source, literal, session)) is not None
    ]
    return replace_parts(source, parts)


def _find_literal(source: str, literal: str, session: Session) -> tuple[int, int] | None:
    """Return the extent of the first literal with the value of another one, in any notation."""
    literal_node = parse_tree(literal, session.dialect).body
    kinds = (
        (nodes.String, nodes.Name)
        if isinstance(literal_node, nodes.String | nodes.Name)
        else (type(literal_node),)
    )
    key = make_key(session.look(literal).value)
    for node in nodes.walk(parse_tree(source, session.dialect)):
        if (
            isinstance(node, kinds)
            and make_key(session.look(nodes.get_expression_text(node, source)).value) == key
        ):
            return nodes.find_expression_extent(node, source)
    return None


def parse_tree(source: str, dialect: str) -> nodes.Program:
    """Return the syntax tree of a text; that of an empty one if it cannot be parsed."""
    try:
        return parse(source, dialect=DIALECTS[dialect])
    except PuppetError:
        return parse("", dialect=DIALECTS[dialect])
