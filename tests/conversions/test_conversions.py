"""Conversions between types, with results of the released Puppet in `*.jsonl`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.issues import Failure
from evaluator.kinds.instances import make_instance
from evaluator.program.definitions import LambdaBlock, ParameterSpec
from evaluator.session.session import Session
from evaluator.types import parse_type
from evaluator.values import iterate_items, make_hash
from lexer_parser.dialect import PUPPET
from tests.released import ruby_scripts

FOLDER = Path(__file__).parent
TABLES = sorted(FOLDER.glob("*.jsonl"))


def read_rows(table: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in table.read_text().splitlines()]


def create(type_text: str, *args):
    return make_instance(parse_type(type_text, PUPPET), list(args))


def describe_difference(row: dict[str, str]) -> str | None:
    outcome = Session("puppet7").run(row["source"])
    result = {"error": str(outcome.error)} if outcome.error else {"value": outcome.text}
    expected = {kind: row[kind] for kind in ("value", "error") if kind in row}
    return None if result == expected else f"{row['source']}\n  expected {expected}\n  got {result}"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_conversions_have_the_recorded_results(table):
    differences = [message for row in read_rows(table) if (message := describe_difference(row))]
    assert not differences, "\n".join(differences[:10])


def has_empty_hosts() -> bool:
    """Return True if Ruby's `URI("x:///y").host` is "", which depends on the patch of Ruby 3.1."""
    return not subprocess.run(["ruby", "-ruri", "-e", "exit URI('x:///y').host == ''"]).returncode


@pytest.mark.slow
@pytest.mark.released
def test_the_released_puppet_has_the_recorded_results():
    if not ruby_scripts.is_installed():
        pytest.skip("the released Puppet is not installed")
    rows = [row for table in TABLES for row in read_rows(table)]
    if not has_empty_hosts():
        rows = [row for row in rows if row.get("needs") != "empty hosts"]
    lines = "".join(json.dumps(row["source"]) + "\n" for row in rows)
    answers = ruby_scripts.run_script(FOLDER / "released.rb", lines).splitlines()
    for row, line in zip(rows, answers, strict=True):
        answer = json.loads(line)
        if "error" in answer:
            answer["error"] = re.sub(
                r"\(file: [^,)]*, ", "(", answer["error"].removeprefix("Evaluation Error: ")
            ).partition(" on node ")[0]
        assert answer == {kind: row[kind] for kind in ("value", "error") if kind in row}, row["source"]


# --- Round trips

INTEGERS = st.integers(min_value=-(2**63), max_value=2**63 - 1)


@given(INTEGERS, st.sampled_from(["%d", "%#x", "%#b", "%#o", "%+d", "%s"]))
def test_an_integer_is_parsed_from_each_of_its_formats(number, format):
    text = create("String", number, format)
    if "." in text:  # two's complement
        text = create("String", number, format.replace("%", "%+"))
    assert create("Integer", text) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_parsed_from_its_format(number):
    text = create("String", number, "%p").replace("e+", "e")
    assert create("Float", text) == number


@given(st.binary())
def test_a_binary_is_parsed_from_each_of_its_formats(data):
    value = create("Binary", list(data))
    assert value.data == data
    for format in ("%B", "%b", "%u"):
        assert create("Binary", create("String", value, format), format) == value


@given(
    st.lists(st.tuples(st.one_of(INTEGERS, st.text(), st.booleans(), st.floats(allow_nan=False)), INTEGERS))
)
def test_a_hash_is_created_from_its_pairs(pairs):
    value = make_hash(pairs)
    assert create("Hash", create("Array", value)) == value
    flat = [part for pair in iterate_items(value) for part in pair]
    assert create("Hash", flat) == value


@given(st.integers(min_value=-(10**20), max_value=10**20))
def test_a_timespan_and_a_timestamp_are_parsed_from_their_text(nanoseconds):
    from evaluator.values import Timespan, Timestamp

    instant = Timestamp(nanoseconds)
    assert create("Timestamp", instant.text()) == instant
    days = Timespan(nanoseconds - nanoseconds % 10**9)
    assert create("Timespan", days.text()) == days


def test_a_value_of_the_type_is_returned_unchanged():
    value = [1, 2]
    assert create("Array[Integer]", value) is value


def test_a_block_is_called_with_the_value():
    block = LambdaBlock(lambda value: value + 1, (ParameterSpec("value"),), 1, 1)
    assert make_instance(parse_type("Integer", PUPPET), ["41"], block) == 42


@pytest.mark.parametrize(
    ("type_text", "args"),
    [
        ("Array", [100_000_000]),
        ("Hash", [100_000_000]),
        ("String", ["a", "%99999999s"]),
        ("Hash", [[[["a"], [1]], [["a", 99_999_999], 9]], "tree"]),
    ],
)
def test_a_size_above_the_limit_is_refused_before_the_value_is_created(type_text, args):
    from lexer_parser import PuppetError

    with pytest.raises(PuppetError, match="the limit is the setting"):
        create(type_text, *args)


def test_a_type_without_instances_to_create_is_refused():
    with pytest.raises(Failure, match="Creation of new instance of type 'Undef' is not supported"):
        create("Undef", 1)
