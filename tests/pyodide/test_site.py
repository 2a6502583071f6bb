"""The files of a site, and the messages for wrong arguments of its command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_kernel.cli.options import UsageError
from puppet_kernel.site import CODE, NEEDED, NOTEBOOKS, STATIC, build, find_packages, iterate_code, main

WHEEL = "regex-1.whl"


@pytest.fixture
def distribution(tmp_path: Path) -> Path:
    """Return a folder like a distribution of Pyodide without packages."""
    for name in NEEDED:
        (tmp_path / name).write_text("")
    lock = {"packages": {"regex": {"name": "regex", "file_name": WHEEL}}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "the folder for the site is missing"),
        (["out", "more"], "unknown argument more"),
        (["out", "--pyodide"], "unknown argument --pyodide"),
        (["--help"], "unknown argument --help"),
    ],
)
def test_wrong_arguments_are_reported(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert expected in capsys.readouterr().err


def test_packages_of_a_distribution_are_found_if_present(distribution: Path) -> None:
    assert find_packages(distribution) == []
    (distribution / WHEEL).write_text("")
    assert find_packages(distribution) == ["regex"]
    (distribution / NEEDED[0]).unlink()
    with pytest.raises(UsageError, match=f"there is no {NEEDED[0]}"):
        find_packages(distribution)


def test_a_site_with_missing_parts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda name: None)
        with pytest.raises(UsageError, match=r"pip install 'puppet-kernel\[site\]'"):
            build(tmp_path / "out")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    with pytest.raises(UsageError, match="no notebooks"):
        build(tmp_path / "out", notebooks=tmp_path)
    with pytest.raises(UsageError, match="is not a distribution of Pyodide"):
        build(tmp_path / "out", pyodide=tmp_path)
    assert not (tmp_path / "out").exists()


def test_the_archive_has_the_code_that_a_kernel_needs() -> None:
    paths = {path.as_posix() for _, path in iterate_code()}
    assert {"evaluator/session/session.py", "puppet_kernel/browser/worker.py", "yaml/loader.py"} <= paths
    assert not any(f"/{name}/" in path for path in paths for name in ("__pycache__", *sum(CODE.values(), ())))
    assert not any(path.endswith((".so", ".pyc", ".js")) for path in paths)
    assert (STATIC / "extension.js").is_file() and NOTEBOOKS.is_dir()
