"""Cells that a front end sends together run in the order of the document, whatever ran before."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from uuid import uuid4

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, KernelAndClient, Outputs, execute, send_code, wait_for_signals

FORMER_CELLS: list[str] = []  # The identities of all cells of former notebooks.


class Notebook:
    """A front end that sends cells, single or several at once, and applies messages to the outputs."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.cells: dict[str, str] = {}
        self.outputs = Outputs()
        self._deleted: list[str] = []
        self._prefix = uuid4().hex  # No two notebooks share a cell.

    def insert(self, index: int, name: str, code: str) -> None:
        """Insert a cell at a position of the document."""
        cells = list(self.cells.items())
        cells.insert(index, (name, code))
        self.cells = dict(cells)

    def delete(self, name: str) -> None:
        """Delete a cell; as in JupyterLab, the next request reports it to the kernel."""
        del self.cells[name]
        self.outputs.by_cell.pop(name, None)
        self._deleted.append(name)

    def run(
        self, *names: str, interrupt: Callable[[], None] | None = None, stops_on_error: bool = False
    ) -> None:
        """Send cells together and wait until the kernel is idle after all of them.

        The kernel combines the cells that wait when it starts the first of them. So that all of them wait, it is kept
        busy while several are sent.

        Args:
            interrupt: A function that interrupts the kernel after the cells were sent.
            stops_on_error: True if an error ends the run, as in JupyterLab.
        """
        waiting: dict[str, str] = {}
        if len(names) > 1 and interrupt is None:
            busy = {"busy": "Integer[1, 3000000].each |$i| { }"}
            self.client.execute("", silent=True, user_expressions=busy)
        for name in names:
            deleted = [self._prefix + cell for cell in self._deleted]
            metadata = {"cellId": self._prefix + name, "deletedCells": deleted}
            self._deleted = []
            self.outputs.by_cell[name] = []
            FORMER_CELLS.append(self._prefix + name)
            identity = send_code(self.client, self.cells[name], metadata, stop_on_error=stops_on_error)
            waiting[identity] = name
        if interrupt is not None:
            interrupt()
        while waiting:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            parent = message["parent_header"].get("msg_id")
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                waiting.pop(parent, None)
            elif parent in waiting:
                self.outputs.apply(waiting[parent], message)
        if interrupt is not None:
            wait_for_signals(self.client)

    def run_all(self, *, stops_on_error: bool = False) -> dict[str, str]:
        """Send all cells together and return the output of each.

        Args:
            stops_on_error: See `run`.
        """
        self.run(*self.cells, stops_on_error=stops_on_error)
        return {name: self.render_output(name) for name in self.cells}

    def render_output(self, name: str) -> str:
        """Return the output of a cell without execution counts and times."""
        return self.outputs.render(name).replace(self._prefix, "")


@pytest.fixture
def notebook(client: BlockingKernelClient) -> Notebook:
    """Return a notebook on a new session."""
    return make_notebook(client)


def make_notebook(client: BlockingKernelClient) -> Notebook:
    """Return a notebook on a new session."""
    start_session(client)
    return Notebook(client)


def start_session(client: BlockingKernelClient) -> None:
    """Start a new session, in which the cells of former notebooks and their settings are deleted."""
    metadata = {"cellId": f"last-{uuid4().hex}", "deletedCells": list(FORMER_CELLS)}
    execute(client, "1", metadata)
    FORMER_CELLS.clear()
    FORMER_CELLS.append(metadata["cellId"])
    client.execute_interactive(
        "%reset", store_history=False, timeout=TIMEOUT, output_hook=lambda message: None
    )


def test_run_all_adopts_the_order_of_the_document(notebook: Notebook) -> None:
    notebook.cells = {"a": "$x = 1", "b": "$y = $x", "c": "[$x, $y]"}
    notebook.run_all()
    notebook.insert(0, "new", "$w = 5")
    notebook.cells["a"] = "$x = $w"
    assert "[5, 5]" in notebook.run_all()["c"]


def test_the_cells_below_read_a_cell_inserted_above(notebook: Notebook) -> None:
    notebook.cells = {"b": "f(2)"}
    notebook.run("b")
    notebook.insert(0, "new", "function f($n) { $n * 2 }")
    notebook.run("new")
    notebook.run("b")
    output = notebook.render_output("b")
    assert "4" in output and "now: it defines the function f" in output


def test_a_name_that_stays_unknown_is_reported_with_its_cell(notebook: Notebook) -> None:
    notebook.cells = {"b": "$x = f(1)", "c": "$y = $x function f($n) { $n }"}
    notebook.run("b")
    notebook.run("c")
    notebook.cells["b"] = "$x = f(1) fail('no')"
    notebook.run("b")
    assert "the function f is defined in" in notebook.render_output("b")


@pytest.mark.parametrize(
    ("stops_on_error", "expected"), [(False, "[1, undef, 3]"), (True, "[1, undef, undef]")]
)
def test_a_failed_run_all_discards_the_former_version_of_the_failed_cell(
    notebook: Notebook, stops_on_error: bool, expected: str
) -> None:
    """Cells below the failed one have not run if the error ends the run."""
    notebook.cells = {"a": "$x = 1", "b": "$y = 2", "c": "$z = 3"}
    notebook.run_all()
    notebook.cells["b"] = "fail('no')"
    outputs = notebook.run_all(stops_on_error=stops_on_error)
    assert "former version" not in outputs["b"]
    notebook.insert(3, "d", "[$x, $y, $z]")
    notebook.run("d")
    assert expected in notebook.render_output("d")


def test_cells_that_run_together_adopt_the_order_of_the_document(notebook: Notebook) -> None:
    notebook.cells = {"a": "$x = 1", "b": "$y = $x", "c": "1 + 1", "d": "2 + 2"}
    notebook.run_all()
    notebook.cells = {name: notebook.cells[name] for name in "bcda"}
    notebook.run("d", "a")
    notebook.insert(4, "e", "[$x, $y]")
    notebook.run("e")
    assert "[1, undef]" in notebook.render_output("e")


def test_the_cells_below_those_sent_together_run_again(notebook: Notebook) -> None:
    notebook.cells = {"a": "$x = 1", "b": "$y = $x", "c": "[$x, $y]"}
    notebook.run_all()
    notebook.cells["a"] = "$x = 5"
    notebook.run("a", "b")
    assert "[5, 5]" in notebook.render_output("c")


def test_run_all_omits_a_deleted_cell_that_undo_restored(notebook: Notebook) -> None:
    notebook.cells = {"a": "$x = 1", "b": "[$x, 2]"}
    notebook.run_all()
    notebook.delete("a")
    notebook.insert(0, "u", "%undo")
    notebook.run("u")
    assert "undone" in notebook.render_output("u")
    notebook.run("b")
    assert "[1, 2]" in notebook.render_output("b")
    outputs = notebook.run_all()
    assert "There is nothing to undo" in outputs["u"] and "[undef, 2]" in outputs["b"]


def test_the_code_of_a_cell_that_becomes_a_command_is_removed_during_run_all(notebook: Notebook) -> None:
    notebook.cells = {"a": "notify { 'a': }"}
    notebook.run("a")
    notebook.insert(0, "new", "$x = 1")
    notebook.cells["a"] = "%vars"
    notebook.insert(2, "last", "%catalog")
    outputs = notebook.run_all()
    assert "$x  1" in outputs["a"] and "The catalog is empty" in outputs["last"]


def test_the_first_cell_runs_again_if_the_others_arrive_later(notebook: Notebook) -> None:
    notebook.cells = {"a": "$x = 1", "b": "$y = 2"}
    notebook.run_all()
    notebook.insert(0, "new", "$later = $y notice('once') Integer[1, 2000000].each |$i| { }")
    notebook.run("new", "a", "b")
    assert notebook.render_output("new").count("once") == 1
    notebook.insert(3, "d", "[$later, $y]")
    notebook.run("d")
    assert "[undef, 2]" in notebook.render_output("d")


def test_cells_that_follow_a_reset_run_as_in_a_new_session(notebook: Notebook) -> None:
    notebook.cells = {"a": "%reset", "b": "$x = 2", "c": "%node web01"}
    notebook.run_all()
    notebook.cells = {"a": "%reset", "b": "$x = 2", "r": "%reset", "c": "1 +", "u": "%undo"}
    outputs = notebook.run_all()
    assert "SYNTAX_ERROR" in outputs["c"]
    new_notebook = make_notebook(notebook.client)
    new_notebook.cells = notebook.cells
    assert outputs == new_notebook.run_all()


SOURCES = [
    "$x = 1",
    "$x = 2",
    "$y = $x",
    "[$x, $y]",
    "$z = 3",
    "notify { 'a': message => \"${x}\" }",
    "notify { 'b': require => Notify['a'] }",
    "function f($n) { [$n, 1] }",
    "f($x)",
    "class c { notify { 'of c': } }",
    "include c",
    "fail('no')",
    "1 +",
    "%catalog",
    "%vars",
    "%undo",
    "%node web01",
    "$trusted['certname']",
    "%reset",
    "",
]


@pytest.mark.parametrize("seed", range(int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "12"))))
def test_run_all_after_any_history_has_the_outputs_of_a_new_session(
    kernel: KernelAndClient, seed: int
) -> None:
    manager, client = kernel
    chance = random.Random(seed)

    def interrupt() -> None:
        time.sleep(chance.choice((0, 0.001, 0.003, 0.01)))
        manager.interrupt_kernel()

    notebook = make_notebook(client)
    for step in range(chance.randint(3, 14)):
        action, names = chance.random(), list(notebook.cells)
        if not names or action < 0.4:
            notebook.insert(chance.randint(0, len(names)), f"{seed}-{step}", chance.choice(SOURCES))
        elif action < 0.55:
            notebook.cells[chance.choice(names)] = chance.choice(SOURCES)
        elif action < 0.62:
            notebook.delete(chance.choice(names))
        elif action < 0.85:
            notebook.run(chance.choice(names))
        elif action < 0.9:
            notebook.run(*names[chance.randrange(len(names)) :], interrupt=interrupt)
        elif action < 0.92:
            start_session(client)
        else:
            start_at = chance.randrange(len(names))
            notebook.run(*names[start_at:])
    if len(notebook.cells) > 1:  # A single cell is like one that a user runs.
        outputs = notebook.run_all()
        assert outputs[next(iter(notebook.cells))] != "[]" or not next(iter(notebook.cells.values()))
        new_notebook = make_notebook(client)
        new_notebook.cells = notebook.cells
        assert outputs == new_notebook.run_all()


def test_a_new_command_reports_no_change_of_cells_below_that_are_sent_with_it(notebook: Notebook) -> None:
    notebook.cells = {"a": "notify { 'a': }", "b": "%node web01"}
    notebook.run("b")
    notebook.run("a")
    notebook.cells = {"first": "%catalog", "new": "%node web01", **notebook.cells}
    output = notebook.run_all()["new"]
    assert "nothing to run again" in output and "notify" not in output
