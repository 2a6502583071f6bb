"""The table of a fleet: the usual value, and other values with their nodes and reasons."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from evaluator.fleet import FleetRow, change_facts, parse_choices, vary_facts
from evaluator.fleet.table import make_groups, make_rows
from puppet_kernel.rendering import fleets

FACTS: dict[str, dict[str, Any]] = {
    "deb1": {"os": {"family": "Debian", "name": "Debian"}, "osfamily": "Debian", "rack": "a", "id": "1"},
    "deb2": {"os": {"family": "Debian", "name": "Ubuntu"}, "osfamily": "Debian", "rack": "b", "id": "2"},
    "red1": {"os": {"family": "RedHat", "name": "Rocky"}, "osfamily": "RedHat", "rack": "a", "id": "3"},
    "sus1": {"os": {"family": "Suse", "name": "SLES"}, "osfamily": "Suse", "rack": "b", "id": "4"},
}


def make_catalog(*resources: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """Return a catalog with the stage `main` and these resources: type, title and parameters."""
    always = [{"type": "Stage", "title": "main", "parameters": {"name": "main"}}]
    rest = [{"type": kind, "title": title, "parameters": parameters} for kind, title, parameters in resources]
    return {"resources": [*always, *rest]}


def make_file_rows(**modes: Any) -> dict[tuple[str, str], FleetRow]:
    """Return the rows of a fleet in which `File[/a]` has these values of `mode`."""
    catalogs = {
        node: make_catalog(("File", "/a", {} if mode is None else {"mode": mode}))
        for node, mode in modes.items()
    }
    return {(row.resource, row.attribute): row for row in make_rows(catalogs, FACTS)}


def list_groups(row: FleetRow) -> list[tuple[Any, tuple[str, ...], Any]]:
    """Return value, nodes and reason of each group of a row."""
    return [(group.value, group.nodes, group.reason) for group in row.groups]


def test_an_attribute_that_is_equal_on_all_nodes_has_one_group() -> None:
    (row,) = make_file_rows(deb1="0644", red1="0644").values()
    assert list_groups(row) == [("0644", ("deb1", "red1"), None)]
    assert row.usual is row.groups[0] and row.deviations == ()


def test_the_usual_value_is_first_and_other_values_have_a_reason() -> None:
    row = make_file_rows(deb1="0644", deb2="0644", red1="0600", sus1="0644")["File[/a]", "mode"]
    assert list_groups(row) == [
        ("0644", ("deb1", "deb2", "sus1"), ("os.family", ("Debian", "Suse"))),
        ("0600", ("red1",), ("os.family", ("RedHat",))),
    ]
    assert [group.value for group in row.deviations] == ["0600"]


def test_there_is_no_usual_value_among_equally_frequent_ones() -> None:
    row = make_file_rows(deb1="1", deb2="1", red1="2", sus1="2")["File[/a]", "mode"]
    assert row.usual is None and len(row.deviations) == 2


def test_a_fact_that_identifies_the_node_is_no_reason() -> None:
    row = make_file_rows(deb1="1", deb2="2", red1="1", sus1="2")["File[/a]", "mode"]
    assert [group.reason for group in row.groups] == [("rack", ("a",)), ("rack", ("b",))]
    row = make_file_rows(deb1="1", deb2="2", red1="2", sus1="1")["File[/a]", "mode"]
    assert [group.reason for group in row.groups] == [None, None]


def test_an_attribute_that_some_nodes_do_not_set_has_a_group_for_them() -> None:
    row = make_file_rows(deb1="1", deb2="1", red1=None)["File[/a]", "mode"]
    assert list_groups(row)[1] == (None, ("red1",), ("os.family", ("RedHat",)))


def test_a_resource_that_some_nodes_do_not_have_has_a_row() -> None:
    catalogs = {
        "deb1": make_catalog(("File", "/a", {"mode": "1"})),
        "deb2": make_catalog(),
        "red1": make_catalog(),
    }
    existence, mode = make_rows(catalogs, FACTS)
    assert (existence.attribute, list_groups(existence)) == (
        "",
        [
            (False, ("deb2", "red1"), None),
            (True, ("deb1",), ("os.name", ("Debian",))),
        ],
    )
    assert list_groups(mode) == [("1", ("deb1",), None)]


def test_values_of_different_types_differ_and_hashes_are_unordered() -> None:
    row = make_file_rows(deb1="1", deb2=1, red1=True)["File[/a]", "mode"]
    assert len(row.groups) == 3
    row = make_file_rows(deb1={"a": 1, "b": [2]}, deb2={"b": [2], "a": 1})["File[/a]", "mode"]
    assert len(row.groups) == 1


def test_a_row_is_converted_to_json() -> None:
    row = make_file_rows(deb1="1", deb2="1", red1="2")["File[/a]", "mode"]
    assert row.to_json() == {
        "resource": "File[/a]",
        "attribute": "mode",
        "usual": "1",
        "nodes": 3,
        "groups": [
            {"value": "1", "nodes": ["deb1", "deb2"], "fact": "os.family", "values": ["Debian"]},
            {"value": "2", "nodes": ["red1"], "fact": "os.family", "values": ["RedHat"]},
        ],
    }


def test_groups_of_some_nodes_are_compared_with_all_nodes() -> None:
    (group,) = make_groups({"deb1": ("e", "error"), "deb2": ("e", "error")}, FACTS)
    assert (group.value, group.nodes, group.reason) == ("error", ("deb1", "deb2"), ("os.family", ("Debian",)))


def test_a_change_copies_the_facts_and_updates_legacy_names() -> None:
    before = FACTS["deb1"]
    after = change_facts(before, {"os.family": "RedHat", "new.fact": 1})
    assert after == {
        **before,
        "os": {"family": "RedHat", "name": "Debian"},
        "osfamily": "RedHat",
        "new": {"fact": 1},
    }
    assert before["os"]["family"] == "Debian"


def test_facts_are_varied_in_all_combinations() -> None:
    variants = vary_facts({"a": 1}, {"a": [1, 2], "b": ["x", "y"]})
    assert list(variants) == ["a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"]
    assert variants["a=2 b=x"] == {"a": 2, "b": "x"}


def test_choices_have_the_type_of_the_fact() -> None:
    facts = {"n": 1, "f": 1.5, "b": True, "s": "12", "os": {"family": "Debian"}}
    assert parse_choices("n=2,3", facts) == ("n", [2, 3])
    assert parse_choices("f=2", facts) == ("f", [2.0])
    assert parse_choices("b=false", facts) == ("b", [False])
    assert parse_choices("s=13", facts) == ("s", ["13"])
    assert parse_choices("os.family=Suse", facts) == ("os.family", ["Suse"])
    assert parse_choices("unknown.fact=7", facts) == ("unknown.fact", ["7"])


@pytest.mark.parametrize("text", ["", "n", "=1", "n=", "n=x", "b=perhaps"])
def test_a_text_without_a_change_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a change of a fact|cannot become"):
        parse_choices(text, {"n": 1, "b": True})


FORMULAS = (
    *("=1+1", "=cmd|'/C calc'!A0", "+1+1", "-1+cmd", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\u3000=1"),
    *("＝1", "＋1", "－1", "＠x", '"=1"', '=HYPERLINK("http://x","y")', "=1\n=2", "--1", "-x", "=", "-"),
)
PLAIN = ("0644", "a=1", "a,b", "-5", "+5", "-1.5e-3", "", "x\n=1", "[1]", "日本", "'quoted'", "/a")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_table_is_a_formula(text: str) -> None:
    """Values, names of nodes and facts are quoted if needed, and can be read back."""
    facts: dict[str, dict[str, Any]] = {text: {text: text}, "b": {text: "1"}, "c": {text: "1"}}
    catalogs = {node: make_catalog(("File", "/a", {"mode": text if node == text else "1"})) for node in facts}
    content = fleets.format_table(make_rows(catalogs, facts), "x.csv").decode()
    lines = list(csv.reader(io.StringIO(content, newline="")))
    cells = [cell for line in lines for cell in line]
    assert not [cell for cell in cells if cell.strip()[:1] and cell.strip()[:1] in "=+-@＝＋－＠"]
    line = next(line for line in lines if line[4] == "1")
    assert [json.loads(line[column]) for column in (2, 5, 6, 7)] == [text] * 4


@pytest.mark.parametrize("text", PLAIN)
def test_other_texts_are_not_quoted(text: str) -> None:
    content = fleets.format_table(
        make_rows({"a": make_catalog(("File", "/a", {"mode": text}))}, {"a": {}}), "x.csv"
    )
    assert [*csv.reader(io.StringIO(content.decode(), newline=""))][1][2] == text
