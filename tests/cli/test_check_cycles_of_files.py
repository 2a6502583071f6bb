"""`--check` reports dependency cycles that several files form together."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from evaluator.checking import ProgramChecks, read_text
from lexer_parser import PUPPET, parse
from lexer_parser.errors import PuppetError
from tests.cli.forking import Repl

A = "class a { file { '/x': require => File['/y'] } }\n"
B = "class b { file { '/y': require => File['/x'] } }\n"

# The files, and the file in which the cycle is reported.
CYCLES: tuple[tuple[dict[str, str], str], ...] = (
    ({"a.pp": A, "b.pp": B, "site.pp": "include a, b\n"}, "a.pp"),
    ({"a.pp": A, "b.pp": B, "site.pp": "node 'web' { include a, b }\n"}, "a.pp"),
    ({"a.pp": "class a { contain b }\n", "b.pp": "class b { Class['a'] -> notify { 'b': } }\n"}, "b.pp"),
    (
        {"a.pp": "class a { Class['b'] -> Class['a'] }\n", "b.pp": "class b { Class['a'] -> Class['b'] }\n"},
        "a.pp",
    ),
    (
        {
            "manifests/1.pp": "notify { 'a': } -> Notify['b']\n",
            "manifests/2.pp": "notify { 'b': } -> Notify['a']\n",
        },
        "manifests/1.pp",
    ),
)

NO_CYCLES: tuple[dict[str, str], ...] = (
    {"a.pp": A, "b.pp": B},  # no program evaluates both classes
    {"a.pp": A, "b.pp": B, "site.pp": "node 'x' { include a }\nnode 'y' { include b }\n"},
    # There are two classes `b`, and it is unknown which of them is included.
    {
        "a.pp": A,
        "b.pp": B,
        "other.pp": "class b { }\n",
        "site.pp": "include a, b\n",
    },
    {"a.pp": "notify { 'a': } -> Notify['b']\n", "b.pp": "notify { 'b': } -> Notify['a']\n"},  # two programs
    {"a.pp": "class a { include b }\n", "b.pp": "class b { notify { 'b': } }\n", "c.pp": "include a\n"},
)


def write_files(folder: Path, files: dict[str, str]) -> list[str]:
    """Write files and return their paths."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return [str(folder / name) for name in files]


def check_files(paths: list[str], share: slice = slice(None)) -> ProgramChecks:
    """Return the checks after each file of a share was checked without a problem."""
    checks = ProgramChecks([("file", path) for path in paths], read_text, dict)
    for path in paths[share]:
        assert checks.check(parse(read_text(path), name=path, dialect=PUPPET), PUPPET, path) == []
    return checks


def find_cycles(checks: ProgramChecks) -> list[tuple[str, PuppetError]]:
    """Return the cycles of several files, each with the name of the file that is reported."""
    return list(checks.find_joint_cycles())


@pytest.mark.parametrize(("files", "where"), CYCLES)
def test_a_cycle_of_several_files_is_reported_once(tmp_path: Path, files: dict[str, str], where: str) -> None:
    ((name, problem),) = find_cycles(check_files(write_files(tmp_path, files)))
    assert (name, problem.code) == (str(tmp_path / where), "DEPENDENCY_CYCLE")
    assert problem.span is not None and problem.span.source.name == name


@pytest.mark.parametrize("files", NO_CYCLES)
def test_an_uncertain_cycle_is_not_reported(tmp_path: Path, files: dict[str, str]) -> None:
    assert find_cycles(check_files(write_files(tmp_path, files))) == []


def test_a_cycle_of_one_file_is_not_reported_again(tmp_path: Path) -> None:
    paths = write_files(
        tmp_path, {"a.pp": "class a { Notify['x'] -> Notify['y'] -> Notify['x'] }\n", "b.pp": "include a\n"}
    )
    checks = ProgramChecks([("file", path) for path in paths], read_text, dict)
    problems = [
        checks.check(parse(read_text(path), name=path, dialect=PUPPET), PUPPET, path) for path in paths
    ]
    assert [[problem.error.code for problem in of_file] for of_file in problems] == [["DEPENDENCY_CYCLE"], []]
    assert find_cycles(checks) == []


def test_checks_of_several_processes_are_combined(tmp_path: Path) -> None:
    files, where = CYCLES[0]
    paths = write_files(tmp_path, files)
    first, second = check_files(paths, slice(1)), check_files(paths, slice(1, None))
    first.orders |= pickle.loads(pickle.dumps(second.orders))
    assert [name for name, _ in find_cycles(first)] == [str(tmp_path / where)]


def test_the_command_reports_a_cycle_of_several_files(repl: Repl, tmp_path: Path) -> None:
    write_files(tmp_path, CYCLES[0][0])
    assert repl("--check", "a.pp").returncode == 0
    result = repl("--check", "--dialect", "puppet", "a.pp", "b.pp", "site.pp")
    assert result.returncode == 1
    assert result.stderr.count("error[DEPENDENCY_CYCLE]") == 1
    assert "a.pp:1:24" in result.stderr and "b.pp:1:24" in result.stderr
    assert "3 files, 1 error in 1 file" in result.stderr
    result = repl("--check", "--json", "a.pp", "b.pp", "site.pp")
    report = json.loads(result.stdout)
    assert (report["errors"], report["warnings"], report["problems"][0]["file"]) == (0, 1, "a.pp")
