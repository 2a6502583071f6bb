"""What all tests share: a flag that rewrites expectations, and on how many processors they run.

benchmarks    speed beside the released Puppet (run by hand)    language      chunks of Puppet, case by case
catalogs      programs and their catalogs                        operators     values under operators
cli           the command without a terminal                     parsing       the parser and its tables
commands      % commands and questions                           printing      source laid out
completion    completion and inspection                          reliability   limits, interrupts, hostile programs
console       the prompt in a terminal                           rendering     what a person sees
conversions   values made from others                            sessions      cells, undo, running again
differential  random programs beside the released Puppet         types         types and their values
errors        what is said about mistakes, word for word         validation    mistakes found before running
functions     built-in functions                                 values        regexps, formats, times, versions
fuzzing       random inputs for the front end                    kernel        the protocol of Jupyter
hiera         lookups in data
"""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what comes out now into the expectations")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """All processors for the whole run; none but this process for a part of it, or to stop at the first failure.

    Starting workers costs seconds, which a person who runs one test, or looks for a failure, would wait for.
    """
    whole = config.args in (config.getini("testpaths"), [str(config.rootpath)], ["."])
    if not whole or config.getoption("maxfail") or config.getoption("update"):
        return 0
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
