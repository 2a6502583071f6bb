"""Conversions between types, compared with the results of the released Puppet (the tables, `*.jsonl`)."""

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
from tests.released import asking

FOLDER = Path(__file__).parent
TABLES = sorted(FOLDER.glob("*.jsonl"))


def rows_of(table: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in table.read_text().splitlines()]


def new(type_text: str, *args):
    return make_instance(parse_type(type_text, PUPPET), list(args))


def difference(row: dict[str, str]) -> str | None:
    outcome = Session("puppet7").run(row["source"])
    got = {"error": str(outcome.error)} if outcome.error else {"value": outcome.text}
    due = {kind: row[kind] for kind in ("value", "error") if kind in row}
    return None if got == due else f"{row['source']}\n  due {due}\n  got {got}"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_table(table):
    differences = [found for row in rows_of(table) if (found := difference(row))]
    assert not differences, "\n".join(differences[:10])


def keeps_empty_hosts() -> bool:
    """Return True if Ruby's library of URIs keeps the host of `x:///y`: those of Ruby 3.1 differ by their patches."""
    return not subprocess.run(["ruby", "-ruri", "-e", "exit URI('x:///y').host == ''"]).returncode


@pytest.mark.slow
@pytest.mark.released
def test_tables_are_what_the_released_puppet_says():
    if not asking.is_installed():
        pytest.skip("the released Puppet is not installed")
    rows = [row for table in TABLES for row in rows_of(table)]
    if not keeps_empty_hosts():
        rows = [row for row in rows if row.get("needs") != "empty hosts"]
    lines = "".join(json.dumps(row["source"]) + "\n" for row in rows)
    answers = asking.run_script(FOLDER / "released.rb", lines).splitlines()
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
def test_integer_from_its_text(number, format):
    text = new("String", number, format)
    if "." in text:  # two's complement
        text = new("String", number, format.replace("%", "%+"))
    assert new("Integer", text) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float_from_its_text(number):
    text = new("String", number, "%p").replace("e+", "e")
    assert new("Float", text) == number


@given(st.binary())
def test_binary_from_its_text(data):
    value = new("Binary", list(data))
    assert value.data == data
    for format in ("%B", "%b", "%u"):
        assert new("Binary", new("String", value, format), format) == value


@given(
    st.lists(st.tuples(st.one_of(INTEGERS, st.text(), st.booleans(), st.floats(allow_nan=False)), INTEGERS))
)
def test_hash_from_its_pairs(pairs):
    value = make_hash(pairs)
    assert new("Hash", new("Array", value)) == value
    flat = [part for pair in iterate_items(value) for part in pair]
    assert new("Hash", flat) == value


@given(st.integers(min_value=-(10**20), max_value=10**20))
def test_timespan_and_timestamp_from_their_text(nanoseconds):
    from evaluator.values import Timespan, Timestamp

    instant = Timestamp(nanoseconds)
    assert new("Timestamp", instant.text()) == instant
    days = Timespan(nanoseconds - nanoseconds % 10**9)
    assert new("Timespan", days.text()) == days


def test_a_value_of_the_type_stays_itself():
    value = [1, 2]
    assert new("Array[Integer]", value) is value


def test_block_gets_the_value():
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
def test_sizes_are_checked_before_anything_is_made(type_text, args):
    from lexer_parser import PuppetError

    with pytest.raises(PuppetError, match="the limit is the setting"):
        new(type_text, *args)


def test_types_without_constructor():
    with pytest.raises(Failure, match="Creation of new instance of type 'Undef' is not supported"):
        new("Undef", 1)
