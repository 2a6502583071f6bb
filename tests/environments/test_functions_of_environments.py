"""Functions and types of an environment outside its modules, found as in the release."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator import Session
from tests.environments.test_environments import query_release
from tests.files import write_files

FILES = {
    "environment.conf": "modulepath = modules\n",
    "modules/m/functions/f.pp": "function m::f() { plain() }\n",
    "functions/plain.pp": "function plain() { 'plain' }\n",
    "functions/h.pp": "function environment::h() { 'h' }\n",
    "types/port.pp": "type Port = Integer[1, 65535]\n",
    "types/b.pp": "type Environment::B = Integer\n",
    "lib/puppet/parser/functions/older.rb": "Puppet::Parser::Functions.newfunction(:older, :type => :rvalue)"
    " { |args| 'older' }\n",
    **{
        f"lib/puppet/functions/{name.replace('::', '/')}.rb": f"Puppet::Functions.create_function(:'{name}') do\n"
        f'  def {name.rpartition("::")[2]}(x) "{name} #{{x}}" end\nend\n'
        for name in ("environment::w", "newer", "other::o")
    },
}
IN_PUPPET = ["plain()", "m::f()", "8 =~ Port", "0 =~ Port", "environment::h()", "1 =~ Environment::B"]
IN_RUBY = ["environment::w(1)", "newer(2)", "other::o(3)", "older(4)"]


def write_orchard(root: Path, manifest: str = "") -> Path:
    """Write the environment `orchard` with a manifest into a folder and return its path."""
    return write_files(root / "orchard", {**FILES, "manifests/site.pp": manifest})


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    return write_orchard(tmp_path)


def evaluate(orchard: Path, source: str) -> str:
    """Return the value of an expression as a program logs it, or the error."""
    outcome = Session("puppet7", environment=orchard, facts={}, permissions=("ruby",)).run(
        f"notice({source})"
    )
    return outcome.logs[0].message if outcome.error is None else outcome.error.message


def test_functions_and_types_in_puppet_are_found_without_a_namespace(orchard: Path) -> None:
    assert [evaluate(orchard, source) for source in IN_PUPPET] == [
        *("plain", "plain", "true", "false"),
        *("Unknown function: 'environment::h'.", "Resource type not found: Environment::B"),
    ]


@pytest.mark.released
@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
def test_functions_in_ruby_are_found_under_the_namespace_environment_or_none(orchard: Path) -> None:
    assert [evaluate(orchard, source) for source in IN_RUBY] == [
        *("environment::w 1", "newer 2", "Unknown function: 'other::o'.", "older"),
    ]


def test_the_released_puppet_finds_the_same_functions_and_types(orchard: Path, tmp_path: Path) -> None:
    sources = [*IN_PUPPET, *IN_RUBY]
    folders = [
        write_orchard(tmp_path / str(number), f"notice({source})\n") for number, source in enumerate(sources)
    ]
    queries = [{"environment": str(folder), "node": "n", "facts": {}, "whole": True} for folder in folders]
    for source, answer in zip(sources, query_release(queries), strict=True):
        expected = (
            answer["logs"][0]["message"] if "error" not in answer else answer["error"].partition(" (file")[0]
        )
        assert evaluate(orchard, source) == expected, source
