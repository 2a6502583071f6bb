"""The search for defects with random cases: its parts, its seed, and its report."""

from __future__ import annotations

from collections.abc import Generator
from itertools import islice
from pathlib import Path

import pytest

from tests import campaign
from tests.structure import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", campaign.PARTS)
def test_each_part_runs_without_defects(name: str) -> None:
    assert campaign.search(name, 26, 0.5) == []


def test_the_same_seed_generates_the_same_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzzing.properties.find_violations", lambda case: iter([case.source]))
    first, same, other = ([*islice(campaign.search_inputs(seed), 20)] for seed in (1, 1, 2))
    assert first == same != other


def test_a_defect_is_reported_with_its_case(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def part(seed: int) -> Generator[str, None, None]:
        yield ""
        yield f"a defect of seed {seed}"
        raise ValueError("unexpected")

    monkeypatch.setattr(campaign, "PARTS", {"one": part, "none": lambda seed: (_ for _ in iter(str, None))})
    monkeypatch.setattr("sys.argv", ["campaign", "--minutes", "0.001", "--seed", "5"])
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(ROOT))
    assert campaign.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "python -m tests.campaign --minutes 0.001 --seed 5"
    assert lines[1:3] == ["one: a defect of seed 5", "one: ValueError: unexpected"]
    assert lines[-1] == "2 defects in one, none"


def test_the_workflows_run_the_campaign() -> None:
    assert "python -m tests.campaign --minutes 3 --seed " in Path(ROOT, ".ci", "run").read_text()
    workflow = Path(ROOT, ".github", "workflows", "campaign.yml").read_text()
    assert "cron:" in workflow and "python -m tests.campaign --minutes 60" in workflow
