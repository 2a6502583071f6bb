"""Operators of both dialects, acting on a host that remembers."""

from __future__ import annotations

import pytest

from evaluator.issues import format_message
from evaluator.operators import Operators
from lexer_parser.dialect import PUPPET, SPEC


class Host:
    """The context that operators act upon, without a program."""

    def __init__(self) -> None:
        self.match = None
        self.warnings: list[str] = []

    def warn(self, code, operand=None, **arguments):
        self.warnings.append(format_message(code, arguments))


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
