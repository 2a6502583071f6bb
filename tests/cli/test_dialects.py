"""The dialect of a command line: a release for a repository, else the specification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.forking import Repl
from tests.files import write_files

APPENDING = "$x = [1]\nclass c { $x += [2] notice($x) }\n"  # an error in releases
SLICE = "notice([1, 2, 3, 4][2, 2])"  # [3, 4] in a release, [3] in the specification


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a control repository with an environment, a module and the facts of a node."""
    return write_files(
        tmp_path / "repository",
        {
            "environment.conf": "",
            "manifests/site.pp": SLICE,
            "modules/m/metadata.json": "{}",
            "modules/m/manifests/init.pp": "class m { $x = [1, 2][0 , 1] }\n",
            "nodes/a.json": '{"os": {"family": "Debian"}}',
        },
    )


def test_an_environment_is_compiled_in_the_release_and_names_it(repl: Repl, repository: Path) -> None:
    result = repl("--environment", str(repository), "--catalog", "-e", SLICE)
    assert result.stdout.startswith("compiled in puppet: the language as released: Puppet 8 and OpenVox 8")
    assert result.stdout.count("[3, 4]") == 2
    specified = repl("--environment", str(repository), "--dialect", "spec", "--catalog", "-e", SLICE)
    assert specified.stdout.startswith("compiled in spec: the language as specified")
    assert "Notice: [3]\n" in specified.stdout
    assert json.loads(repl("--environment", str(repository), "--json", "-e", SLICE).stdout)["logs"]


def test_a_file_of_a_repository_is_compiled_in_the_release(
    repl: Repl, repository: Path, tmp_path: Path
) -> None:
    result = repl("--catalog", str(repository / "manifests" / "site.pp"))
    assert result.stdout.startswith("compiled in puppet: ") and "[3, 4]" in result.stdout
    (tmp_path / "own.pp").write_text(SLICE)
    result = repl(str(tmp_path / "own.pp"))
    assert result.stdout == "Notice: [3]\n"


def test_a_fleet_is_compiled_in_the_release(repl: Repl, repository: Path) -> None:
    arguments = ("--fleet", "-e", "notify { 'n': message => 6 =~ Integer[5] }", str(repository / "nodes"))
    for options, dialect, message in (((), "puppet", True), (("--dialect", "spec"), "spec", False)):
        assert repl(*arguments, *options).stdout.split("\n")[0].endswith(f", in {dialect}")
        report = json.loads(repl(*arguments, *options, "--json").stdout)
        assert [row["usual"] for row in report["table"]] == [message]


def test_a_folder_is_checked_in_the_release(repl: Repl, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.pp").write_text(APPENDING)
    result = repl("--check", str(tmp_path / "folder"))
    assert result.returncode == 1 and result.stderr.rstrip().endswith(" s, puppet)")
    result = repl("--check", "--dialect", "spec", str(tmp_path / "folder"))
    assert result.returncode == 0
    assert repl("--check", str(tmp_path / "folder" / "a.pp")).returncode == 0
    site = repository / "manifests" / "site.pp"
    site.write_text(APPENDING)
    assert repl("--check", str(site)).returncode == 1
    (tmp_path / "folder" / "b.pp").write_text("notice(1)\n")
    result = repl("--check", str(tmp_path / "folder" / "b.pp"), str(site))
    assert result.stderr.rstrip().endswith(" s, puppet)"), "all inputs are one program, in one dialect"
