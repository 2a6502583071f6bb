"""What all tests share: a flag that rewrites expectations, and on how many processors they run.

The folders:

benchmarks    speed beside the released Puppet (run by hand)
browser       JupyterLab in Chromium
catalogs      programs and their catalogs
cli           the command without a terminal
commands      % commands and questions
completion    completion and inspection
console       the prompt in a terminal
conversions   values made from others
debugging     programs that are stopped and looked at
deployments   scripts for servers of notebooks (run by hand)
differential  random programs beside the released Puppet
environments  control repositories, node by node
errors        what is said about mistakes, word for word
exercises     lessons, their checks and the reference
facts         sets of facts
fleet         one program for many nodes
functions     built-in functions
fuzzing       random inputs for the front end
hiera         lookups in data
kernel        the protocol of Jupyter
language      chunks of Puppet, case by case
mistakes      beginner's mistakes and their help
operators     values under operators
parsing       the parser and its tables
printing      source laid out
pyodide       the evaluator in a browser
real          real modules beside the released Puppet
released      what the scripts that run the released Puppet share
reliability   limits, interrupts, hostile programs
rendering     what a person sees
ruby          Ruby code of modules
safety        what a program may not reach
sessions      cells, undo, running again
types         types and their values
validation    mistakes found before running
values        regexps, formats, times, versions
"""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from puppet_kernel import process

if TYPE_CHECKING:
    from puppet_kernel.shell import Shell

# On a busy machine an example takes long that takes no time elsewhere; what may not take long has a test.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


# A shell that starts the tests in the background has interrupts ignored, and what it starts inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What programs started by tests keep in the user's cache, they keep here.
_CACHES = tempfile.TemporaryDirectory(prefix="caches")
os.environ["XDG_CACHE_HOME"] = _CACHES.name

# The tests run in a process of their own, as front ends do.
process.configure()

# Hundreds of tests start our programs. Where Python is told to keep no bytecode, as in many containers, each of them
# would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture
def fresh_heap() -> Iterator[None]:
    """For tests that count seconds: what other tests keep is not looked through for garbage, which takes a second."""
    gc.freeze()
    yield
    gc.unfreeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what comes out now into the expectations")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole run uses all processors; a part of it, or one that stops at the first failure, only this process.

    Starting workers costs seconds, which a person who runs one test, or looks for a failure, would wait for.
    """
    whole = config.args == config.getini("testpaths")
    option = config.option
    sequential = option.maxfail or option.update or option.collectonly or option.usepdb
    if not whole or sequential or hasattr(config, "workerinput"):
        return
    if getattr(option, "numprocesses", 0) is None:  # xdist is there, and the person has not told how many
        option.numprocesses = (
            len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        )
        option.dist = "worksteal"


@pytest.fixture
def say(shell: Shell) -> Callable[..., str]:
    """`say(input)` submits inputs to the test's `shell`, one after the other, and gives what the last one shows."""
    from puppet_kernel.rendering.text import plain

    def submit(*inputs: str) -> str:
        replies = [shell.submit(source) for source in inputs]
        return "" if replies[-1].element is None else plain(replies[-1].element)

    return submit
