"""Operators in random expressions have the results of the released Puppet."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from evaluator.issues import Failure, make_error
from evaluator.operators import Operators
from evaluator.values import DEFAULT, format_literal, iterate_items, make_hash
from lexer_parser.dialect import PUPPET7
from lexer_parser.errors import PuppetError
from tests.released import ruby_scripts

METHODS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "%": "modulo",
    "<<": "shift_left",
    ">>": "shift_right",
    "==": "equals",
    "!=": "not_equals",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "in": "contains",
    "=~": "matches",
    "!~": "not_matches",
}
SCALARS = [
    *(0, 1, -1, 2, 3, -7, 8, 63, 64, 2**62, 2**63 - 1, 0.0, 1.0, 1.5, -2.5, 1e15, 1e16, 1e-5, 1e308),
    *(
        "",
        "a",
        "A",
        "ab",
        "b",
        "1",
        "01",
        "08",
        "0x1F",
        " 1",
        "- 1",
        "1.0",
        "1e1",
        "9",
        "10",
        "é",
        "É",
        "K",
        "_",
    ),
    *(None, True, False, DEFAULT),
]
ESCAPES = {'"': '\\"', "\\": "\\\\", "$": "\\$", "\n": "\\n"}
POSITION = re.compile(r" \(line: 3, column: (\d+)\) on node \S+$")


def format_source(value) -> str:
    """Return a value as Puppet source that the released lexer accepts."""
    if type(value) is float:
        return repr(value).replace("e+", "e")
    if type(value) is str:
        return '"' + "".join(ESCAPES.get(char, char) for char in value) + '"'
    if type(value) is list:
        return f"[{', '.join(map(format_source, value))}]"
    if type(value) is dict:
        return (
            "{"
            + ", ".join(f"{format_source(k)} => {format_source(v)}" for k, v in iterate_items(value))
            + "}"
        )
    return format_literal(value)


def make_random_value(chance: random.Random, depth: int = 0):
    kind = chance.random()
    if depth == 2 or kind < 0.7:
        return chance.choice(SCALARS)
    if kind < 0.87:
        return [make_random_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return make_hash(
        (make_random_value(chance, depth + 1), make_random_value(chance, depth + 1))
        for _ in range(chance.randrange(3))
    )


def make_random_case(chance: random.Random):
    operator = chance.choice(list(METHODS))
    left, right = make_random_value(chance), make_random_value(chance)
    if operator in ("<<", ">>"):
        right = chance.choice([0, 1, 3, 62, 63, 64, -1, -70, "2", 1.5, None])
    return operator, left, right


class StrictContext:
    """A context of operators that ignores warnings, or raises them if `strict` is "error"."""

    match = None

    def __init__(self, strict: str) -> None:
        self.strict = strict

    def warn(self, code, **arguments):
        if self.strict == "error":
            raise make_error(code, **arguments)


def evaluate(strict, operator, left, right) -> dict[str, str]:
    """Return the value of an expression, or the message and the column of its error."""
    try:
        operate = getattr(Operators(PUPPET7, StrictContext(strict)), METHODS[operator])
        return {"value": format_literal(operate(left, right))}
    except PuppetError as failure:
        column = {0: 1, None: 4, 1: 5 + len(operator)}[failure.operand]
        return {"error": f"{failure.message} at {column}"}
    except Failure as failure:
        article = "an" if operator == "in" else "a"
        return {"error": f"Error while evaluating {article} '{operator}' expression, {failure} at 4"}


@pytest.mark.skipif(not ruby_scripts.is_installed(), reason="the released Puppet is not installed")
@pytest.mark.parametrize("strict", ["warning", "error"])
def test_operators_have_the_results_of_the_released_puppet(strict):
    chance = random.Random(5)
    cases = [make_random_case(chance) for _ in range(600)]
    programs = [
        json.dumps(f"$a = {format_source(left)}\n$b = {format_source(right)}\n$a {operator} $b")
        for operator, left, right in cases
    ]
    output = ruby_scripts.run_script(Path(__file__).with_name("released.rb"), "\n".join(programs), strict)
    results = [json.loads(line) for line in output.splitlines()]
    for case, expected in zip(cases, results, strict=True):
        if "error" in expected:
            message = expected["error"].removeprefix("Evaluation Error: ")
            expected = {"error": POSITION.sub(r" at \1", message)}
        assert evaluate(strict, *case) == expected, case
