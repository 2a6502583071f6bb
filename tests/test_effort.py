"""Bounds of CPU time fail only for actions that take too long in each run."""

from __future__ import annotations

import pytest

from tests import effort


def test_an_action_beyond_its_bound_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "measure_slowness", lambda: 2.0)
    ticks = iter([0.0, 1.9, 2.0])
    assert effort.run_within(1.0, lambda: "result", clock=lambda: next(ticks)) == "result"
    assert next(ticks) == 2.0, "one run is enough"
    with pytest.raises(AssertionError, match=r"took 5\.00, 5\.00 s of CPU, at most 1\.0 are due"):
        clock = iter([0.0, 5.0, 5.0, 10.0])
        effort.run_within(1.0, lambda: None, tries=2, clock=lambda: next(clock))
    assert effort.exceeds(2.1, 1.0) and not effort.exceeds(1.9, 1.0)


def test_the_result_of_the_last_run_is_returned() -> None:
    clock, results = iter([0.0, 1e9, 1e9, 1e9 + 0.1]), iter(["first", "second"])
    assert effort.run_within(1.0, lambda: next(results), clock=lambda: next(clock)) == "second"
