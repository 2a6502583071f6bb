"""`to_yaml` writes random data as Ruby's Psych does, if Ruby is installed."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from evaluator.values import make_hash
from evaluator.values.yaml_format import read_yaml, write_yaml

COUNT, LEAST_EQUAL = 3000, 2994
PIECES = (
    *"abc XYZ é ß 漢 012.-+_:#,[]{}&*!|>'\"%@`?~<=\\/\t\n\r",
    *("\n\n", " ", "  ", "true", "no", "null", "y", "n", "0x1f", "1e3", "1.5", "12:30", "2001-01-01", "08"),
    *("0o7", "-1", "<<", "---", "...", ": ", " #", "- ", "😀", "\x07", "\x85", "word " * 12),
)
SCALARS = (None, True, False, 0, -7, 123456, 1.5, -2.0, 1e100, 1e-9)
RUBY = r"""
require 'json'; require 'yaml'
def value(v)
  return v['hash'].map { |name, part| [value(name), value(part)] }.to_h if v.key?('hash')
  return v['array'].map { |part| value(part) } if v.key?('array')
  v['scalar'].is_a?(String) ? v['scalar'].dup : v['scalar']
end
STDOUT.write(JSON.generate(JSON.parse(STDIN.read).map { |v| value(v).to_yaml }))
"""


def make_string(chance: random.Random) -> str:
    return "".join(chance.choices(PIECES, k=chance.choice([0, 1, 1, 2, 3, 5, 8, 30])))


def make_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.random()
    if depth < 4 and kind < 0.25:
        return [make_value(chance, depth + 1) for _ in range(chance.randint(0, 4))]
    if depth < 4 and kind < 0.5:
        names = [
            make_string(chance) if chance.random() < 0.8 else chance.choice([None, True, 3, 2.5])
            for _ in range(chance.randint(0, 4))
        ]
        return {name: make_value(chance, depth + 1) for name in names}
    return make_string(chance) if kind < 0.85 else chance.choice(SCALARS)


def to_json(value: Any) -> dict[str, Any]:
    if type(value) is dict:
        return {"hash": [[to_json(name), to_json(part)] for name, part in value.items()]}
    if type(value) is list:
        return {"array": [to_json(part) for part in value]}
    return {"scalar": value}


def to_puppet(value: Any) -> Any:
    if type(value) is dict:
        return make_hash((name, to_puppet(part)) for name, part in value.items())
    return [to_puppet(part) for part in value] if type(value) is list else value


def count_equal(seed: int) -> int:
    """Return how many of `COUNT` random values are written as by Ruby."""
    chance = random.Random(seed)
    values = [make_value(chance) for _ in range(COUNT)]
    source = json.dumps([to_json(value) for value in values])
    process = subprocess.run(["ruby", "-e", RUBY], input=source, capture_output=True, text=True, check=True)
    texts = [write_yaml(to_puppet(value)) for value in values]
    return sum(ours == ruby for ours, ruby in zip(texts, json.loads(process.stdout), strict=True))


needs_ruby = pytest.mark.skipif(
    shutil.which("ruby") is None or not hasattr(yaml, "CSafeDumper"), reason="needs Ruby and libyaml"
)


@needs_ruby
def test_random_values_are_written_as_by_ruby() -> None:
    assert count_equal(7) >= LEAST_EQUAL


@needs_ruby
@pytest.mark.skipif("YAML_SEED" not in os.environ, reason="YAML_SEED=number selects other random values")
def test_other_random_values_are_written_as_by_ruby() -> None:
    assert count_equal(int(os.environ["YAML_SEED"])) >= LEAST_EQUAL


def test_data_written_without_libyaml_is_read_back_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    values = [to_puppet(make_value(chance)) for _ in range(300)]
    monkeypatch.delattr(yaml, "CSafeDumper", raising=False)
    for value in values:
        if "'<<'" not in repr(value):  # a key of that name is merged when it is read, as by Psych
            assert read_yaml(write_yaml(value)) == value
    assert write_yaml({"a": [1, "x", None]}) == "---\na:\n- 1\n- x\n-\n"
    for value, text in (
        ("a", "--- a\n"),
        ("", "--- ''\n"),
        (3, "--- 3\n"),
        (None, "---\n"),
        ([], "--- []\n"),
    ):
        assert write_yaml(value) == text


def test_lone_surrogates_are_written() -> None:
    assert write_yaml({"a": "\ud800"}) == '---\na: "\\uD800"\n'


@pytest.mark.parametrize(
    ("indent", "columns"), [(2, 2), (4, 4), (9, 9), (1, 2), (10, 2), ("x", 2), (None, 2)]
)
def test_an_indent_that_libyaml_does_not_support_is_replaced(indent: Any, columns: int) -> None:
    assert write_yaml({"a": {"b": 1}}, indent) == f"---\na:\n{' ' * columns}b: 1\n"
