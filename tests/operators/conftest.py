"""Operators of both dialects, and a context that records their warnings."""

from __future__ import annotations

import pytest

from evaluator.issues import format_message
from evaluator.operators import Operators
from lexer_parser.dialect import PUPPET, SPEC


class Context:
    """A context of operators without a program; it records the warnings."""

    def __init__(self) -> None:
        self.match = None
        self.warnings: list[str] = []

    def warn(self, code, operand=None, **arguments):
        self.warnings.append(format_message(code, arguments))


@pytest.fixture
def context():
    return Context()


@pytest.fixture
def puppet(context):
    return Operators(PUPPET, context)


@pytest.fixture
def spec(context):
    return Operators(SPEC, context)


@pytest.fixture(params=[PUPPET, SPEC], ids=["puppet", "spec"])
def operators(request, context):
    return Operators(request.param, context)
