"""Errors name their cause: too many processes, the node of a fleet, a folder with files of others."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from evaluator import Session
from evaluator.program import companions
from evaluator.session import stack_threads
from puppet_kernel import site
from puppet_kernel.cli.options import UsageError
from puppet_kernel.rendering.fleets import _format_cell


def refuse(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_too_many_processes_are_not_reported_as_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(interactive=True)
    assert session.run("$before = 1").error is None
    monkeypatch.setattr(stack_threads, "_waiting", None)
    with monkeypatch.context() as patched:
        patched.setattr("_thread.start_new_thread", refuse)
        error = session.run("$x = 1").error
        assert error is not None and error.code == "PROCESS_LIMIT"
        patched.setattr(stack_threads, "mmap", lambda *_: (_ for _ in ()).throw(OSError()))
        error = session.run("$x = 1").error
        assert error is not None and error.code == "MEMORY_REFUSED"
    assert session.run("[$before, 2]").text == "[1, 2]"


def test_a_process_that_cannot_be_started_is_reported_with_the_reason() -> None:
    for number, code in ((errno.EAGAIN, "PROCESS_LIMIT"), (errno.EACCES, "GENERATOR_NOT_RUN")):
        refusal = OSError(number, os.strerror(number))
        with mock.patch.object(companions, "CompanionProcess", side_effect=refusal):
            found = Session(permissions=["generate"]).run("generate('/bin/echo')").error
        assert found is not None and found.code == code and os.strerror(number) in found.message


def test_a_process_that_ends_during_its_start_has_its_status() -> None:
    with companions.CompanionProcess(["/bin/sh", "-c", "echo output; exit 3"]) as program:
        while program.child.poll() is None:  # as sending it a signal does
            time.sleep(0.001)
        assert b"".join(program.chunks()) == b"output\n"
        assert program.status() == 3


def test_a_fleet_whose_facts_cannot_be_sent_names_the_node() -> None:
    session = Session()
    session.run("notify { $facts['a']: }")
    facts: dict[str, dict[str, Any]] = {f"n{number}": {"a": "x"} for number in range(12)}
    facts["n7"]["lock"] = threading.Lock()
    fleet = session.fleet(facts)
    assert [node for node, _ in fleet.errors.items()] == ["n7"]
    assert "n7: TypeError: cannot pickle" in str(fleet.errors["n7"]) and len(fleet.catalogs) == 11


class GoneExecutor(Executor):
    """An executor that runs a few calls, and then fails."""

    def __init__(self, calls: int, ending: type[BaseException]) -> None:
        self.calls = calls
        self.ending = ending

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls -= 1
        if self.calls >= 0:
            future.set_result(function(*arguments, **named))
        elif self.ending is CancelledError:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            raise self.ending("the scheduler is gone")
        return future


@pytest.mark.parametrize("ending", [CancelledError, RuntimeError])
@pytest.mark.parametrize("calls", [0, 1])
def test_no_result_is_lost_when_a_scheduler_fails(calls: int, ending: type[BaseException]) -> None:
    session = Session()
    session.run("notify { $facts['a']: }")
    facts = {f"n{number}": {"a": f"x{number}"} for number in range(12)}
    fleet = session.fleet(facts, GoneExecutor(calls, ending))
    assert not fleet.errors and len(fleet.catalogs) == 12


FORMULAS = (
    *(
        "=1+1",
        " =1",
        "\t=1",
        "\ufeff=1",
        "\u200b=1",
        "a;=cmd()",
        "a,=1",
        "a|@x",
        "a\t+1",
        "\ufeffa",
        'x;"=1"',
        "\0=1",
        "a,\x85\u200e+1",
        "＝1",
    ),
)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_cell_that_a_spreadsheet_could_evaluate_is_quoted(text: str) -> None:
    assert _format_cell(text) != text and str(_format_cell(text)).startswith('"')


@pytest.mark.parametrize("text", ["a", "1", "-1.5", "+2e3", "a=b", "a - b", "x; y", ""])
def test_other_cells_are_not_quoted(text: str) -> None:
    assert _format_cell(text) == text


@pytest.mark.parametrize("form", ["pp:percent", "pp:light"])
def test_the_title_of_a_cell_stays_in_its_comment(form: str) -> None:
    jupytext, nbformat = pytest.importorskip("jupytext"), pytest.importorskip("nbformat")
    import puppet_kernel.jupyter.percent  # noqa: F401  # which adds manifests to jupytext

    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell("$a = 1", metadata={"title": "x\nnotify { 'out': }\r\ny"}),
        nbformat.v4.new_code_cell("$b = 1", metadata={"title": "x", "region_name": "r\nnotify { 'out': }"}),
    ]
    lines = jupytext.writes(notebook, fmt=form).splitlines()
    assert [line for line in lines if line.strip() and not line.startswith("#")] == ["$a = 1", "$b = 1"]
    assert notebook.cells[0].metadata["title"].count("\n") == 2


def test_a_site_does_not_replace_the_files_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jupyterlite_core")
    (tmp_path / ".git").mkdir()
    assert site.main([str(tmp_path)]) == 2
    assert "contains files that this program did not create" in capsys.readouterr().err
    assert (tmp_path / ".git").is_dir()


def test_a_site_in_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file", "file/out"):
        with pytest.raises(UsageError, match=r"cannot write .*: (File exists|Not a directory)"):
            site.prepare_folder(tmp_path / name)
    site.prepare_folder(tmp_path / "new" / "out")
    site.prepare_folder(tmp_path / "new" / "out")


def test_a_site_is_not_replaced_if_files_were_added(tmp_path: Path) -> None:
    out, first, second = (tmp_path / name for name in ("out", "first", "second"))
    for folder, name in ((first, "old.html"), (second, "new.html")):
        (folder / "lab").mkdir(parents=True)
        (folder / "lab" / name).write_text(name)
    site.replace_site(out, first)
    site.replace_site(out, second)
    assert {path.name for path in out.rglob("*")} == {"lab", "new.html", site.LIST_NAME}
    (out / ".git").mkdir()
    with pytest.raises(
        UsageError, match=r"contains files that this program did not create, for example \.git"
    ):
        site.replace_site(out, first)
    assert (out / ".git").is_dir() and (out / "lab" / "new.html").exists()


def test_a_site_is_replaced_only_within_its_folder(tmp_path: Path) -> None:
    """The list of created files may come with the folder, from somebody else."""
    out, site_folder, kept = (tmp_path / name for name in ("out", "site", "kept"))
    for folder in (out, site_folder, kept):
        folder.mkdir()
        (folder / "index.html").write_text(folder.name)
    (out / "link").symlink_to(kept)
    names = [
        "../kept/index.html",
        str(kept / "index.html"),
        "link/index.html",
        "link",
        "index.html",
        "\0",
        "..",
    ]
    (out / site.LIST_NAME).write_bytes("\n".join(names).encode() + b"\n\xff")
    site.replace_site(out, site_folder)
    assert (kept / "index.html").read_text() == "kept"
    assert (out / "index.html").read_text() == "site" and not (out / "link").exists()


def test_an_error_is_shown_where_its_help_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUPPET_KERNEL_DEBUG", raising=False)
    monkeypatch.setitem(sys.modules, "evaluator.help", None)  # its import fails, as it does without memory
    error = Session().run("$x = 1\n1 / 0").error
    assert error is not None and str(error) == "Division by 0 (line: 2, column: 5)"


def test_the_values_of_a_program_are_freed_before_its_error_is_explained() -> None:
    def fail() -> None:
        value = Value()
        references.append(weakref.ref(value))
        raise MemoryError

    class Value:
        pass

    references: list[weakref.ref[Value]] = []
    with pytest.raises(MemoryError) as caught:
        fail()
    assert references[0]() is not None
    stack_threads.clear_frames(caught.value)
    assert references[0]() is None
