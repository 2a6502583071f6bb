"""Generated files are up to date, and `.gitattributes` marks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import regenerate
from tests.regenerate import GENERATORS
from tests.structure import ROOT

# These run all programs that they show, or compute the tables of both grammars.
SLOW = ("parse-tables", "reference", "specification")
CODE = ("parse-tables", "function-index", "methods")


def mark_slow(names: Iterable[str]) -> list[Any]:
    """Return names of generators as parameters of a test, with slow ones marked."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names]


@pytest.mark.parametrize("name", mark_slow(GENERATORS))
def test_generated_files_are_up_to_date(name: str) -> None:
    assert list(regenerate.find_stale(name)) == [], f"run python -m tests.regenerate {name}"


def test_a_stale_file_is_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def render() -> Iterator[tuple[Path, str]]:
        yield tmp_path / "table.py", "new\n"

    monkeypatch.setattr(regenerate, "ROOT", tmp_path)
    monkeypatch.setattr(regenerate, "GENERATORS", {"table": (render, None)})
    (tmp_path / "table.py").write_text("old\n")
    assert regenerate.main(["--check"]) == 1
    assert (tmp_path / "table.py").read_text() == "old\n"
    assert regenerate.main(["table"]) == 0
    assert (tmp_path / "table.py").read_text() == "new\n"
    assert regenerate.main(["--check"]) == 0
    assert capsys.readouterr().out == "table.py\ntable.py\n"


def test_an_unknown_generator_is_refused() -> None:
    with pytest.raises(SystemExit):
        regenerate.main(["tables"])


@pytest.mark.parametrize("name", mark_slow(CODE))
def test_generated_code_is_marked_for_diffs(name: str) -> None:
    marked = {
        line.split()[0]
        for line in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
        if "linguist-generated" in line
    }
    assert {str(path.relative_to(ROOT)) for path in regenerate.render_files(name)} <= marked
