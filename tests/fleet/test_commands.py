"""`%fleet` and `%whatif` compile the program of a session for other facts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.facts import read_facts
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply

PROGRAM = """
notify { 'a': message => "on ${facts['os']['family']}" }
if $facts['os']['family'] == 'RedHat' { file { '/etc/x': ensure => file } }
"""
Say = Callable[..., str]


@pytest.fixture
def shell() -> Shell:
    """Return the guarded shell of a notebook with a program."""
    shell = Shell({"facts": "debian-12", "node": "web01"}, guarded=True)
    assert shell.submit(PROGRAM).error is None
    return shell


def split_rows(text: str) -> list[list[str]]:
    """Return the words of each row of a table."""
    return [row.split() for row in text.splitlines()[1:] if row]


def test_a_fleet_is_defined_by_sets_of_facts(run_inputs: Say) -> None:
    assert split_rows(run_inputs("%fleet debian-12 rocky-9 fedora-41")) == [
        ["resource", "attribute", "value", "nodes", "where"],
        ["Notify[a]", "message", "'on", "RedHat'", "2", "of", "3", "os.family", "=", "RedHat"],
        ["'on", "Debian'", "debian-12", "os.family", "=", "Debian"],
        ["File[/etc/x]", "there", "2", "of", "3", "os.family", "=", "RedHat"],
        ["not", "there", "debian-12", "os.family", "=", "Debian"],
        ["0", "resources", "are", "the", "same", "on", "all", "nodes"],
    ]


def test_a_fleet_is_defined_by_names_of_nodes(run_inputs: Say) -> None:
    output = run_inputs("notify { $facts['networking']['hostname']: }", "%fleet node web01 web02")
    assert split_rows(output)[1:5:2] == [
        ["Notify[web01]", "there", "web01"],
        ["Notify[web02]", "there", "web02"],
    ]


@pytest.mark.parametrize("name", ["Notify['a']", 'Notify["a"]', "Notify[a]"])
def test_the_rows_of_one_resource_are_selected(run_inputs: Say, name: str) -> None:
    output = run_inputs("%fleet debian-12 rocky-9", f"%fleet {name}")
    assert "on Debian" in output and "/etc/x" not in output


def test_the_fleet_is_compiled_again_after_new_cells(run_inputs: Say) -> None:
    output = run_inputs("%fleet debian-12 rocky-9", "notify { \"b on ${facts['os']['name']}\": }", "%fleet")
    assert "Notify[b on Rocky]" in output


def test_errors_are_grouped_with_their_nodes(run_inputs: Say) -> None:
    output = run_inputs("if $facts['os']['name'] == 'Rocky' { fail('not here') }", "%fleet debian-12 rocky-9")
    assert "2 nodes, 1 without a catalog" in output
    assert "not here" in output and "os.family = RedHat" in output


def test_values_of_a_fact_are_varied_for_one_node(run_inputs: Say) -> None:
    output = run_inputs("notify { $trusted['certname']: }", "%fleet os.family=RedHat,Suse")
    assert "os.family = RedHat" in output and "1 resource is the same on all nodes" in output


def test_a_fleet_is_defined_by_files_and_folders(
    run_inputs: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts").mkdir()
    for node, system in {"n1": "debian-12", "n2": "rocky-9"}.items():
        (tmp_path / "facts" / f"{node}.json").write_text(json.dumps(read_facts(system, node)))
    (tmp_path / "facts" / "n3.yaml").write_text("os: {family: Suse}")
    assert run_inputs("%fleet facts").startswith("3 nodes\n")
    assert run_inputs("%fleet facts/*.json").startswith("2 nodes\n")
    assert "n3" in run_inputs("%fleet facts/n3.yaml facts/n1.json", "%fleet Notify[a]")


def test_a_notebook_reads_only_permitted_paths(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text("{}")
    for path in (f"{tmp_path}/n.json", str(tmp_path), f"{tmp_path}/*.json", f"{tmp_path}/none.json"):
        error = shell.submit(f"%fleet {path}").error
        assert error is not None and error.code == "PATH_NOT_PERMITTED", path


def test_a_link_to_a_path_that_is_not_permitted_is_not_read(
    run_inputs: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "facts").mkdir(parents=True)
    (tmp_path / "secret.json").write_text('{"secret": "hush"}')
    (tmp_path / "here" / "facts" / "n.json").symlink_to(tmp_path / "secret.json")
    monkeypatch.chdir(tmp_path / "here")
    assert "PATH_NOT_PERMITTED" in run_inputs("%fleet facts")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("%fleet", "takes facts of nodes"),
        ("%fleet nope", "there is no set of facts 'nope' and no such file or folder"),
        ("%fleet debian-12 os.family=Suse", "not both"),
        ("%whatif", "takes values of facts"),
        ("%whatif os.family", "is not a change of a fact"),
        ("%whatif processors.count=many", "cannot become 'many'"),
        ("%whatif a=1,2,3,4 b=1,2,3,4", "at most 12 combinations"),
    ],
)
def test_wrong_arguments_are_reported(run_inputs: Say, command: str, message: str) -> None:
    assert message in run_inputs(command)


def test_a_resource_that_no_node_has_is_reported(run_inputs: Say) -> None:
    assert "No node has File[/none]" in run_inputs("%fleet debian-12 rocky-9", "%fleet File['/none']")


def test_whatif_shows_the_changes_of_another_fact(run_inputs: Say, shell: Shell) -> None:
    output = run_inputs("%whatif os.family=RedHat")
    assert "+ file { '/etc/x':" in output and "message => 'on RedHat'" in output
    assert shell.session.facts["os"]["family"] == "Debian"


def test_whatif_shows_several_values_as_tabs(shell: Shell) -> None:
    reply = shell.submit("%whatif os.family=RedHat,Suse")
    assert reply.element is not None
    assert render_plain(reply.element).splitlines()[0] == "os.family=RedHat"
    page = render_html(reply.element)
    assert page.count("<details name=") == 2 and page.count('open="open"') == 1
    assert "on Suse" in page


def test_an_interrupt_ends_the_compilation_of_a_fleet(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.submit("%fleet debian-12 rocky-9")
    before = shell.session.cells

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shell.session, "call_supervised", stop)
    error = shell.submit("%fleet debian-12 sles-15").error
    assert error is not None and error.code == "INTERRUPTED"
    assert shell.session.cells == before


def test_two_nodes_of_the_fleet_are_compared(run_inputs: Say) -> None:
    output = run_inputs("%fleet debian-12 rocky-9", "%diff debian-12 rocky-9")
    assert output.startswith("from debian-12 to rocky-9\n")
    assert "+ file { '/etc/x':" in output and "message => 'on RedHat'" in output
    assert "fail with" not in output


def test_nodes_are_compared_with_the_facts_of_their_files(
    run_inputs: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts").mkdir()
    for node, system in {"n1": "debian-12", "n2": "rocky-9"}.items():
        (tmp_path / "facts" / f"{node}.json").write_text(json.dumps(read_facts(system, node)))
    output = run_inputs("notify { $trusted['certname']: }", "%fleet facts", "%diff n2 n1")
    for line in ("- file { '/etc/x':", "+ notify { 'n1': }", "- notify { 'n2': }"):
        assert line in output


def test_varied_facts_are_compared_for_the_same_node(run_inputs: Say) -> None:
    name = "os.family=RedHat kernel=Linux"
    output = run_inputs(
        "notify { $trusted['certname']: }",
        "%fleet os.family=RedHat,Suse kernel=Linux",
        f"%diff {name} os.family=Suse kernel=Linux",
    )
    assert output.startswith(f"from {name} to os.family=Suse kernel=Linux\n")
    assert "- file { '/etc/x':" in output and "web01" not in output


def test_without_a_fleet_two_names_of_nodes_are_compared(run_inputs: Say) -> None:
    output = run_inputs("notify { $facts['networking']['hostname']: }", "%diff web01 db01")
    assert "- notify { 'web01': }" in output and "+ notify { 'db01': }" in output


def test_a_cell_that_fails_on_one_of_the_nodes_is_reported(run_inputs: Say) -> None:
    cells = (
        "%fleet debian-12 rocky-9",
        "if $facts['os']['name'] == 'Rocky' { fail('no') } else { notify { 'd': } }",
    )
    assert "[2] fail with rocky-9" in run_inputs(*cells, "%diff debian-12 rocky-9")
    assert "[2] fail with rocky-9" in run_inputs("%diff rocky-9 debian-12")


def test_a_node_that_is_not_in_the_fleet_is_reported(shell: Shell) -> None:
    shell.submit("%fleet debian-12 rocky-9")
    error = shell.submit("%diff debian-12 rocky-8").error
    assert error is not None
    assert error.message == "The fleet that was shown last has no node rocky-8"
    assert error.suggestion == "rocky-9"
    assert shell.submit("%diff one two three").error is not None


@pytest.fixture
def say_at_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return a function as `run_inputs`, with an unguarded shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    shell = Shell({"facts": "debian-12", "node": "web01"})
    shell.submit(PROGRAM)

    def submit(source: str) -> str:
        return render_reply(shell.submit(source))

    return submit


def test_the_table_is_written_as_csv(say_at_terminal: Say, tmp_path: Path) -> None:
    assert say_at_terminal("%fleet debian-12 rocky-9 --table t.csv").endswith(
        "\nthe table is written to t.csv"
    )
    with (tmp_path / "t.csv").open(newline="") as file:
        lines = [(line["resource"], line["value"], line["nodes"]) for line in csv.DictReader(file)]
    assert lines == [
        ("Notify[a]", "on Debian", "debian-12"),
        ("Notify[a]", "on RedHat", "rocky-9"),
        ("File[/etc/x]", "true", "rocky-9"),
        ("File[/etc/x]", "false", "debian-12"),
        ("File[/etc/x]", "file", "rocky-9"),
    ]


def test_the_tables_of_the_last_fleet_and_of_one_resource_are_written(
    say_at_terminal: Say, tmp_path: Path
) -> None:
    say_at_terminal("%fleet debian-12 rocky-9")
    say_at_terminal("%fleet --table all.json")
    say_at_terminal("%fleet Notify['a'] --table=one.json")
    complete, selected = (json.loads((tmp_path / name).read_text()) for name in ("all.json", "one.json"))
    assert selected == [row for row in complete if row["resource"] == "Notify[a]"] != complete


def test_the_table_is_written_as_parquet(say_at_terminal: Say, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    say_at_terminal("%fleet debian-12 rocky-9 --table t.parquet")
    assert parquet.read_table(tmp_path / "t.parquet").to_pylist()[0]["value"] == "on Debian"


def test_a_table_replaces_a_file_only_with_force(say_at_terminal: Say, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("mine")
    assert "t.csv already exists" in say_at_terminal("%fleet debian-12 --table t.csv")
    assert (tmp_path / "t.csv").read_text() == "mine"
    assert "written to t.csv" in say_at_terminal("%fleet debian-12 --table t.csv --force")
    assert (tmp_path / "t.csv").read_text() != "mine"
    assert "ends in .csv, .json, .parquet" in say_at_terminal("%fleet debian-12 --table t.xls")
    assert "below the working folder" in say_at_terminal("%fleet debian-12 --table ../t.csv")
    assert not (tmp_path.parent / "t.csv").exists()


def test_a_notebook_writes_only_with_permission(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error = shell.submit("%fleet debian-12 --table t.csv").error
    assert error is not None and error.code == "PATH_NOT_PERMITTED" and not list(tmp_path.iterdir())
    allowed = Shell({"permissions": ["files"]}, guarded=True)
    assert allowed.submit("%fleet debian-12 --table t.csv").error is None
    assert (tmp_path / "t.csv").exists()
