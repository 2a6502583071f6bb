"""The catalog of a notebook equals that of the released Puppet for its joined cells."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.program.source_cache import parse_bounded
from lexer_parser import PuppetError
from lexer_parser.dialect import PUPPET7
from tests.catalogs.test_catalogs import make_comparable
from tests.released import ruby_scripts
from tests.sessions import notebooks, test_fixed_points

RELEASED = Path(__file__).parent.parent / "catalogs" / "released.rb"
COUNT = int(os.environ.get("PUPPET_KERNEL_RELEASED_NOTEBOOKS", "60"))
NODE = "testnode"


def adapt_to_released(text: str) -> str:
    """Return a text for the node of the released Puppet, which has no facts."""
    return text.replace("node localhost", f"node {NODE}").replace("${facts['os']['name']}", "Debian")


def can_be_followed(text: str) -> bool:
    """Return True if the released Puppet accepts further statements after a text."""
    try:
        parse_bounded(f"{text}\nnotice('more')", PUPPET7)
    except PuppetError:
        return False
    return True


TEXTS = [
    *(text for text in map(adapt_to_released, test_fixed_points.TEXTS) if can_be_followed(text)),
    'notice("${x} and ${y}")',
    "notice('xyz' =~ /(z)/)",
    "notice($1)",
    "notify { 'value': message => Notify['a']['message'] }",
    "notify { 'tested': message => defined(Notify['b']) }",
    "notify { 'called': message => f(1) }",
]


def choose_action(chance: random.Random) -> Any:
    """Return a random action of a user; most run a cell."""
    kind = chance.choices(
        ("run", "new", "again", "forget", "undo", "redo", "stopped"), (12, 4, 2, 1, 2, 2, 1)
    )[0]
    name, text = chance.choice(notebooks.IDS), chance.choice(TEXTS)
    return {
        "run": (kind, name, text),
        "new": (kind, text),
        "again": (kind, chance.randrange(7)),
        "forget": (kind, [name]),
        "stopped": (kind, name, text, chance.randrange(1, 4000)),
    }.get(kind, (kind,))


def make_notebook(chance: random.Random) -> Session:
    """Return a session after the actions of a user."""
    session = Session("puppet7", node=NODE, facts={}, interactive=True)
    for _ in range(chance.randrange(4, 25)):
        notebooks.perform(session, choose_action(chance))
    return session


def join_cells(session: Session) -> str:
    """Return the manifest of the joined cells, without those that failed."""
    return "\n".join(cell.source for cell in session.cells if cell.outcome.error is None)


def compile_with_released(sources: list[str]) -> list[dict[str, Any]]:
    """Return the results of the released Puppet for programs, all of them in one process."""
    found: list[dict[str, Any]] = json.loads(ruby_scripts.run_script(RELEASED, json.dumps(sources)))
    return found


@pytest.mark.skipif(not ruby_scripts.is_installed(), reason="the released Puppet is not installed")
def test_a_notebook_is_the_manifest_that_its_cells_make() -> None:
    chance = random.Random(9)
    sessions = [make_notebook(chance) for _ in range(COUNT)]
    results = compile_with_released([join_cells(session) for session in sessions])
    for session, result in zip(sessions, results, strict=True):
        catalog, source, missing = session.catalog(), join_cells(session), list_pending(session)
        assert bool(missing) == ("error" in result), (source, missing, result)
        if missing:
            message = result["error"].split(" (line")[0]
            assert any(message.endswith(note) for note in missing), (source, message, missing)
            continue
        assert catalog.summary(redact=False) == result["summary"], source
        assert make_comparable(catalog.to_json(redact=False)) == make_comparable(result["catalog"]), source
    assert sum("catalog" in result for result in results) > COUNT / 3


def list_pending(session: Session) -> list[str]:
    """Return the texts of the pending notes, as errors of a whole manifest."""
    notes = [str(note).removeprefix("pending: ") for note in session.look("").pending]
    return [note.split("; did you mean")[0].split(" ([")[0] for note in notes]
