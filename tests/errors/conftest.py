"""Each `*.txt` of this folder is a program with a slip and, below a line `---`, what is said about it.

`pytest tests/errors --update` writes what is said now; review the difference.
"""

from __future__ import annotations

from contextlib import suppress

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    with suppress(ValueError):  # another folder of the same run has it too
        parser.addoption("--update", action="store_true", help="write what is said now into the files")
