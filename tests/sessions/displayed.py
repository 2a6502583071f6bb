"""A notebook as its user sees it: what each cell displays, redrawn when another cell changes it."""

from __future__ import annotations

from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell


class Notebook:
    """A shell whose cells are named a, b, c … in the order in which they first run."""

    def __init__(self, *sources: str) -> None:
        self.shell = Shell({})
        self.shown: dict[str, str] = {}
        self.runs = 0
        for name, source in zip("abcdefgh", sources, strict=False):
            self.run(name, source)

    def run(self, name: str, source: str) -> str:
        """Run a cell and return what it shows; other cells are redrawn."""
        self.runs += 1
        reply = self.shell.submit(source, name, self.runs)
        self.shown[name] = text_of(reply)
        for entry in reply.updated:
            found = self.shell.show_outcome(entry.outcome, entry.cell_id)
            self.shown[entry.cell_id or ""] = "" if found is None else render_plain(found)
        return self.shown[name]

    @property
    def states(self) -> str:
        """The states of the cells, as `%cells` lists them at the end."""
        self.shell.session.enter("end", is_command=True)
        found = " ".join(state or "ok" for _, state in self.shell.session.list_cells("end"))
        return found


def text_of(reply: Reply) -> str:
    return "" if reply.element is None else render_plain(reply.element)
