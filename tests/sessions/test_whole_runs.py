"""Run All has the outputs of a new session, whatever the user did before."""

from __future__ import annotations

import os
from random import Random

import pytest
from displayed import Notebook

from tests.sessions import notebooks

EXAMPLES = int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "24"))
COMMANDS = [
    *("%undo", "%redo", "%reset", "%vars x", "%catalog", "%facts debian-12", "%facts rocky-9", "%node web01"),
    *(
        "%dialect puppet",
        "%dialect spec",
        "%facts family",
        "$x = 5\n%undo",
        "%freeze",
        "%freeze off",
        "%stale",
    ),
    *(
        "%stale off",
        "%why Notify['a'] message",
        "?join",
        "%nothing",
        "%graph",
        "%exported",
        "%limits max_resources 3",
    ),
]


class Document:
    """A notebook in a front end: cells in the order of the document.

    Args:
        sources: The identity and the code of each cell.
        number: The number of the next input.
    """

    def __init__(self, sources: dict[str, str], number: int = 0) -> None:
        self.sources = dict(sources)
        self.notebook = Notebook()
        self.notebook.runs = number

    def run(self, name: str, sent: tuple[str, ...] = ()) -> None:
        """Run a cell."""
        self.notebook.run(name, self.sources[name], sent)

    def run_cells(self, names: list[str]) -> None:
        """Run several cells that the front end sends together."""
        for name in names:
            self.run(name, tuple(names) if len(names) > 1 else ())

    def take_step(self, chance: Random) -> None:
        """Take one step of a user."""
        names = list(self.sources)
        match chance.choice(
            ("run", "run", "edit", "edit", "insert", "delete", "above", "below", "all", "restart")
        ):
            case "run":
                self.run(chance.choice(names))
            case "edit":
                name = chance.choice(names)
                self.sources[name] = make_source(chance)
                self.run(name)
            case "insert":
                name, index = f"new{len(names)}-{chance.random()}", chance.randrange(len(names) + 1)
                pairs = list(self.sources.items())
                self.sources = dict([*pairs[:index], (name, make_source(chance)), *pairs[index:]])
                self.run(name)
            case "delete" if len(names) > 2:
                name = chance.choice(names)
                del self.sources[name]
                self.notebook.forget(name)
            case "above":
                self.run_cells(names[: chance.randrange(len(names) + 1)])
            case "below":
                self.run_cells(names[chance.randrange(len(names)) :])
            case "all":
                self.run_cells(names)
            case "restart":
                self.notebook = Notebook()


def make_source(chance: Random) -> str:
    """Return the code of a random cell."""
    return chance.choice(COMMANDS if chance.random() < 0.2 else notebooks.TEXTS)


def find_difference(seed: int) -> str:
    """Return the differences of Run All after a random history from that of a new session; "" for none."""
    chance = Random(seed)
    document = Document({str(number): make_source(chance) for number in range(chance.randrange(2, 7))})
    for _ in range(chance.randrange(1, 9)):
        document.take_step(chance)
    number = document.notebook.runs
    document.run_cells(list(document.sources))
    fresh = Document(document.sources, number)
    fresh.run_cells(list(document.sources))
    different = [
        f"{name} {document.sources[name]!r}:\n{document.notebook.get_display(name)}\nin a new session:\n"
        f"{fresh.notebook.get_display(name)}"
        for name in document.sources
        if document.notebook.get_display(name) != fresh.notebook.get_display(name)
    ]
    return "\n".join([f"seed {seed}", *different, *map(repr, document.notebook.inputs)]) if different else ""


@pytest.mark.parametrize("start", range(0, EXAMPLES, 20))
@pytest.mark.usefixtures("unhurried_notes")
def test_run_all_shows_what_a_new_session_shows(start: int) -> None:
    differences = [difference for seed in range(start, start + 20) if (difference := find_difference(seed))]
    assert not differences, "\n\n".join(differences[:3])
