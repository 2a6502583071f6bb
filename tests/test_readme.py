"""The README is true: its Python prints what its comments say, its commands run, what it names is there."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator import Session
from puppet_kernel.commands.table import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
[PYTHON] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
# In the block of the terminal two blanks end a command; in a line to install it stands behind `&&`.
SHELL = [
    *re.findall(r"^    \$ (puppet-repl .*?)  ", README, re.MULTILINE),
    *re.findall(r"^pip install .* && (puppet-repl .*)$", README, re.MULTILINE),
]
# What is told of repositories and fleets stands without a prompt.
OF_NODES = re.findall(r"^    (puppet-repl .*?)(?:  |$)", README, re.MULTILINE)
RUNNABLE = [command for command in SHELL if command.strip() != "puppet-repl"]


def test_python_prints_what_its_comments_say() -> None:
    names: dict[str, object] = {}
    checked = 0
    for statement in ast.parse(PYTHON).body:
        text = ast.get_source_segment(PYTHON, statement)
        comment = re.search(r"# (.*)$", PYTHON.splitlines()[statement.end_lineno - 1])  # type: ignore[operator]
        if isinstance(statement, ast.Expr) and comment and text:
            assert eval(text, names) == ast.literal_eval(comment[1]), text
            checked += 1
        else:
            exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
    assert checked >= 2


@pytest.mark.parametrize("command", RUNNABLE)
def test_commands_run(command: str, tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("node default { notify { 'a': } }\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "init.pp").write_text("class a { }\n")
    _, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", "puppet_kernel", *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    if "-e" in arguments or "--catalog" in arguments:
        assert done.stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands about nodes name: a control repository, facts and a manifest."""
    folder = tmp_path_factory.mktemp("work")
    for name, text in {
        "control-repo/environment.conf": "modulepath = modules:$basemodulepath\n",
        "control-repo/manifests/site.pp": "notify { 'a': message => lookup('sites') }\n",
        "control-repo/hiera.yaml": "version: 5\nhierarchy: [{ name: common, path: common.yaml }]\n",
        "control-repo/data/common.yaml": "sites: one\nntp::servers: [two]\n",
        "web01.yaml": "os: { family: Debian }\n",
        "facts/web01.json": '{"os": {"family": "Debian"}}',
        "facts/web02.json": '{"os": {"family": "RedHat"}}',
        "site.pp": "notify { $facts['os']['family']: }\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("command", "told"),
    list(zip(OF_NODES, ("one", "'one'", "['two']", "1 resource is", "RedHat", "Suse"), strict=True)),
)
def test_commands_about_nodes_run(command: str, told: str, repository: Path) -> None:
    arguments = [
        str(path)
        for word in shlex.split(command)[1:]
        for path in (sorted(repository.glob(word)) if "*" in word else [word])
    ]
    done = subprocess.run(
        [sys.executable, "-m", "puppet_kernel", *arguments], cwd=repository, capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr
    assert told in done.stdout
    assert "--table" not in arguments or "Debian" in (repository / "fleet.csv").read_text()


def test_a_fleet_is_compiled_as_told() -> None:
    assert 'session.fleet({"web01": "debian-12", "web02": facts})' in README
    session = Session("puppet")
    session.run("notify { $facts['os']['family']: }")
    fleet = session.fleet({"web01": "debian-12", "web02": {"os": {"family": "Suse"}}})
    assert set(fleet.catalogs) == {"web01", "web02"} and not fleet.errors
    assert set(fleet.seconds) == {"web01", "web02"} and fleet.table()


def test_all_commands_are_found() -> None:
    assert len(RUNNABLE) >= 9


def test_what_is_named_is_there() -> None:
    for path in re.findall(r"^\| `([\w/]+)` \|", README, re.MULTILINE):
        assert (ROOT / path).is_dir(), path
    for path in re.findall(r"notebooks/[\w./-]+\.\w+", README):
        assert (ROOT / path).is_file(), path
    for name in re.findall(r"`%(\w+)`", README):
        assert name in COMMANDS.by_name, name
    for module in re.findall(r"python -m (\w[\w.]*)`", README):
        parts = ROOT.joinpath(*module.split("."))
        assert parts.with_suffix(".py").is_file() or (parts / "__main__.py").is_file(), module


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-e", "inline_template('<%= 1 %>')"], "NOT_PERMITTED"),
        (["--modulepath", ".", "-e", "mod::ruby(1)"], "written in Ruby"),
        (["--modulepath", ".", "-e", "gizmo { 'a': size => 'anything' }"], "Gizmo['a']"),
        (["--modulepath", ".", "-e", "gizmo { 'a': anything => 1 }"], "UNKNOWN_ATTRIBUTE"),
        (["--modulepath", ".", "-e", "open { 'a': anything => 1 }"], "Open['a']"),
        (["--catalog", "-e", "@@notify { 'a': }"], "@@notify { 'a': }"),
    ],
)
def test_limits_are_as_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    for path, text in (
        ("functions/mod/ruby.rb", "Puppet::Functions.create_function(:'mod::ruby') { }"),
        (
            "type/gizmo.rb",
            "Puppet::Type.newtype(:gizmo) { newparam(:name); newproperty(:size) { newvalues(:a) } }",
        ),
        ("type/open.rb", "Puppet::Type.newtype(:open) { names.each { |name| newparam(name) } }"),
    ):
        file = tmp_path / "mod" / "lib" / "puppet" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    command = [sys.executable, "-m", "puppet_kernel", "--dialect", "puppet", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert told in done.stdout + done.stderr
