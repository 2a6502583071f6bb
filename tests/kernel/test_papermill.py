"""papermill: the values it is given become Puppet assignments."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

pytest.importorskip("papermill")

from papermill.exceptions import PapermillException

from evaluator import Session
from puppet_kernel.jupyter.papermill import PuppetTranslator

VALUES: list[Any] = [
    None,
    True,
    8080,
    1.5,
    "it's \\ $x ${y}\n\"",
    *(
        "\\",
        "a\\",
        "\\'",
        "a\\'b",
        "\\\\'",
        "'; notice(1) #",
        "\\'; notice(1) #",
        "${1 + 1}\\",
        "\0\x1b\u2028",
        '"\\"',
    ),
    {"\\": ["\\", {"'": "\\'"}]},
    [1, "a", None],
    {"a": [1], "b": {"c": False}},
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_are_written_as_literals(value: Any) -> None:
    assert Session().run(PuppetTranslator.translate(value)).value == value


@pytest.mark.parametrize(
    "name", ["x = 1 #", "x\ny", "", "1x", "x y", "$x", "X", "x-y", "x = 'a' include evil #", "é"]
)
def test_what_cannot_name_a_variable_is_refused(name: str) -> None:
    with pytest.raises(PapermillException, match="cannot be the name of a variable"):
        PuppetTranslator.codify({name: 1})


def test_a_default_that_never_ends_is_not_waited_for() -> None:
    begun = time.process_time()
    [found] = PuppetTranslator.inspect({"source": "$x = Integer[1, 1000000000000].any |$n| { false }"})
    assert (found.name, found.inferred_type_name) == ("x", "None")
    assert time.process_time() - begun < 3.0


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
