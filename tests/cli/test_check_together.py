"""`--check`: cycles that several files make together."""

from __future__ import annotations

import json
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.checking import ProgramChecks, read_text
from lexer_parser import PUPPET, parse
from lexer_parser.errors import PuppetError

Repl = Callable[..., subprocess.CompletedProcess[str]]
A = "class a { file { '/x': require => File['/y'] } }\n"
B = "class b { file { '/y': require => File['/x'] } }\n"

# the files, and the file in which the cycle is told
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
    {"a.pp": A, "b.pp": B},  # nothing evaluates both
    {"a.pp": A, "b.pp": B, "site.pp": "node 'x' { include a }\nnode 'y' { include b }\n"},
    {
        "a.pp": A,
        "b.pp": B,
        "other.pp": "class b { }\n",
        "site.pp": "include a, b\n",
    },  # which `b` is not known
    {"a.pp": "notify { 'a': } -> Notify['b']\n", "b.pp": "notify { 'b': } -> Notify['a']\n"},  # two programs
    {"a.pp": "class a { include b }\n", "b.pp": "class b { notify { 'b': } }\n", "c.pp": "include a\n"},
)


def written(folder: Path, files: dict[str, str]) -> list[str]:
    """Write files and return their paths."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return [str(folder / name) for name in files]


def checked(paths: list[str], share: slice = slice(None)) -> ProgramChecks:
    """The checks of files, after each, or each of a share, was checked alone and nothing was found."""
    checks = ProgramChecks([("file", path) for path in paths], read_text, dict)
    for path in paths[share]:
        assert checks.check(parse(read_text(path), name=path, dialect=PUPPET), PUPPET, path) == []
    return checks


def cycles(checks: ProgramChecks) -> list[tuple[str, PuppetError]]:
    return list(checks.find_joint_cycles())


@pytest.mark.parametrize(("files", "where"), CYCLES)
def test_a_cycle_over_files_is_told_once(tmp_path: Path, files: dict[str, str], where: str) -> None:
    ((name, problem),) = cycles(checked(written(tmp_path, files)))
    assert (name, problem.code) == (str(tmp_path / where), "DEPENDENCY_CYCLE")
    assert problem.span is not None and problem.span.source.name == name


@pytest.mark.parametrize("files", NO_CYCLES)
def test_what_is_not_certain_is_not_told(tmp_path: Path, files: dict[str, str]) -> None:
    assert cycles(checked(written(tmp_path, files))) == []


def test_a_cycle_of_one_file_is_not_told_again(tmp_path: Path) -> None:
    paths = written(
        tmp_path, {"a.pp": "class a { Notify['x'] -> Notify['y'] -> Notify['x'] }\n", "b.pp": "include a\n"}
    )
    checks = ProgramChecks([("file", path) for path in paths], read_text, dict)
    found = [checks.check(parse(read_text(path), name=path, dialect=PUPPET), PUPPET, path) for path in paths]
    assert [[one.error.code for one in each] for each in found] == [["DEPENDENCY_CYCLE"], []]
    assert cycles(checks) == []


def test_processes_tell_each_other_what_they_read(tmp_path: Path) -> None:
    files, where = CYCLES[0]
    paths = written(tmp_path, files)
    first, second = checked(paths, slice(1)), checked(paths, slice(1, None))
    first.orders |= pickle.loads(pickle.dumps(second.orders))
    assert [name for name, _ in cycles(first)] == [str(tmp_path / where)]


def test_the_command_tells_it(repl: Repl, tmp_path: Path) -> None:
    written(tmp_path, CYCLES[0][0])
    assert repl("--check", "a.pp").returncode == 0
    result = repl("--check", "--dialect", "puppet", "a.pp", "b.pp", "site.pp")
    assert result.returncode == 1
    assert result.stderr.count("error[DEPENDENCY_CYCLE]") == 1
    assert "a.pp:1:24" in result.stderr and "b.pp:1:24" in result.stderr
    assert "3 files, 1 error in 1 file" in result.stderr
    result = repl("--check", "--json", "a.pp", "b.pp", "site.pp")
    answer = json.loads(result.stdout)
    assert (answer["errors"], answer["warnings"], answer["problems"][0]["file"]) == (0, 1, "a.pp")
