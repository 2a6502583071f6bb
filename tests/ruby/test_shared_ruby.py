"""Sessions share the Ruby process of their modules, and no data."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import stat_cache
from evaluator.ruby import companion
from evaluator.ruby.companion import needs_library

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")

KEEPS = """
Puppet::Functions.create_function(:'m::keeps') do
  dispatch(:keeps) { param 'Any', :value }
  def keeps(value)
    before = [$kept, @kept, self.class.class_variable_defined?(:@@kept), Object.const_defined?(:KEPT)]
    $kept = @kept = value
    self.class.class_variable_set(:@@kept, value)
    Object.const_set(:KEPT, value)
    before
  end
end
"""
TEMPLATE = "<%= [$seen, @secret, scope['trusted']['certname']].inspect %><% $seen = @secret %>"


@pytest.fixture(autouse=True)
def no_idle_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(stat_cache, "_YOUNG", 0)
    yield
    while companion._idle:
        companion._idle.pop()[1].end()


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    for path, text in {
        "m/lib/puppet/functions/m/keeps.rb": KEEPS,
        "m/lib/puppet/functions/m/port.rb": (
            "Puppet::Functions.create_function(:'m::port') do\\n"
            "  dispatch(:port) { param 'M::Port', :value }\\n"
            "  def port(value)\\n    value + 1\\n  end\\nend\\n"
        ).replace("\\n", "\n"),
        "m/types/port.pp": "type M::Port = Integer[1, 10]",
        "m/templates/t.erb": TEMPLATE,
    }.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path


def value(modules: Path, source: str, **options: object) -> object:
    given = {"modulepath": [modules], "permissions": ("ruby", "templates"), **options}
    outcome = Session("puppet", **given).run(source)  # type: ignore[arg-type]
    return str(outcome.error) if outcome.error is not None else outcome.value


def test_a_function_finds_nothing_of_another_session(modules: Path) -> None:
    for secret in ("one", "two", "three"):
        assert value(modules, f"m::keeps('{secret}')") == [None, None, False, False]


def test_a_template_finds_nothing_of_another_session(modules: Path) -> None:
    for node in ("a", "b", "c"):
        source = f"$secret = 'of {node}' template('m/t.erb')"
        assert value(modules, source, node=node) == f'[nil, "of {node}", "{node}"]'


def test_the_process_is_the_same_and_has_the_code(modules: Path) -> None:
    value(modules, "m::keeps(1)")
    [(_, process)] = companion._idle
    value(modules, "m::keeps(2)")
    assert [known for _, known in companion._idle] == [process]
    assert list(process.prepared) == [("m::keeps", 4)]


def test_a_changed_function_is_loaded_again(modules: Path) -> None:
    path = modules / "m/lib/puppet/functions/m/port.rb"
    assert value(modules, "m::port(2)") == value(modules, "m::port(2)") == 3
    path.write_text(path.read_text().replace("value + 1", "value + 20"))
    assert value(modules, "m::port(2)") == value(modules, "m::port(2)") == 22


def test_a_signature_follows_the_types_of_the_program(modules: Path) -> None:
    assert "expects a M::Port" in str(value(modules, "m::port(11)"))
    assert "expects" in str(value(modules, "type M::Port = String\nm::port(2)"))
    (modules / "m/types/port.pp").write_text("type M::Port = Integer[1, 20]")
    assert value(modules, "m::port(11)") == 12


def test_a_function_runs_with_a_disk_cache(modules: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert value(modules, "m::port(2)", cache=str(tmp_path / "cache")) == 3


def test_code_of_other_modules_gets_another_process(modules: Path, tmp_path: Path) -> None:
    value(modules, "m::keeps(1)")
    value(modules, "m::keeps(1)")
    other = tmp_path / "other"
    shutil.copytree(modules / "m", other / "m")
    assert value(other, "m::keeps(1)") == [None, None, False, False]
    assert {process.modulepath for _, process in companion._idle} == {(str(modules),), (str(other),)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KEEPS, False),
        ("Puppet::Parser::Functions.newfunction(:a) { |x| raise Puppet::ParseError, 'no' }", False),
        ("module Puppet::Parser::Functions\n  newfunction(:a) { |x| x }\nend", False),
        ("# Puppet::Util does more\nrequire 'digest'", False),
        ("Puppet::Util::Execution.execute('x')", True),
        ("Puppet[:environment]", True),
        ("require 'puppet/util'", True),
        ("require_relative '../x'", True),
        ("function_template(['a'])", True),
        ("Facter.value(:x)", True),
    ],
)
def test_the_library_is_loaded_for_code_that_names_it(text: str, expected: bool) -> None:
    assert needs_library(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Puppet environment <%= @a %>", False),
        ("<%= scope.function_template(['a']) %><%# Puppet::Util %>", False),
        ("<% if @verify == 'require' or @verify == 'optional' %>", False),
        ("<% require 'puppet/util' %>", True),
        ("<%= Puppet::Util::Errors %>", True),
    ],
)
def test_only_the_code_of_a_template_counts(text: str, expected: bool) -> None:
    assert needs_library(text, is_template=True) == expected
