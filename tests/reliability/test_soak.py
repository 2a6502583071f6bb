"""A share of what `python -m tests.reliability.soak` does, and some of the faults of `tests.reliability.faults`."""

from __future__ import annotations

import pytest

from tests.reliability import faults
from tests.reliability.soak import soaked


def test_a_share() -> None:
    assert soaked(0.02) == []


@pytest.mark.parametrize("scene", faults.SCENES)
def test_faults(scene: str) -> None:
    assert faults.campaign(scene, 7, 700, 41) == []


def test_a_fault_is_a_fault() -> None:
    """Counted events happen, and failures are reported."""
    count, what, wrong = faults.played("session", 0, "EIO")
    assert count > 100 and not what and wrong == []
    assert faults.played("session", 3, "EIO")[1]
