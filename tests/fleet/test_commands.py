"""`%fleet` and `%whatif`."""

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

PROGRAM = """
notify { 'a': message => "on ${facts['os']['family']}" }
if $facts['os']['family'] == 'RedHat' { file { '/etc/x': ensure => file } }
"""
Say = Callable[..., str]


@pytest.fixture
def shell() -> Shell:
    """A shell with a program."""
    made = Shell({"facts": "debian-12", "node": "web01"}, guarded=True)
    assert made.submit(PROGRAM).error is None
    return made


def rows(text: str) -> list[list[str]]:
    return [row.split() for row in text.splitlines()[1:] if row]


def test_names_of_sets(say: Say) -> None:
    assert rows(say("%fleet debian-12 rocky-9 fedora-41")) == [
        ["resource", "attribute", "value", "nodes", "where"],
        ["Notify[a]", "message", "'on", "RedHat'", "2", "of", "3", "os.family", "=", "RedHat"],
        ["'on", "Debian'", "debian-12", "os.family", "=", "Debian"],
        ["File[/etc/x]", "there", "2", "of", "3", "os.family", "=", "RedHat"],
        ["not", "there", "debian-12", "os.family", "=", "Debian"],
        ["0", "resources", "are", "the", "same", "on", "all", "nodes"],
    ]


def test_names_of_nodes(say: Say) -> None:
    shown = say("notify { $facts['networking']['hostname']: }", "%fleet node web01 web02")
    assert rows(shown)[1:5:2] == [
        ["Notify[web01]", "there", "web01"],
        ["Notify[web02]", "there", "web02"],
    ]


@pytest.mark.parametrize("name", ["Notify['a']", 'Notify["a"]', "Notify[a]"])
def test_one_resource(say: Say, name: str) -> None:
    shown = say("%fleet debian-12 rocky-9", f"%fleet {name}")
    assert "on Debian" in shown and "/etc/x" not in shown


def test_the_fleet_follows_the_cells(say: Say) -> None:
    shown = say("%fleet debian-12 rocky-9", "notify { \"b on ${facts['os']['name']}\": }", "%fleet")
    assert "Notify[b on Rocky]" in shown


def test_what_fails_is_told_by_its_nodes(say: Say) -> None:
    shown = say("if $facts['os']['name'] == 'Rocky' { fail('not here') }", "%fleet debian-12 rocky-9")
    assert "2 nodes, 1 without a catalog" in shown
    assert "not here" in shown and "os.family = RedHat" in shown


def test_values_of_a_fact_are_of_the_same_node(say: Say) -> None:
    shown = say("notify { $trusted['certname']: }", "%fleet os.family=RedHat,Suse")
    assert "os.family = RedHat" in shown and "1 resource is the same on all nodes" in shown


def test_files_and_folders(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts").mkdir()
    for node, known in {"n1": "debian-12", "n2": "rocky-9"}.items():
        (tmp_path / "facts" / f"{node}.json").write_text(json.dumps(read_facts(known, node)))
    (tmp_path / "facts" / "n3.yaml").write_text("os: {family: Suse}")
    assert say("%fleet facts").startswith("3 nodes\n")
    assert say("%fleet facts/*.json").startswith("2 nodes\n")
    assert "n3" in say("%fleet facts/n3.yaml facts/n1.json", "%fleet Notify[a]")


def test_a_notebook_leads_nowhere_else(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text("{}")
    for path in (f"{tmp_path}/n.json", str(tmp_path), f"{tmp_path}/*.json", f"{tmp_path}/none.json"):
        error = shell.submit(f"%fleet {path}").error
        assert error is not None and error.code == "PATH_NOT_PERMITTED", path


def test_a_link_in_a_folder_leads_nowhere_else(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "facts").mkdir(parents=True)
    (tmp_path / "secret.json").write_text('{"secret": "hush"}')
    (tmp_path / "here" / "facts" / "n.json").symlink_to(tmp_path / "secret.json")
    monkeypatch.chdir(tmp_path / "here")
    assert "PATH_NOT_PERMITTED" in say("%fleet facts")


@pytest.mark.parametrize(
    ("command", "words"),
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
def test_what_cannot_be_done(say: Say, command: str, words: str) -> None:
    assert words in say(command)


def test_a_resource_that_no_node_has(say: Say) -> None:
    assert "No node has File[/none]" in say("%fleet debian-12 rocky-9", "%fleet File['/none']")


def test_another_fact(say: Say, shell: Shell) -> None:
    shown = say("%whatif os.family=RedHat")
    assert "+ file { '/etc/x':" in shown and "message => 'on RedHat'" in shown
    assert shell.session.facts["os"]["family"] == "Debian"


def test_several_values_are_tabs(shell: Shell) -> None:
    reply = shell.submit("%whatif os.family=RedHat,Suse")
    assert reply.element is not None
    assert render_plain(reply.element).splitlines()[0] == "os.family=RedHat"
    page = render_html(reply.element)
    assert page.count("<details name=") == 2 and page.count('open="open"') == 1
    assert "on Suse" in page


def test_an_interrupt_ends_a_fleet(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.submit("%fleet debian-12 rocky-9")
    before = shell.session.cells

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shell.session, "supervised", stop)
    error = shell.submit("%fleet debian-12 sles-15").error
    assert error is not None and error.code == "INTERRUPTED"
    assert shell.session.cells == before


# --- two nodes of the fleet


def test_two_nodes_of_the_fleet(say: Say) -> None:
    shown = say("%fleet debian-12 rocky-9", "%diff debian-12 rocky-9")
    assert shown.startswith("from debian-12 to rocky-9\n")
    assert "+ file { '/etc/x':" in shown and "message => 'on RedHat'" in shown
    assert "fail with" not in shown


def test_nodes_of_files_have_their_facts(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts").mkdir()
    for node, known in {"n1": "debian-12", "n2": "rocky-9"}.items():
        (tmp_path / "facts" / f"{node}.json").write_text(json.dumps(read_facts(known, node)))
    shown = say("notify { $trusted['certname']: }", "%fleet facts", "%diff n2 n1")
    assert "- file { '/etc/x':" in shown and "+ notify { 'n1': }" in shown and "- notify { 'n2': }" in shown


def test_nodes_of_chosen_facts_are_the_same_node(say: Say) -> None:
    name = "os.family=RedHat kernel=Linux"
    shown = say(
        "notify { $trusted['certname']: }",
        "%fleet os.family=RedHat,Suse kernel=Linux",
        f"%diff {name} os.family=Suse kernel=Linux",
    )
    assert shown.startswith(f"from {name} to os.family=Suse kernel=Linux\n")
    assert "- file { '/etc/x':" in shown and "web01" not in shown


def test_without_a_fleet_two_nodes_are_called_so(say: Say) -> None:
    shown = say("notify { $facts['networking']['hostname']: }", "%diff web01 db01")
    assert "- notify { 'web01': }" in shown and "+ notify { 'db01': }" in shown


def test_what_fails_on_one_of_the_nodes_is_told(say: Say) -> None:
    cells = (
        "%fleet debian-12 rocky-9",
        "if $facts['os']['name'] == 'Rocky' { fail('no') } else { notify { 'd': } }",
    )
    assert "[2] fail with rocky-9" in say(*cells, "%diff debian-12 rocky-9")
    assert "[2] fail with rocky-9" in say("%diff rocky-9 debian-12")


def test_a_node_that_is_not_in_the_fleet(shell: Shell) -> None:
    shell.submit("%fleet debian-12 rocky-9")
    error = shell.submit("%diff debian-12 rocky-8").error
    assert error is not None
    assert (
        error.message == "The fleet that was shown last has no node rocky-8" and error.suggestion == "rocky-9"
    )
    assert shell.submit("%diff one two three").error is not None


# --- the table as a file


@pytest.fixture
def free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """As `say`, at a terminal, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    made = Shell({"facts": "debian-12", "node": "web01"})
    made.submit(PROGRAM)

    def submit(source: str) -> str:
        reply = made.submit(source)
        return render_plain(reply.element) if reply.element is not None else ""

    return submit


def test_the_table_is_written_as_the_command_line_does(free: Say, tmp_path: Path) -> None:
    assert free("%fleet debian-12 rocky-9 --table t.csv").endswith("\nthe table is written to t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        lines = [(line["resource"], line["value"], line["nodes"]) for line in csv.DictReader(file)]
    assert lines == [
        ("Notify[a]", "on Debian", "debian-12"),
        ("Notify[a]", "on RedHat", "rocky-9"),
        ("File[/etc/x]", "true", "rocky-9"),
        ("File[/etc/x]", "false", "debian-12"),
        ("File[/etc/x]", "file", "rocky-9"),
    ]


def test_the_last_fleet_and_one_resource_of_it(free: Say, tmp_path: Path) -> None:
    free("%fleet debian-12 rocky-9")
    free("%fleet --table all.json")
    free("%fleet Notify['a'] --table=one.json")
    every, one = (json.loads((tmp_path / name).read_text()) for name in ("all.json", "one.json"))
    assert one == [row for row in every if row["resource"] == "Notify[a]"] != every


def test_a_table_as_parquet(free: Say, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    free("%fleet debian-12 rocky-9 --table t.parquet")
    assert parquet.read_table(tmp_path / "t.parquet").to_pylist()[0]["value"] == "on Debian"


def test_a_table_replaces_nothing_unless_told(free: Say, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("mine")
    assert "t.csv already exists" in free("%fleet debian-12 --table t.csv")
    assert (tmp_path / "t.csv").read_text() == "mine"
    assert "written to t.csv" in free("%fleet debian-12 --table t.csv --force")
    assert (tmp_path / "t.csv").read_text() != "mine"
    assert "ends in .csv, .json, .parquet" in free("%fleet debian-12 --table t.xls")
    assert "below the working folder" in free("%fleet debian-12 --table ../t.csv")
    assert not (tmp_path.parent / "t.csv").exists()


def test_a_notebook_writes_where_it_may_only(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error = shell.submit("%fleet debian-12 --table t.csv").error
    assert error is not None and error.code == "PATH_NOT_PERMITTED" and not list(tmp_path.iterdir())
    allowed = Shell({"permissions": ["files"]}, guarded=True)
    assert allowed.submit("%fleet debian-12 --table t.csv").error is None
    assert (tmp_path / "t.csv").exists()
