"""`puppet-repl --check`: files and folders, output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_kernel.cli import check as checking
from puppet_kernel.cli.options import InputArgument, Options, parse
from puppet_kernel.cli.session_options import expand_folders
from puppet_kernel.terminal.terminal import Terminal
from tests.cli.forking import Repl

TWO_MISTAKES = "$x = [1 2]\n\nclass a {\n  service { 'b' ensure => running }\n}\n"


def write_manifests(folder: Path, **sources: str) -> None:
    """Write `name.pp` for each name."""
    for name, source in sources.items():
        (folder / f"{name}.pp").write_text(source)


def test_a_correct_file_prints_nothing(repl: Repl, tmp_path: Path) -> None:
    write_manifests(tmp_path, good="notice('not run')\n")
    result = repl("--check", "good.pp")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_all_mistakes_of_a_file_are_reported(repl: Repl, tmp_path: Path) -> None:
    write_manifests(tmp_path, bad=TWO_MISTAKES)
    result = repl("--check", "bad.pp")
    assert (result.returncode, result.stdout) == (1, "")
    assert [line for line in result.stderr.splitlines() if "╭╴" in line] == [
        "  ╭╴bad.pp:1:9",
        "  ╭╴bad.pp:4:17",
    ]
    assert result.stderr.splitlines()[-1].startswith("1 file, 2 errors in 1 file (")


def test_folders_are_searched(repl: Repl, tmp_path: Path) -> None:
    deep = tmp_path / "site" / "b" / "c"
    deep.mkdir(parents=True)
    (tmp_path / "site" / ".git").mkdir()
    write_manifests(deep, bad="class {\n", good="class x { }\n")
    write_manifests(tmp_path / "site" / ".git", hidden="class {\n")
    (deep / "bad.epp").write_text("<%= $x\n")
    (deep / "notes.txt").write_text("class {\n")
    result = repl("--check", "site")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("3 files, 2 errors in 2 files (")
    assert "hidden" not in result.stderr and "notes" not in result.stderr


def test_a_link_to_a_parent_folder_is_not_followed_forever(tmp_path: Path) -> None:
    write_manifests(tmp_path, a="")
    (tmp_path / "again").symlink_to(tmp_path)
    assert len(list(expand_folders([InputArgument("file", str(tmp_path))]))) == 1


def test_warnings_are_shown_and_do_not_change_the_exit_code(repl: Repl, tmp_path: Path) -> None:
    write_manifests(tmp_path, twice="$x = { 'a' => 1, 'a' => 2 }\n")
    result = repl("--check", "twice.pp")
    assert result.returncode == 0
    assert result.stderr.startswith("warning[DUPLICATE_KEY]: ")
    assert result.stderr.splitlines()[-1].startswith("1 file, no errors, 1 warning (")


def test_statements_without_effect_are_errors_as_in_the_release(repl: Repl, tmp_path: Path) -> None:
    write_manifests(tmp_path, values="1 + 1\n2\n", idle="1 + 1\nnotice('a')\n")
    assert repl("--check", "values.pp").returncode == 0
    for arguments in (["idle.pp"], ["--dialect", "puppet", "idle.pp"], ["--dialect", "puppet", "values.pp"]):
        result = repl("--check", *arguments)
        assert result.returncode == 1
        assert "has no effect" in result.stderr


def test_a_file_of_a_module_defines_only_the_name_of_its_path(repl: Repl, tmp_path: Path) -> None:
    manifests = tmp_path / "modules" / "web" / "manifests"
    manifests.mkdir(parents=True)
    write_manifests(manifests, init="class web { }\n", vhost="class other { }\n")
    result = repl("--check", "modules")
    assert result.returncode == 1
    assert "ILLEGAL_DEFINITION_LOCATION" in result.stderr
    assert "1 error in 1 file" in result.stderr
    (tmp_path / "modules").rename(tmp_path / "elsewhere")
    assert repl("--check", "elsewhere").returncode == 0
    assert repl("--check", "--modulepath", "elsewhere", "elsewhere").returncode == 1


def test_json_lists_the_problems_and_their_counts(repl: Repl, tmp_path: Path) -> None:
    write_manifests(tmp_path, bad=TWO_MISTAKES, good="")
    result = repl("--check", "--json", "bad.pp", "good.pp")
    report = json.loads(result.stdout)
    assert (result.returncode, result.stderr) == (1, "")
    assert (report["files"], report["errors"], report["warnings"]) == (2, 2, 0)
    first = report["problems"][0]
    assert (first["severity"], first["code"], first["file"]) == ("error", "SYNTAX_ERROR", "bad.pp")
    assert (first["line"], first["column"], first["end_line"]) == (1, 9, 1)
    assert first["help"] == "Put a comma after `1`."


def test_code_in_an_argument_is_checked(repl: Repl) -> None:
    assert repl("--check", "-e", "$x = 1").returncode == 0
    assert repl("--check", "-e", "$x = [1 2]").returncode == 1


def test_an_unreadable_file_does_not_stop_the_check_of_the_others(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "latin.pp").write_bytes(b"notice('\xe9')")
    write_manifests(tmp_path, bad="class {\n")
    result = repl("--check", "latin.pp", "none.pp", "bad.pp")
    assert result.returncode == 2
    assert "latin.pp: it is not UTF-8" in result.stderr
    assert "cannot read none.pp" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("3 files, 1 error in 1 file, 2 unreadable (")


def parse_options(*arguments: str) -> Options:
    """Return the options of `--check` with these arguments."""
    return parse(["--check", *arguments])


@pytest.mark.parametrize("many_files", [2, 1000])
def test_several_processes_report_the_same_as_one(
    many_files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(20):
        write_manifests(tmp_path, **{f"f{number:02}": "class {\n" if number % 3 else "class a { }\n"})
    monkeypatch.setattr(checking, "MANY_FILES", many_files)
    assert checking.check(parse_options(str(tmp_path)), Terminal()) == 1
    output = capsys.readouterr().err
    assert [line.split("/")[-1] for line in output.splitlines() if "╭╴" in line] == [
        f"f{number:02}.pp:1:7" for number in range(20) if number % 3
    ]
    assert "20 files, 13 errors in 13 files" in output


def test_a_long_check_shows_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_manifests(tmp_path, a="", b="", c="class {\n")
    monkeypatch.setattr(checking, "PROGRESS_AFTER", 0)
    monkeypatch.setattr(Terminal, "is_interactive", lambda self, *, to_stderr: True)
    checking.check(parse_options(str(tmp_path)), Terminal())
    output = capsys.readouterr().err
    assert "░ 1/3 " in output and "\r\x1b[K" in output
    assert output.index("\r\x1b[Kerror") > output.index("1/3")
    monkeypatch.setattr(Terminal, "is_interactive", lambda self, *, to_stderr: False)
    checking.check(parse_options(str(tmp_path)), Terminal())
    assert "1/3" not in capsys.readouterr().err


def test_an_endless_file_is_read_up_to_the_limit(repl: Repl) -> None:
    result = repl("--check", "/dev/zero")
    assert "cannot read /dev/zero: it has more than 64,000,000 bytes" in result.stderr
