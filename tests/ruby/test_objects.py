"""Objects that programs and Ruby pass to each other have the results of the releases."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator import Session
from tests.ruby.project import MODULES

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")

OBJECT = "kit::giving('range')"
PROGRAM = f"notify {{ 'x': message => [{OBJECT}, {{ 'k' => {OBJECT} }}], withpath => {OBJECT} }}"
# Puppet 7 appends each path to the one before.
PATHS = {
    "puppet": ("['message'][0]", "['message'][1]['k']", "['withpath']"),
    "puppet7": (
        "['message'][0]",
        "['message'][0]['message'][1]['k']",
        "['message'][0]['message'][1]['k']['withpath']",
    ),
}


@pytest.mark.parametrize("dialect", PATHS)
def test_an_object_of_ruby_in_an_attribute_is_converted_with_a_warning(dialect: str) -> None:
    message = "contains a Range value. It will be converted to the String '1..3'"
    expected = [f"Notify[x]{path} {message}" for path in PATHS[dialect]]
    lenient = Session(dialect, modulepath=[MODULES], permissions=["ruby"], strict="warning").run(PROGRAM)
    assert lenient.error is None and [line.message for line in lenient.logs] == expected
    strict = Session(dialect, modulepath=[MODULES], permissions=["ruby"], strict="error").run(PROGRAM)
    assert strict.error is not None and strict.error.message == expected[0]


def test_a_function_in_ruby_iterates_over_an_iterator_as_an_array(tmp_path: Path) -> None:
    file = tmp_path / "m" / "lib" / "puppet" / "functions" / "m" / "f.rb"
    file.parent.mkdir(parents=True)
    file.write_text("Puppet::Functions.create_function(:'m::f') { def f(x) x.map { |v| v * 2 } end }")
    session = Session("puppet", modulepath=[tmp_path], permissions=["ruby"])
    assert session.run("m::f([1, 2, 3].reverse_each)").value == [6, 4, 2]
    assert "limit" in str(session.run("m::f(Integer[1, 1000000000].reverse_each)").error)
