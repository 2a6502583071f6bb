"""`puppet-repl --fleet` reads facts, and prints or writes the table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from evaluator.facts import read_facts
from tests.cli.forking import Repl, Result, run_repl

PROGRAM = "file { '/x': mode => $facts['os']['family'] ? { 'RedHat' => '0600', default => '0644' } }"
NODES = {"a.example.com": "debian-12", "b.example.com": "rocky-9", "c.example.com": "debian-11"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a program and the facts of three nodes."""
    (tmp_path / "facts").mkdir()
    (tmp_path / "site.pp").write_text(PROGRAM)
    for node, system in NODES.items():
        (tmp_path / "facts" / f"{node}.json").write_text(json.dumps(read_facts(system, node)))
    (tmp_path / "facts" / "README").write_text("no facts")
    return tmp_path


@pytest.fixture
def repl(folder: Path) -> Repl:
    """Return a function that runs `puppet-repl` with arguments in the folder."""

    def run(*arguments: str) -> Result:
        return run_repl([*arguments], folder, environment={"COLUMNS": "100"})

    return run


def test_facts_are_read_from_a_folder(repl: Repl) -> None:
    result = repl("--fleet", "facts", "site.pp")
    assert (result.returncode, result.stderr) == (0, "")
    first, *rest = result.stdout.splitlines()
    assert first.startswith("3 nodes, ")
    assert [row.split() for row in rest if row] == [
        ["resource", "attribute", "value", "nodes", "where"],
        ["File[/x]", "mode", "'0644'", "2", "of", "3", "os.family", "=", "Debian"],
        ["'0600'", "b.example.com", "os.family", "=", "RedHat"],
        ["0", "resources", "are", "the", "same", "on", "all", "nodes"],
    ]


def test_json_has_the_catalogs_and_the_errors(repl: Repl, folder: Path) -> None:
    (folder / "site.pp").write_text(PROGRAM + "\nif $facts['os']['family'] == 'RedHat' { fail('no') }")
    result = repl("--fleet", "--json", "--catalog", "facts", "site.pp")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert (report["nodes"], list(report["catalogs"])) == (3, ["a.example.com", "c.example.com"])
    assert report["errors"]["b.example.com"]["line"] == 2
    assert set(report["seconds"]) == set(NODES)
    assert [row["attribute"] for row in report["table"]] == ["mode"]


def test_a_program_may_fail_for_the_node_of_the_command_line_only(
    repl: Repl,
) -> None:
    result = repl("--fleet", "facts", "-e", "if $trusted['certname'] == 'localhost' { fail('here') }")
    assert result.returncode == 0, result.stdout


def test_values_of_a_fact_are_varied(repl: Repl) -> None:
    result = repl("--fleet", "--facts", "debian-12", "--vary", "os.family=Suse,RedHat", "site.pp", "--json")
    report = json.loads(result.stdout)
    assert [group["nodes"] for group in report["table"][0]["groups"]] == [
        ["os.family=Suse"],
        ["os.family=RedHat"],
    ]


def test_facts_are_read_from_the_export_of_a_database(repl: Repl, folder: Path) -> None:
    rows = [
        {"certname": node, "name": "os", "value": {"family": family}}
        for node, family in (("n1", "RedHat"), ("n2", "Debian"))
    ]
    (folder / "export.json").write_text(json.dumps(rows))
    report = json.loads(repl("--fleet", "--json", "--catalog", "export.json", "site.pp").stdout)
    assert list(report["catalogs"]) == ["n1", "n2"]


def test_an_environment_is_compiled_for_each_node(repl: Repl, folder: Path) -> None:
    (folder / "control" / "manifests").mkdir(parents=True)
    (folder / "control" / "manifests" / "site.pp").write_text(
        "node /^a/ { notify { 'a': } }\nnode default { }"
    )
    result = repl("--fleet", "facts", "--environment", "control", "--json", "--catalog")
    catalogs = json.loads(result.stdout)["catalogs"]
    assert [len(catalog["resources"]) for catalog in catalogs.values()] == [5, 4, 4]


def test_the_table_is_written_to_a_file(repl: Repl, folder: Path) -> None:
    assert repl("--fleet", "facts", "site.pp", "--table", "t.csv").returncode == 0
    with (folder / "t.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["value"], line["usual"], line["count"], line["fact_values"]) for line in lines] == [
        ("0644", "True", "2", "Debian"),
        ("0600", "False", "1", "RedHat"),
    ]
    assert repl("--fleet", "facts", "site.pp", "--table", "t.json").returncode == 0
    assert json.loads((folder / "t.json").read_text())[0]["usual"] == "0644"
    parquet = pytest.importorskip("pyarrow.parquet")
    assert repl("--fleet", "facts", "site.pp", "--table", "t.parquet").returncode == 0
    assert parquet.read_table(folder / "t.parquet").to_pylist()[1]["nodes"] == "b.example.com"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--fleet", "site.pp"), "--fleet needs facts of nodes"),
        (("--fleet", "none.json", "site.pp"), "cannot read the facts in none.json: No such file"),
        (("--fleet", "facts", "--table", "t.xls"), "--table takes a file that ends in .csv, .json, .parquet"),
        (("--fleet", "facts", "--vary", "a=b"), "--vary changes the facts of one node"),
        (("--fleet", "--vary", "a", "site.pp"), "'a' is not a change of a fact"),
        (("--fleet", "facts", "facts", "site.pp"), "there are two sets of facts for a.example.com"),
    ],
)
def test_wrong_arguments_are_reported(repl: Repl, arguments: tuple[str, ...], message: str) -> None:
    result = repl(*arguments)
    assert result.returncode == 2 and message in result.stderr


def test_a_scheduler_of_dask_compiles_the_nodes(repl: Repl) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        1, processes=False, protocol="tcp", dashboard_address=None, silence_logs=50
    ) as cluster:
        result = repl("--fleet", "facts", "site.pp", "--scheduler", cluster.scheduler_address)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("3 nodes, ")
