"""What all tests share: one flag that rewrites expectations."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what comes out now into the expectations")
