"""Functions and types that an environment has beside its modules: found under names of no module, as released."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator import Session
from tests.environments.test_environments import ask_release

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
PLAIN = ["plain()", "m::f()", "8 =~ Port", "0 =~ Port", "environment::h()", "1 =~ Environment::B"]
IN_RUBY = ["environment::w(1)", "newer(2)", "other::o(3)", "older(4)"]


def planted(root: Path, manifest: str = "") -> Path:
    """The environment `orchard` in a folder, with that manifest."""
    for name, text in {**FILES, "manifests/site.pp": manifest}.items():
        file = root / "orchard" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root / "orchard"


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    return planted(tmp_path)


def found(orchard: Path, source: str) -> str:
    """The value of an expression as a program logs it, or the error."""
    outcome = Session("puppet7", environment=orchard, facts={}, permissions=("ruby",)).run(
        f"notice({source})"
    )
    return outcome.logs[0].message if outcome.error is None else outcome.error.message


def test_what_is_written_in_puppet(orchard: Path) -> None:
    assert [found(orchard, source) for source in PLAIN] == [
        *("plain", "plain", "true", "false"),
        *("Unknown function: 'environment::h'.", "Resource type not found: Environment::B"),
    ]


@pytest.mark.released
@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
def test_what_is_written_in_ruby(orchard: Path) -> None:
    assert [found(orchard, source) for source in IN_RUBY] == [
        *("environment::w 1", "newer 2", "Unknown function: 'other::o'.", "older"),
    ]


def test_the_released_puppet_finds_the_same(orchard: Path, tmp_path: Path) -> None:
    sources = [*PLAIN, *IN_RUBY]
    planted_there = [
        planted(tmp_path / str(number), f"notice({one})\n") for number, one in enumerate(sources)
    ]
    questions = [{"environment": str(one), "node": "n", "facts": {}, "whole": True} for one in planted_there]
    for source, told in zip(sources, ask_release(questions), strict=True):
        due = told["logs"][0]["message"] if "error" not in told else told["error"].partition(" (file")[0]
        assert found(orchard, source) == due, source
