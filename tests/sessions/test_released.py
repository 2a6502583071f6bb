"""The catalog of a notebook is the one that the released Puppet compiles from its cells joined in order."""

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
from tests.catalogs.test_catalogs import comparable
from tests.released import asking
from tests.sessions import notebooks, test_settling

RELEASED = Path(__file__).parent.parent / "catalogs" / "released.rb"
COUNT = int(os.environ.get("PUPPET_KERNEL_RELEASED_NOTEBOOKS", "60"))
NODE = "testnode"


def _asked(text: str) -> str:
    """A text for the node that the released Puppet compiles for, which has no facts."""
    return text.replace("node localhost", f"node {NODE}").replace("${facts['os']['name']}", "Debian")


def _stands_alone(text: str) -> bool:
    """True for a text that the released Puppet reads with others behind it: no value in it is lost."""
    try:
        parse_bounded(f"{text}\nnotice('more')", PUPPET7)
    except PuppetError:
        return False
    return True


TEXTS = [
    *(text for text in map(_asked, test_settling.TEXTS) if _stands_alone(text)),
    'notice("${x} and ${y}")',
    "notice('xyz' =~ /(z)/)",
    "notice($1)",
    "notify { 'value': message => Notify['a']['message'] }",
    "notify { 'tested': message => defined(Notify['b']) }",
    "notify { 'called': message => f(1) }",
]


def operation(chance: random.Random) -> Any:
    """Perform actions of a user, mostly running cells."""
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


def notebook(chance: random.Random) -> Session:
    """Return a session after the actions of a user."""
    session = Session("puppet7", node=NODE, facts={}, interactive=True)
    for _ in range(chance.randrange(4, 25)):
        notebooks.do(session, operation(chance))
    return session


def joined(session: Session) -> str:
    """The manifest that the cells make, but for those that give nothing but their error."""
    return "\n".join(cell.source for cell in session.cells if cell.outcome.error is None)


def answers(sources: list[str]) -> list[dict[str, Any]]:
    """Return the results of the released Puppet for programs, all of them in one process."""
    found: list[dict[str, Any]] = json.loads(asking.run_script(RELEASED, json.dumps(sources)))
    return found


@pytest.mark.skipif(not asking.is_installed(), reason="the released Puppet is not installed")
def test_a_notebook_is_the_manifest_that_its_cells_make() -> None:
    chance = random.Random(9)
    sessions = [notebook(chance) for _ in range(COUNT)]
    told = answers([joined(session) for session in sessions])
    for session, theirs in zip(sessions, told, strict=True):
        catalog, source, missing = session.catalog(), joined(session), still_missing(session)
        assert bool(missing) == ("error" in theirs), (source, missing, theirs)
        if missing:
            message = theirs["error"].split(" (line")[0]
            assert any(message.endswith(note) for note in missing), (source, message, missing)
            continue
        assert catalog.summary(redact=False) == theirs["summary"], source
        assert comparable(catalog.to_json(redact=False)) == comparable(theirs["catalog"]), source
    assert sum("catalog" in theirs for theirs in told) > COUNT / 3


def still_missing(session: Session) -> list[str]:
    """Return what is pending, in the words of the error that it is for a whole manifest."""
    notes = [str(note).removeprefix("pending: ") for note in session.look("").pending]
    return [note.split("; did you mean")[0].split(" ([")[0] for note in notes]
