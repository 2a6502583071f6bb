"""The operators against the released Puppet, where it is installed, on expressions made at random."""

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
from tests.released import asking

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
PLACE = re.compile(r" \(line: 3, column: (\d+)\) on node \S+$")


def source(value) -> str:
    """A value as Puppet source that the released lexer takes."""
    if type(value) is float:
        return repr(value).replace("e+", "e")
    if type(value) is str:
        return '"' + "".join(ESCAPES.get(char, char) for char in value) + '"'
    if type(value) is list:
        return f"[{', '.join(map(source, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{source(k)} => {source(v)}" for k, v in iterate_items(value)) + "}"
    return format_literal(value)


def some_value(choose: random.Random, depth: int = 0):
    kind = choose.random()
    if depth == 2 or kind < 0.7:
        return choose.choice(SCALARS)
    if kind < 0.87:
        return [some_value(choose, depth + 1) for _ in range(choose.randrange(4))]
    return make_hash(
        (some_value(choose, depth + 1), some_value(choose, depth + 1)) for _ in range(choose.randrange(3))
    )


def some_case(choose: random.Random):
    operator = choose.choice(list(METHODS))
    left, right = some_value(choose), some_value(choose)
    if operator in ("<<", ">>"):
        right = choose.choice([0, 1, 3, 62, 63, 64, -1, -70, "2", 1.5, None])
    return operator, left, right


class Host:
    """Takes conversions of strings for errors or lets them pass."""

    match = None

    def __init__(self, strict: str) -> None:
        self.strict = strict

    def warn(self, code, **arguments):
        if self.strict == "error":
            raise make_error(code, **arguments)


def ours(strict, operator, left, right) -> dict[str, str]:
    try:
        return {
            "value": format_literal(getattr(Operators(PUPPET7, Host(strict)), METHODS[operator])(left, right))
        }
    except PuppetError as failure:
        column = {0: 1, None: 4, 1: 5 + len(operator)}[failure.operand]
        return {"error": f"{failure.message} at {column}"}
    except Failure as failure:
        article = "an" if operator == "in" else "a"
        return {"error": f"Error while evaluating {article} '{operator}' expression, {failure} at 4"}


@pytest.mark.skipif(not asking.is_installed(), reason="the released Puppet is not installed")
@pytest.mark.parametrize("strict", ["warning", "error"])
def test_operators_answer_as_the_released_puppet(strict):
    choose = random.Random(5)
    cases = [some_case(choose) for _ in range(600)]
    programs = [
        json.dumps(f"$a = {source(left)}\n$b = {source(right)}\n$a {operator} $b")
        for operator, left, right in cases
    ]
    told = asking.run_script(Path(__file__).with_name("released.rb"), "\n".join(programs), strict)
    answers = [json.loads(line) for line in told.splitlines()]
    for case, answer in zip(cases, answers, strict=True):
        if "error" in answer:
            message = answer["error"].removeprefix("Evaluation Error: ")
            answer = {"error": PLACE.sub(r" at \1", message)}
        assert ours(strict, *case) == answer, case
