"""Types against the released Puppet, where it is installed, on pairs made at random."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from type_tables import FOLDER, value_of

from evaluator.operators.comparison import is_same_type
from evaluator.types import unite
from evaluator.types.puppet_wording import describe_mismatch
from evaluator.values import format_literal
from lexer_parser.dialect import PUPPET
from tests.released import asking

PARTS = [
    *(
        "Any",
        "Undef",
        "Scalar",
        "Data",
        "Numeric",
        "Integer",
        "Integer[1, 5]",
        "Integer[2, 3]",
        "Float",
        "Boolean",
    ),
    *("String", "String[1]", "String[2, 3]", "Enum['a']", "Enum['a', 'bb']", "Pattern[/a/]", "Regexp[/a/]"),
    *(
        "Collection",
        "Type[Integer]",
        "Callable[Integer]",
        "Callable[1, 1]",
        "Resource['file', 'a']",
        "Class['a']",
        "Timespan",
    ),
]
VALUES = [
    "1",
    "7",
    "1.5",
    "'a'",
    "'bb'",
    "true",
    "undef",
    "default",
    "/a/",
    "Integer",
    "Resource['file', 'a']",
]


def some_type(choose: random.Random, depth: int = 0) -> str:
    """The source of a type."""
    if depth == 2 or choose.random() < 0.4:
        return choose.choice(PARTS)

    def inner() -> str:
        return some_type(choose, depth + 1)

    return choose.choice(
        [
            lambda: f"Array[{inner()}]",
            lambda: f"Array[{inner()}, 1, 2]",
            lambda: f"Hash[String, {inner()}]",
            lambda: f"Tuple[{inner()}, {inner()}]",
            lambda: f"Struct[{{'a' => {inner()}}}]",
            lambda: f"Struct[{{'a' => {inner()}, Optional['b'] => {inner()}}}]",
            lambda: f"Variant[{inner()}, {inner()}]",
            lambda: f"Optional[{inner()}]",
            lambda: f"Type[{inner()}]",
            lambda: f"Callable[{inner()}, {inner()}]",
        ]
    )()


def some_value(choose: random.Random, depth: int = 0) -> str:
    """The source of a value."""
    kind = choose.random()
    if depth == 2 or kind < 0.5:
        return choose.choice(VALUES)
    if kind < 0.8:
        return f"[{', '.join(some_value(choose, depth + 1) for _ in range(choose.randrange(4)))}]"
    entries = (f"'{name}' => {some_value(choose, depth + 1)}" for name in "abc"[: choose.randrange(1, 4)])
    return f"{{{', '.join(entries)}}}"


def released(programs: list[str]) -> list[dict[str, str]]:
    """Return the results of the released Puppet, program by program."""
    driver = Path(FOLDER.parent, "operators", "released.rb")
    lines = "".join(json.dumps(program) + "\n" for program in programs)
    if not asking.is_installed():
        pytest.skip("the released Puppet is not installed")
    return [json.loads(line) for line in asking.run_script(driver, lines, "warning").splitlines()]


def test_relations():
    choose = random.Random(11)
    pairs = [(some_type(choose), some_type(choose)) for _ in range(500)]
    # the released Puppet takes a type that holds Data for Data where the two meet
    pairs = [(a, b) for a, b in pairs if "Data" not in a + b]
    answers = released([f"[{a} >= {b}, {a} == {b}, type([{a}, {b}], 'reduced')]" for a, b in pairs])
    wrong = []
    for (a, b), answer in zip(pairs, answers, strict=True):
        left, right = value_of(a), value_of(b)
        union = f"Array[Type[{unite(left, right, PUPPET).inner()}], 2, 2]"
        ours = f"[{format_literal(left.assignable(right))}, {format_literal(is_same_type(left, right))}, {union}]"
        if answer.get("value") != ours:
            wrong.append((a, b, answer, ours))
    assert wrong == []


def test_instances_and_mismatches():
    choose = random.Random(12)
    pairs = [(some_type(choose), some_value(choose)) for _ in range(500)]
    answers = released([f"assert_type({kind}, {value})" for kind, value in pairs])
    wrong = []
    for (source, value), answer in zip(pairs, answers, strict=True):
        kind, actual = value_of(source), value_of(value)
        fits = kind.instance(actual)
        ours = "" if fits else describe_mismatch("assert_type():", kind, actual)
        told = answer.get("error", "").split("Function Call, ")[-1].partition(" (line:")[0].strip()
        if not told and not fits and "value" not in answer:
            continue  # the released Puppet fails without a word when only the size of an Array[Any] is wrong
        if fits != ("value" in answer) or told != ours.strip():
            wrong.append((source, value, told, ours))
    assert wrong == []
