"""Objects of Ruby in attributes become strings, with a warning or an error as in the releases."""

from __future__ import annotations

import shutil

import pytest

from evaluator import Session
from tests.ruby.ours import MODULES

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")

OBJECT = "kit::giving('range')"
PROGRAM = f"notify {{ 'x': message => [{OBJECT}, {{ 'k' => {OBJECT} }}], withpath => {OBJECT} }}"
# Puppet 7 appends each path to the one before.
PLACES = {
    "puppet": ("['message'][0]", "['message'][1]['k']", "['withpath']"),
    "puppet7": (
        "['message'][0]",
        "['message'][0]['message'][1]['k']",
        "['message'][0]['message'][1]['k']['withpath']",
    ),
}


@pytest.mark.parametrize("dialect", PLACES)
def test_objects_in_attributes(dialect: str) -> None:
    words = "contains a Range value. It will be converted to the String '1..3'"
    due = [f"Notify[x]{place} {words}" for place in PLACES[dialect]]
    lenient = Session(dialect, modulepath=[MODULES], permissions=["ruby"], strict="warning").run(PROGRAM)
    assert lenient.error is None and [line.message for line in lenient.logs] == due
    strict = Session(dialect, modulepath=[MODULES], permissions=["ruby"], strict="error").run(PROGRAM)
    assert strict.error is not None and strict.error.message == due[0]
