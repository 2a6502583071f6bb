"""A notebook with its displayed outputs, which are redrawn when another cell changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.session.cell import Entry
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell


class Notebook:
    """A shell whose first cells are named a, b, c …

    Args:
        sources: The code of the first cells.
        keeps_numbers: True if a cell that runs again keeps its number, so that outputs can be compared.
        settings: The arguments of the session.

    Attributes:
        outputs: The output of each cell below its log lines.
        updated: The other cells that the last input changed.
        logs: The log lines of each cell, as its last run wrote them.
        inputs: For each input, the name of the cell, its code, and the cells that were sent together with it.
        runs: The number of the last input.
    """

    def __init__(self, *sources: str, keeps_numbers: bool = False, **settings: Any) -> None:
        self.shell = Shell(settings)
        self.shell.on_log = lambda line: self._lines.append(line.message)
        self.outputs: dict[str, str] = {}
        self.updated: list[str | None] = []
        self.logs: dict[str, list[str]] = {}
        self.inputs: list[tuple[str, ...]] = []
        self.runs = 0
        self._numbers: dict[str, int] | None = {} if keeps_numbers else None
        self._lines: list[str] = []
        for name, source in zip("abcdefgh", sources, strict=False):
            self.run(name, source)

    def run(self, name: str, source: str, sent: tuple[str, ...] = ()) -> str:
        """Run a cell, redraw other cells, and return the output of the cell.

        Args:
            sent: The cells that the front end sent together with it.
        """
        self.runs += 1
        self.inputs.append((name, source, *sent))
        self._lines = []
        number = (
            self.runs if self._numbers is None else self._numbers.setdefault(name, len(self._numbers) + 1)
        )
        reply = self.shell.submit_and_render(source, lambda reply: reply, name, number, sent)
        self.outputs[name] = render_reply(reply)
        self.logs[name] = self._lines
        self.updated = [entry.cell_id for entry in reply.updated]
        self._redraw(reply.updated)
        return self.outputs[name]

    def run_cells(self, cells: Mapping[str, str], *, together: bool = False) -> list[str]:
        """Run cells in order and return their outputs.

        Args:
            together: True if the front end sends them together, as *Run All* does.
        """
        names = tuple(cells) if together else ()
        return [self.run(name, source, names) for name, source in cells.items()]

    def forget(self, name: str) -> None:
        """Delete a cell."""
        self.inputs.append(("deleted", name))
        self._redraw(self.shell.forget([name]))

    def get_display(self, name: str) -> str:
        """Return the log lines and the output of a cell."""
        return "\n".join([*self.logs.get(name, ()), self.outputs.get(name, "")])

    def _redraw(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            shown = self.shell.show_outcome(entry.outcome, entry.cell_id)
            self.outputs[entry.cell_id or ""] = "" if shown is None else render_plain(shown)
            self.logs[entry.cell_id or ""] = [line.message for line in entry.outcome.logs]

    @property
    def states(self) -> str:
        """The states of the cells, as `%cells` lists them at the end."""
        self.shell.session.enter("end", is_command=True)
        return " ".join(state or "ok" for _, state in self.shell.session.list_cells("end"))


def render_reply(reply: Reply) -> str:
    """Return the output of a reply as text."""
    return "" if reply.element is None else render_plain(reply.element)
