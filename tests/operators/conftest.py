"""Operators of both dialects, acting on a host that remembers."""

from __future__ import annotations

import pytest

from evaluator.issues import ISSUES
from evaluator.operators import Operators
from lexer_parser.dialect import PUPPET, SPEC


class Host:
    """What operators act upon, without a program."""

    def __init__(self) -> None:
        self.match = None
        self.warnings: list[str] = []

    def warn(self, code, operand=None, **arguments):
        self.warnings.append(ISSUES.rows[code].template.format(**arguments))

    def resource_parameters(self, reference, names):
        return [f"{reference} {name}" for name in names]


@pytest.fixture
def host():
    return Host()


@pytest.fixture
def puppet(host):
    return Operators(PUPPET, host)


@pytest.fixture
def spec(host):
    return Operators(SPEC, host)


@pytest.fixture(params=[PUPPET, SPEC], ids=["puppet", "spec"])
def operators(request, host):
    return Operators(request.param, host)


@pytest.fixture
def deep():
    """Makes nested arrays of any depth; Python's recursion limit is raised, as evaluation does in its thread."""
    import sys

    def nested(depth: int):
        value = 1
        for _ in range(depth):
            value = [value]
        return value

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    yield nested
    sys.setrecursionlimit(limit)
