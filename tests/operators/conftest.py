"""Operators of both dialects, acting on a host that remembers."""

from __future__ import annotations

import sys
import threading

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
def deeply():
    """Runs a function where evaluation runs: in a thread with a big stack and a raised recursion limit."""

    def run(function):
        failures = []

        def body():
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(100_000)
            try:
                function()
            except BaseException as failure:
                failures.append(failure)
            finally:
                sys.setrecursionlimit(limit)

        size = threading.stack_size(512 * 1024 * 1024)
        try:
            thread = threading.Thread(target=body)
            thread.start()
            thread.join()
        finally:
            threading.stack_size(size)
        if failures:
            raise failures[0]

    return run
