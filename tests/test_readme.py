"""Commands, sessions and Python code in the README and the guides have the stated output.

A block of `sh` is a list of commands; `# not run` marks those that install, need a server or never end. A following
block of `text` is the output of the commands. A block of `text` with `puppet>` is a session.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, requires
from pathlib import Path

import pytest

from evaluator import Session
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.guides import GUIDES, read_guide
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.files import write_files

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {"README": README, **{name: read_guide(name) for name in GUIDES}}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SITE = "https://"

FILES = {
    "site.pp": "node default { notify { $facts['os']['family']: } }\n",
    "manifests/init.pp": "class a { }\n",
    "control-repo/environment.conf": "modulepath = modules:$basemodulepath\n",
    "control-repo/manifests/site.pp": "notify { 'a': message => lookup('sites') }\n",
    "control-repo/hiera.yaml": "version: 5\nhierarchy: [{ name: common, path: common.yaml }]\n",
    "control-repo/data/common.yaml": "sites: one\nntp::servers: [two]\n",
    "web01.yaml": "os: { family: Debian }\n",
    "facts/web01.json": '{"os": {"family": "Debian"}}',
    "facts/web02.json": '{"os": {"family": "RedHat"}}',
    "lessons/exercises/01.yaml": next(
        code for kind, code in BLOCK.findall(read_guide("exercises")) if kind == "yaml"
    ),
    "lessons/01-first.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "my-notebook.ipynb": """{"cells": [
        {"cell_type": "code", "id": "a", "metadata": {"tags": ["parameters"]}, "source": "$port = 80",
         "execution_count": null, "outputs": []},
        {"cell_type": "code", "id": "b", "metadata": {}, "source": "notice($port + 1)",
         "execution_count": 2, "outputs": [{"output_type": "stream", "name": "stdout", "text": "Notice: 81\\n"}]}],
        "metadata": {"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}},
        "nbformat": 4, "nbformat_minor": 5}""",
}
# A part of some commands -> a part of the output of each command that contains it.
OUTPUT_PARTS = {
    "--facts web01.yaml --catalog": "one",
    "-e 'lookup(\"sites\")'": "'one'",
    "--explain": "['two']",
    "--fleet facts/*.json": "1 resource is",
    "--table fleet.csv": "RedHat",
    "--vary": "Suse",
    "notice(1 + 1)": "Notice: 2",
    "--catalog --node": "Debian",
}


def collect_commands() -> list[tuple[str, str, str | None]]:
    """Return the page, the command and the expected output of each line in a block of `sh`."""
    command_lines: list[tuple[str, str, str | None]] = []
    for page, text in PAGES.items():
        blocks = BLOCK.findall(text)
        for number, (kind, code) in enumerate(blocks):
            if kind == "sh":
                rows = [(page, row, None) for row in code.splitlines() if row.strip()]
                after = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
                if after[0] == "text" and "puppet>" not in after[1]:
                    lines = after[1].splitlines()
                    assert len(lines) == len(rows)
                    rows = [(*row[:2], line) for row, line in zip(rows, lines, strict=True)]
                command_lines += rows
    return command_lines


COMMAND_LINES = collect_commands()
RUN = [
    (page, command, expected)
    for page, command, expected in COMMAND_LINES
    if "# not run" not in command and not command.startswith("pip install")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files that the commands name."""
    return write_files(tmp_path, FILES)


def run_command(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line with this Python and this checkout."""
    ours = f"{shlex.quote(sys.executable)} -m puppet_kernel"
    command = re.sub(r"^puppet-repl\b", ours, command)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "XDG_STATE_HOME": str(folder / ".state"),
    }
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


# Each of them imports Jupyter's clients, which takes seconds.
RUN_ARGUMENTS = [
    pytest.param(*row, marks=pytest.mark.slow if row[0] == "notebooks-as-tests" else ()) for row in RUN
]


@pytest.mark.parametrize(("page", "command", "expected"), RUN_ARGUMENTS)
def test_a_command_runs(page: str, command: str, expected: str | None, folder: Path) -> None:
    result = run_command(command, folder)
    assert result.returncode == 0, result.stdout + result.stderr
    if expected is not None:
        assert result.stdout.strip() == expected
    for part, output in OUTPUT_PARTS.items():
        if part in command:
            assert output in result.stdout
    if command.startswith("puppet-repl"):
        assert not result.stderr


@pytest.mark.parametrize("part", OUTPUT_PARTS)
def test_each_expected_output_belongs_to_a_command(part: str) -> None:
    assert any(part in command for _, command, _ in RUN)


def test_the_program_of_the_install_command_has_the_stated_output() -> None:
    [install] = [command for _, command, _ in COMMAND_LINES if command.startswith("pip install '.[lab]'")]
    program = install.partition(" && ")[2]
    assert subprocess.run(
        [sys.executable, "-m", "puppet_kernel", *shlex.split(program)[1:]], capture_output=True, text=True
    ).stdout == ("[2, 4, 6]\n")


# --- the environment that a page describes


@cache
def list_dependencies(distribution: str) -> frozenset[str]:
    """Return the normalized names of a distribution and its requirements without extras."""
    name = normalize_name(distribution)
    rows = PROJECT["dependencies"] if name == "puppet-kernel" else read_requirements(name)
    names = {name}
    for row in rows:
        if "extra ==" not in row:
            names |= list_dependencies(re.match(r"[\w.-]+", row)[0])
    return frozenset(names)


def read_requirements(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def normalize_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def list_installed(text: str) -> set[str]:
    """Return the distributions that the `pip install` lines of a page install."""
    names: set[str] = set()
    for row in re.findall(r"^pip install (.*?)(?: &&.*|  # not run)?$", text, re.MULTILINE):
        for word in shlex.split(row):
            if word.startswith(".["):
                for extra in word[2:-1].split(","):
                    for requirement in PROJECT["optional-dependencies"][extra]:
                        names |= list_dependencies(re.match(r"[\w.-]+", requirement)[0])
            elif not word.startswith("-"):
                names |= list_dependencies(word)
    return names


@pytest.mark.parametrize("page", PAGES)
def test_the_installed_distributions_contain_the_programs_of_a_page(page: str) -> None:
    installed = list_installed(README.partition("## Contribute")[0]) | list_installed(PAGES[page])
    installed |= list_dependencies("puppet-kernel")
    scripts = {
        script.name: normalize_name(script.dist.name)
        for script in entry_points(group="console_scripts")
        if script.dist is not None
    }
    for where, command, _ in COMMAND_LINES:
        words = [word for word in command.split() if "=" not in word]
        if where != page or words[0] in ("pip", "npm", "python", "puppet-repl"):
            continue
        assert scripts[words[0]] in installed, command
        if words[0] == "jupyter":
            assert {"lab": "jupyterlab", "nbconvert": "nbconvert"}[words[1]] in installed
        if "--nbval" in words:
            assert "nbval" in installed
        if "puppet_kernel.jupyter.percent" in words:
            assert "jupytext" in installed


@pytest.mark.parametrize("page", PAGES)
def test_extras_are_installed_from_the_checkout(page: str) -> None:
    """There is no release of puppet-kernel in an index of packages."""
    for row in re.findall(r"pip install ([^\n`]*)", PAGES[page]):
        assert "puppet-kernel" not in row


# --- sessions and Python


@pytest.mark.parametrize("page", PAGES)
def test_a_session_has_the_stated_output(page: str) -> None:
    for kind, code in BLOCK.findall(PAGES[page]):
        if kind != "text" or "puppet>" not in code or "%" in code:
            continue
        shell = Shell({}, with_type=True)
        for entry in code.split("puppet> ")[1:]:
            source, _, expected = entry.partition("\n")
            element = shell.submit(source).element
            assert element is not None and render_plain(element) == expected.rstrip("\n")


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if "```python" in text])
def test_expressions_in_python_have_the_values_of_their_comments(page: str) -> None:
    [source] = [code for kind, code in BLOCK.findall(PAGES[page]) if kind == "python"]
    names: dict[str, object] = {}
    checked = 0
    for statement in ast.parse(source).body:
        text = ast.get_source_segment(source, statement)
        comment = re.search(r"  # (.*)$", source.splitlines()[statement.end_lineno - 1])
        if isinstance(statement, ast.Expr) and comment and text:
            assert eval(text, names) == ast.literal_eval(comment[1]), text
            checked += 1
        else:
            exec(compile(ast.Module([statement], []), page, "exec"), names)
    assert checked >= 2


def test_at_least_twenty_commands_run() -> None:
    assert len(RUN) >= 20


# --- form


def test_the_readme_is_short() -> None:
    assert README.count("\n") <= 150
    assert all(text.count("\n") <= 80 for text in PAGES.values() if text is not README)


@pytest.mark.parametrize("page", PAGES)
def test_names_and_links_exist(page: str) -> None:
    text, base = PAGES[page], ROOT if page == "README" else ROOT / "puppet_kernel" / "guides"
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith(SITE) or (base / target).exists(), target
    titles = {
        re.sub(r"[^a-z ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.*)$", text, re.MULTILINE)
    }
    for target in re.findall(r"\]\(#([\w-]+)\)", text):
        assert target in titles, target
    for path in re.findall(r"^\| `([\w/]+/)` \|", text, re.MULTILINE):
        assert (ROOT / path).is_dir(), path
    for name in re.findall(r"`%(\w+)", text):
        assert name in COMMANDS.names, name
    for module in re.findall(r"python -m (\w[\w.]*)", text):
        parts = ROOT.joinpath(*module.split("."))
        assert parts.with_suffix(".py").is_file() or (parts / "__main__.py").is_file(), module


def test_the_readme_lists_every_guide() -> None:
    files = {path.stem for path in (ROOT / "puppet_kernel" / "guides").glob("*.md")}
    assert files == set(GUIDES) == set(re.findall(r"\(puppet_kernel/guides/([\w-]+)\.md\) \|", README))


@pytest.mark.parametrize("name", GUIDES)
def test_help_shows_a_guide(name: str, folder: Path) -> None:
    title = read_guide(name).split("\n")[0].removeprefix("# ")
    reply = Shell({}).submit(f"%help {name}")
    assert reply.element is not None and reply.page and title in render_plain(reply.element)
    assert title in run_command(f"puppet-repl --help {name}", folder).stdout


def test_help_lists_the_guides(folder: Path) -> None:
    reply = Shell({}).submit("%help")
    assert reply.element is not None
    listed = " ".join(render_plain(reply.element).split())
    assert all(name in listed for name in GUIDES)
    unknown = run_command("puppet-repl --help nothing", folder)
    assert unknown.returncode == 2 and "there is no guide 'nothing'" in unknown.stderr


def test_the_limits_of_the_guide_are_the_default_limits() -> None:
    limits = Session().limits
    amounts = {
        "16 M": 16 << 20,
        "64 M": 64 << 20,
        "10 M": 10_000_000,
        "512 MB": 512 << 20,
        "1.5 s": 1.5,
        "none": float("inf"),
    }
    for name, amount in re.findall(r"^\| `(\w+)` \| (.*?) \|", read_guide("limits"), re.MULTILINE):
        expected = amounts[amount] if amount in amounts else int(amount.replace(",", ""))
        assert limits[name] == expected, name


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["-e", "inline_template('<%= 1 %>')"], "NOT_PERMITTED"),
        (["--modulepath", ".", "-e", "mod::ruby(1)"], "written in Ruby"),
        (["--modulepath", ".", "-e", "gizmo { 'a': size => 'anything' }"], "Gizmo['a']"),
        (["--modulepath", ".", "-e", "gizmo { 'a': anything => 1 }"], "UNKNOWN_ATTRIBUTE"),
        (["--modulepath", ".", "-e", "open { 'a': anything => 1 }"], "Open['a']"),
        (["--catalog", "-e", "@@notify { 'a': }"], "@@notify { 'a': }"),
    ],
)
def test_the_described_restrictions_apply(arguments: list[str], output: str, tmp_path: Path) -> None:
    files = {
        "functions/mod/ruby.rb": "Puppet::Functions.create_function(:'mod::ruby') { }",
        "type/gizmo.rb": (
            "Puppet::Type.newtype(:gizmo) { newparam(:name); newproperty(:size) { newvalues(:a) } }"
        ),
        "type/open.rb": "Puppet::Type.newtype(:open) { names.each { |name| newparam(name) } }",
    }
    write_files(tmp_path / "mod" / "lib" / "puppet", files)
    command = [sys.executable, "-m", "puppet_kernel", "--dialect", "puppet", *arguments]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert output in result.stdout + result.stderr
