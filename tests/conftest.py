"""Fixtures and options that all tests share. `tests/README.md` describes the folders."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from evaluator import limits
from evaluator.session import stack_threads
from puppet_kernel import process
from tests.marks import list_marks, order_for_workers

if TYPE_CHECKING:
    from puppet_kernel.shell import Shell

# An example can take long on a busy machine, so there is no deadline; separate tests measure times. `tests.campaign`
# tries far more examples of the same kinds.
settings.register_profile(
    "patient", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("brief", settings.get_profile("patient"), max_examples=30)
settings.load_profile("patient")


# A shell that starts the tests in the background ignores interrupts, and child processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The programs that tests start use this folder instead of the user's cache.
_CACHES = tempfile.TemporaryDirectory(prefix="caches")
os.environ["XDG_CACHE_HOME"] = _CACHES.name

# jsonschema, which reads notebooks, imports this package if it is installed, for a format that no notebook has. That
# takes 1.9 s of CPU time in each program that reads a notebook; the tests start twenty of them.
_ABSENT = Path(_CACHES.name) / "absent"
_ABSENT.mkdir()
(_ABSENT / "rfc3987_syntax.py").write_text("raise ImportError\n", encoding="utf-8")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ABSENT), os.environ.get("PYTHONPATH")]))

# Ruby collects garbage less often: a released Puppet with hundreds of programs takes a seventh less CPU time.
os.environ.setdefault("RUBY_GC_MALLOC_LIMIT", "128000000")
os.environ.setdefault("RUBY_GC_OLDMALLOC_LIMIT", "256000000")

# The tests own their process, as front ends do.
process.configure()

# Hundreds of tests start our programs. Without cached bytecode, which many containers switch off, each of them would
# compile everything that it imports, and so would the tests themselves, whose assertions pytest rewrites.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture
def fresh_heap() -> Iterator[None]:
    """Exclude the objects of earlier tests from garbage collection, which would take a second."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def main_stack(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let programs run in the main thread, as kernels do."""
    import resource

    former = resource.getrlimit(resource.RLIMIT_STACK)
    monkeypatch.setattr(stack_threads, "main_frames", 0)
    monkeypatch.setattr(limits, "stack_of_programs", "")
    stack_threads.use_main_thread(process.raise_stack_limit)
    if not stack_threads.main_frames:
        pytest.skip("the system does not let the stack of the main thread grow so far")
    yield
    resource.setrlimit(resource.RLIMIT_STACK, former)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the current output into the expected files")


def pytest_configure(config: pytest.Config) -> None:
    """Let tests with random inputs try fewer of them if the slow tests are deselected."""
    if "not slow" in config.option.markexpr:
        settings.load_profile("brief")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore files whose tests the marks deselect, so that no worker imports them."""
    expression = config.option.markexpr
    conditions = [] if " or " in expression else expression.split(" and ")
    return any(f"not {mark}" in conditions for mark in list_marks(collection_path)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for mark in list_marks(item.path):
            item.add_marker(mark)
    if hasattr(config, "workerinput"):
        items[:] = order_for_workers(items, config.workerinput["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable garbage collection while tests are collected, and exclude them from later ones."""
    gc.disable()
    result = yield
    gc.enable()
    gc.freeze()
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect garbage, so that pytest reports its errors, and exclude tests from now on.

    Pytest collects garbage twice more, and Python at its end: 2 s of CPU time for 21,000 tests.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Use all processors for a run of all tests, and one process for other runs.

    Starting the workers takes seconds, too long for a single test. There is one worker more than processors, since two
    workers on two processors waited a third of their time for kernels, browsers and programs that sleep.
    """
    is_whole_run = config.args == config.getini("testpaths")
    option = config.option
    is_sequential = option.maxfail or option.update or option.collectonly or option.usepdb
    if not is_whole_run or is_sequential or hasattr(config, "workerinput"):
        return
    if getattr(option, "numprocesses", 0) is None:  # xdist is installed and the user has not chosen a number
        has_affinity = hasattr(os, "sched_getaffinity")
        option.numprocesses = 1 + (len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1)
        option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hide the module of `_ABSENT` from the plugins of a worker, since nbval reads notebooks."""
    node.gateway.remote_exec("import sys; sys.modules['rfc3987_syntax'] = None").waitclose()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a worker report only results, unless durations are requested.

    Of the six messages for each test, four report that a test begins or ends, or that its fixtures have no problem. The
    terminal does not show them, and their transport takes 10 s of CPU time for 21,000 tests.
    """
    option = session.config.option
    if hasattr(session.config, "workerinput") and option.durations is None and option.xmlpath is None:
        for plugin in session.config.pluginmanager.get_plugins():
            if hasattr(plugin, "sendevent"):
                plugin.sendevent = partial(_report_result, plugin.sendevent)


def _report_result(send: Callable[..., None], name: str, **content: Any) -> None:
    """Send an event of a worker if the terminal shows it."""
    data = content.get("data", {})
    is_quiet = name == "testreport" and data["outcome"] == "passed" and data["when"] != "call"
    if not is_quiet and name not in ("logstart", "logfinish"):
        send(name, **content)


@pytest.fixture
def unhurried_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the limits of time for notes about the other dialect."""
    from evaluator.session import dialect_notes

    for name in ("QUICK_SECONDS", "LONGEST_SECONDS", "MOST_WAITING"):
        monkeypatch.setattr(dialect_notes, name, 60.0)


@pytest.fixture
def run_inputs(shell: Shell) -> Callable[..., str]:
    """Return a function that submits inputs to `shell` and returns the last output as text."""
    from puppet_kernel.rendering.text import render_plain

    def submit(*inputs: str) -> str:
        replies = [shell.submit(source) for source in inputs]
        return "" if replies[-1].element is None else render_plain(replies[-1].element)

    return submit
