"""A share of the load of `tests.reliability.soak`, and some of the faults of `tests.reliability.faults`."""

from __future__ import annotations

import pytest

from tests.reliability import faults
from tests.reliability.soak import run_soak


def test_a_kernel_survives_a_share_of_the_load() -> None:
    assert run_soak(0.02) == []


@pytest.mark.parametrize("scene", faults.SCENES)
def test_a_scene_survives_faults(scene: str) -> None:
    assert faults.campaign(scene, 7, 700, 41) == []


def test_faults_are_counted_and_reported() -> None:
    """Operations are counted, and the operation that failed is reported."""
    count, operation, violations = faults.run_with_fault("session", 0, "EIO")
    assert count > 100 and not operation and violations == []
    assert faults.run_with_fault("session", 3, "EIO")[1]
