"""Parameters that papermill writes, passes on its command line, and injects into a notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from kernels import run_module
from nbformat.v4 import new_code_cell, new_notebook

from tests.effort import run_within

pytest.importorskip("papermill")

from papermill.exceptions import PapermillException

from evaluator import Session
from puppet_kernel.jupyter.papermill import PuppetTranslator
from puppet_kernel.jupyter.parameters import find_replacement, is_injected

DEFAULTS = "$port = 80 # where it listens\n$next = $port + 1\n$who = 'x'"
NAMES = "[$port, $next, $who, $extra]"


def rewrite_defaults(defaults: str, code: str) -> str | None:
    """Return the source of the cell with the defaults, with the values of the code; None if there is none."""
    replacement = find_replacement(code, [SimpleNamespace(source=defaults)], "spec")
    return replacement and replacement.source


@pytest.mark.parametrize(
    ("defaults", "code", "expected"),
    [
        ("$a = 1", "$a = 2", "$a = 2"),
        ("$a = 1 # one\n$b = 2", "$b = [3,\n 4]", "$a = 1 # one\n$b = [3,\n 4]"),
        ("$a = (1 + 2) * -3;\nnotice($a)", "$a = 2", "$a = 2;\nnotice($a)"),
        ("$a = { 'x' => [1] } $b = 1", "$b = 2 $a = 3", "$a = 3 $b = 2"),
        ("$a = @(END)\n  text\n  | END\n$b = 1", "$a = 'x'", "$a = 'x'$b = 1"),
        ("$a = 1", "$a = @(END)\n  text\n  | END\n", "$a = @(END)\n  text\n  | END\n"),
        ("$a = 1", "$a = 2\n$new = 3", "$a = 2\n$new = 3"),
        ("if true { $a = 1 }\n$b = $a", "$b = 2", "if true { $a = 1 }\n$b = 2"),
        # A cell that does not define the variables, or that is more than assignments, is not changed.
        ("notice($a)", "$a = 2", None),
        ("$a += 1", "$a = 2", None),
        ("[$a, $b] = [1, 2]", "$a = 2", None),
        ("$a = 1", "$a = 2\nnotice($a)", None),
        ("$a = 1", "$a = ", None),
        ("$a = 1", "# Parameters", None),
    ],
)
def test_values_replace_defaults(defaults: str, code: str, expected: str | None) -> None:
    assert rewrite_defaults(defaults, code) == expected


def test_rewritten_defaults_run() -> None:
    source = rewrite_defaults(
        '$a = @(END) # c\n  text\n  | END\n$b = "<${a}>"\n$b', '$a = @("E")\n  1${x}\n  | E\n'
    )
    assert source is not None
    session = Session()
    session.run("$x = 5")
    assert session.run(source).value == "<15\n>"


@pytest.mark.parametrize(
    ("code", "tags", "expected"),
    [
        ("# Parameters\n$a = 1", None, True),
        ("$a = 1", ["injected-parameters"], True),
        ("$a = 1", ["parameters"], False),
        ("$a = 1", "injected-parameters", False),
        ("# Parameters of it\n$a = 1", None, False),
    ],
)
def test_injected_parameters_are_recognized(code: str, tags: Any, expected: bool) -> None:
    assert is_injected(code, tags) is expected


VALUES: list[Any] = [
    *(None, True, 8080, 1.5, -0.25, 1e300, -1.5e16, 5e-324),
    *("it's \\ $x ${y}\n\"", "\\", "a\\", "\\'", "a\\'b", "\\\\'", "'; notice(1) #", "\\'; notice(1) #"),
    *("${1 + 1}\\", "\0\x1b\u2028", '"\\"'),
    *({"\\": ["\\", {"'": "\\'"}]}, [1, "a", None], {"a": [1], "b": {"c": False}}),
]


@pytest.mark.parametrize("value", VALUES, ids=ascii)
def test_values_are_written_as_literals(value: Any) -> None:
    assert Session().run(PuppetTranslator.translate(value)).value == value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}], ids=str)
def test_values_that_are_not_numbers_are_refused(value: Any) -> None:
    with pytest.raises(PapermillException, match="is not a number in Puppet"):
        PuppetTranslator.translate(value)


@pytest.mark.parametrize(
    "name", ["x = 1 #", "x\ny", "", "1x", "x y", "$x", "X", "x-y", "x = 'a' include evil #", "é"]
)
def test_invalid_names_of_variables_are_refused(name: str) -> None:
    with pytest.raises(PapermillException, match="cannot be the name of a variable"):
        PuppetTranslator.codify({name: 1})


def test_an_endless_default_is_stopped() -> None:
    source = "$x = Integer[1, 1000000000000].any |$n| { false }"
    [parameter] = run_within(3, lambda: PuppetTranslator.inspect({"source": source}), tries=1)
    assert (parameter.name, parameter.inferred_type_name) == ("x", "None")


def test_parameters_are_assignments_below_a_comment() -> None:
    assert (
        PuppetTranslator.codify({"port": 80, "name_of": "x"}) == "# Parameters\n$port = 80\n$name_of = 'x'\n"
    )


def test_the_installed_package_registers_the_translator() -> None:
    code = (
        "import papermill.engines\nfrom papermill.translators import papermill_translators as known\n"
        "print(known.find_translator('puppet', 'puppet').__name__)"
    )
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "PuppetTranslator"


def test_the_parameters_of_a_cell_have_types_values_and_descriptions() -> None:
    parameters = "$list = [1,\n  2] # of numbers\n$on = true\n$size = 1.5\n$sum = $list + 1"
    source = f"%facts debian-12\n# before\n{parameters}\nnotice(1)"
    assert [tuple(one) for one in PuppetTranslator.inspect({"source": source})] == [
        ("list", "Array", "[1,\n  2]", "of numbers"),
        ("on", "Boolean", "true", ""),
        ("size", "Float", "1.5", ""),
        ("sum", "None", "$list + 1", ""),
    ]
    assert PuppetTranslator.inspect({"source": "$a = = 1"}) == []


def make_tagged_cell(source: str, *tags: str) -> Any:
    """Return a code cell with tags."""
    return new_code_cell(source, metadata={"tags": list(tags)})


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    """Return the path of a notebook with a cell of parameters and a cell that displays them."""
    cells = [make_tagged_cell(DEFAULTS, "parameters"), make_tagged_cell(NAMES)]
    path = tmp_path / "in.ipynb"
    metadata = {"kernelspec": {"name": "puppet", "language": "puppet", "display_name": "Puppet"}}
    nbformat.write(new_notebook(cells=cells, metadata=metadata), path)
    return path


@pytest.mark.parametrize("kernel_name", ["puppet", "puppet-released"])
def test_papermill_runs_a_notebook_with_parameters(notebook: Path, kernel_name: str) -> None:
    values = "{port: 8080, extra: {a: [1, 2.5, null, true], \"it's\": 'no\"'}}"
    process = run_module(
        notebook.parent, "papermill", "in.ipynb", "out.ipynb", "-k", kernel_name, "-y", values
    )
    assert process.returncode == 0, process.stderr
    cells = nbformat.read(notebook.parent / "out.ipynb", 4).cells
    expected = "[8080, 8081, 'x', {'a' => [1, 2.5, undef, true], 'it\\'s' => 'no\"'}]"
    assert [output["data"]["text/plain"] for output in cells[2].outputs] == [expected]
    assert cells[1].metadata.tags == ["injected-parameters"]
    assert cells[1].outputs[0]["data"]["text/plain"].startswith("in [1] now: $port, $extra\n")


def test_papermill_lists_the_parameters_of_a_notebook(notebook: Path) -> None:
    process = run_module(notebook.parent, "papermill", "--help-notebook", "in.ipynb")
    assert "port: Integer (default 80)" in process.stdout
    assert "where it listens" in process.stdout
