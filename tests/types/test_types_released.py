"""Random types and values have the relations that they have in the released Puppet."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from type_tables import FOLDER, evaluate_source

from evaluator.operators.comparison import is_same_type
from evaluator.types import unite
from evaluator.types.puppet_wording import describe_mismatch
from evaluator.values import format_literal
from lexer_parser.dialect import PUPPET
from tests.released import ruby_scripts

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


def make_random_type(chance: random.Random, depth: int = 0) -> str:
    """Return a random type as source."""
    if depth == 2 or chance.random() < 0.4:
        return chance.choice(PARTS)

    def inner() -> str:
        return make_random_type(chance, depth + 1)

    return chance.choice(
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


def make_random_value(chance: random.Random, depth: int = 0) -> str:
    """Return a random value as source."""
    kind = chance.random()
    if depth == 2 or kind < 0.5:
        return chance.choice(VALUES)
    if kind < 0.8:
        return f"[{', '.join(make_random_value(chance, depth + 1) for _ in range(chance.randrange(4)))}]"
    entries = (
        f"'{name}' => {make_random_value(chance, depth + 1)}" for name in "abc"[: chance.randrange(1, 4)]
    )
    return f"{{{', '.join(entries)}}}"


def run_released(programs: list[str]) -> list[dict[str, str]]:
    """Return the result of each program in the released Puppet."""
    driver = Path(FOLDER.parent, "operators", "released.rb")
    lines = "".join(json.dumps(program) + "\n" for program in programs)
    if not ruby_scripts.is_installed():
        pytest.skip("the released Puppet is not installed")
    return [json.loads(line) for line in ruby_scripts.run_script(driver, lines, "warning").splitlines()]


def test_relations_of_types_are_as_in_the_released_puppet():
    chance = random.Random(11)
    pairs = [(make_random_type(chance), make_random_type(chance)) for _ in range(500)]
    # In these relations the released Puppet treats a type that contains Data as Data itself.
    pairs = [(a, b) for a, b in pairs if "Data" not in a + b]
    results = run_released([f"[{a} >= {b}, {a} == {b}, type([{a}, {b}], 'reduced')]" for a, b in pairs])
    differences = []
    for (a, b), result in zip(pairs, results, strict=True):
        left, right = evaluate_source(a), evaluate_source(b)
        union = f"Array[Type[{unite(left, right, PUPPET).inner()}], 2, 2]"
        ours = f"[{format_literal(left.assignable(right))}, {format_literal(is_same_type(left, right))}, {union}]"
        if result.get("value") != ours:
            differences.append((a, b, result, ours))
    assert differences == []


def test_instances_and_mismatches_are_as_in_the_released_puppet():
    chance = random.Random(12)
    pairs = [(make_random_type(chance), make_random_value(chance)) for _ in range(500)]
    results = run_released([f"assert_type({kind}, {value})" for kind, value in pairs])
    differences = []
    for (source, value), result in zip(pairs, results, strict=True):
        kind, actual = evaluate_source(source), evaluate_source(value)
        is_instance = kind.instance(actual)
        ours = "" if is_instance else describe_mismatch("assert_type():", kind, actual)
        message = result.get("error", "").split("Function Call, ")[-1].partition(" (line:")[0].strip()
        if not message and not is_instance and "value" not in result:
            continue  # the released Puppet fails without a message if only the size of an Array[Any] is wrong
        if is_instance != ("value" in result) or message != ours.strip():
            differences.append((source, value, message, ours))
    assert differences == []
