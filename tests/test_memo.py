"""The memo: its entries and bounds, its registry, and equal results without it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from evaluator import Session
from lexer_parser import memo
from lexer_parser.memo import LONGEST, MemoTable, memoize

PROGRAM = """
type Port = Integer[1, 65535]
define a::b(Port $port, Hash[String, Variant[Integer, String]] $options = {}) {
  notify { "${title} ${port}": message => regsubst(sprintf('%s', $options), 'a+', 'b', 'G') }
}
a::b { ['x', 'y']: port => 80, options => { 'aa' => 1, 'c' => 'caa' } }
[versioncmp('1.10', '1.9'), 'f[o]o.bar' =~ Port, { 'a' => { 'b' => 1 } }.get('a.b'), String.new(1.5, '%p'),
 Integer('0x1F'), SemVer('1.2.3') =~ SemVer['>1.0.0'], type({ 'a' => [1, 'b'] }), Timespan('1-00:00:00')]
"""


@pytest.mark.parametrize(
    ("strings", "calls"),
    [
        (("a",), 1),
        (("a" * LONGEST,), 1),
        (("a" * (LONGEST + 1),), 2),
        (("a", "b"), 1),
        (("a", "b" * (LONGEST + 1)), 2),
    ],
    ids=["short", "longest", "long", "two", "a long second"],
)
def test_results_for_long_strings_are_not_stored(strings: tuple[str, ...], calls: int) -> None:
    recorded = []

    @memoize(10, longest=LONGEST)
    def join(*parts: str) -> str:
        recorded.append(parts)
        return "".join(parts)

    assert join(*strings) == join(*strings) == "".join(strings)
    assert recorded == [strings] * calls


def test_a_memo_without_a_bound_is_refused() -> None:
    with pytest.raises(AssertionError):
        memoize()
    with pytest.raises(AssertionError):
        MemoTable("numbers")


def test_a_full_table_drops_its_oldest_entry() -> None:
    table: MemoTable[int, str] = MemoTable("numbers", 2)
    for number in (1, 2, 1, 3):
        table[number] = str(number)
    assert table == {2: "2", 3: "3"}


def test_a_table_is_listed_while_its_object_exists() -> None:
    tables: list[MemoTable[int, int]] = [MemoTable("of an object", 2), MemoTable("of an object", 2)]
    for table in tables:
        table[1] = 1
    listed = [
        (status.entries, status.bound) for status in memo.list_tables() if status.name == "of an object"
    ]
    assert listed == [(2, 4)]
    del table, tables
    assert not [status for status in memo.list_tables() if status.name == "of an object"]


def test_every_table_has_a_bound_or_an_owner() -> None:
    sessions = [Session() for _ in range(3)]
    for session in sessions:
        for number in range(150):
            session.run(f"$v{number} = 1")
        session.run(PROGRAM)
    for table in memo.list_tables():
        assert table.bound or table.unbounded_because, table.name
        assert table.bound is None or table.entries <= table.bound, table.name


def test_empty_tables_change_no_result() -> None:
    session = Session()
    before = session.run(PROGRAM)
    memo.clear()
    assert all(table.interned or not table.entries for table in memo.list_tables())
    assert Session().run(PROGRAM).text == before.text
    assert session.run("Port").text == "Port = Integer[1, 65535]"


def test_a_program_has_the_same_results_without_memos() -> None:
    code = f"""
from evaluator import Session
from lexer_parser import memo
session = Session()
outcome = session.run({PROGRAM!r})
assert outcome.error is None, outcome.error
print(outcome.text)
print(session.catalog().to_json())
print(sum(table.entries for table in memo.list_tables() if not table.interned))
"""

    def run(value: str) -> list[str]:
        environment = {**os.environ, "PUPPET_MEMO": value}
        command = [sys.executable, "-c", code]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return result.stdout.splitlines()

    *without, empty = run("off")
    *stored, full = run("on")
    assert without == stored
    assert empty == "0" < full
