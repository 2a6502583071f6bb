"""A sample of the hostile cells through a real kernel; `python -m tests.reliability.hostile_cells` runs all."""

from __future__ import annotations

import pytest

from tests.reliability.hostile_cells import HELP_REQUESTS, KERNELS, list_cells, run_cells


def test_there_are_enough_cells() -> None:
    assert len(list(list_cells())) + len(HELP_REQUESTS) >= 250


@pytest.mark.parametrize(("sample", "dialect"), [*enumerate(KERNELS)])
def test_a_sample_of_hostile_cells(sample: int, dialect: str) -> None:
    assert run_cells(dialect, 8, patience=0.5, sample=sample).violations == []
