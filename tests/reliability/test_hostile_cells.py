"""A sample of the hostile cells through a real kernel; `python -m tests.reliability.hostile_cells` runs all."""

from __future__ import annotations

import pytest

from tests.reliability.hostile_cells import KERNELS, QUESTIONS, campaign, cells


def test_there_are_enough() -> None:
    assert len(list(cells())) + len(QUESTIONS) >= 250


@pytest.mark.parametrize(("place", "dialect"), [*enumerate(KERNELS)])
def test_a_sample(place: int, dialect: str) -> None:
    assert campaign(dialect, 8, patience=0.5, place=place).wrong == []
