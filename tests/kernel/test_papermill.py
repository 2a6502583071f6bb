"""papermill: the values it is given become Puppet assignments."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("papermill")

from evaluator import Session
from puppet_kernel.jupyter.papermill import PuppetTranslator

VALUES: list[Any] = [
    None,
    True,
    8080,
    1.5,
    "it's \\ $x ${y}\n\"",
    [1, "a", None],
    {"a": [1], "b": {"c": False}},
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_are_written_as_literals(value: Any) -> None:
    assert Session().run(PuppetTranslator.translate(value)).value == value


def test_parameters_are_assignments_below_a_comment() -> None:
    assert (
        PuppetTranslator.codify({"port": 80, "name_of": "x"}) == "# Parameters\n$port = 80\n$name_of = 'x'\n"
    )


def test_a_cell_tells_its_parameters() -> None:
    found = PuppetTranslator.inspect({"source": "# before\n$port = 80 # where it listens\n$on = true\n"})
    assert [(one.name, one.default, one.help) for one in found] == [
        ("port", "80", "where it listens"),
        ("on", "true", ""),
    ]


def test_the_installed_package_registers_it() -> None:
    code = (
        "import papermill.engines\nfrom papermill.translators import papermill_translators as known\n"
        "print(known.find_translator('puppet', 'puppet').__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "PuppetTranslator"
