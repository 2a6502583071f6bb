"""Sessions share the Ruby process of their modules, and no data."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import stat_cache
from evaluator.ruby import callbacks, companion
from evaluator.ruby.analysis import is_isolated, needs_library

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
    outcome = Session("puppet7", **given).run(source)  # type: ignore[arg-type]
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


def test_isolated_code_of_all_sessions_runs_in_one_process(modules: Path) -> None:
    (modules / "m/templates/list.erb").write_text(
        "<% @list << 'more' %><%= [$$, *@list, @other].join(' ') %>"
    )
    found = {value(modules, f"$list = ['of {node}'] template('m/list.erb')") for node in "abc"}
    assert len(found) == 3
    assert len({str(text).split()[0] for text in found}) == 1
    assert {str(text).partition(" ")[2] for text in found} == {f"of {node} more " for node in "abc"}


def test_isolated_code_keeps_no_variable_of_another_session(modules: Path) -> None:
    (modules / "m/templates/all.erb").write_text("<%= scope.to_hash.keys.grep(/secret/).inspect %>")
    assert value(modules, "$secret_a = 1 template('m/all.erb')") == '["secret_a"]'
    assert value(modules, "template('m/all.erb')") == "[]"
    assert value(modules, "inline_template('<% print 1 %>')") == ""
    logs = (
        Session("puppet", modulepath=[modules], permissions=("templates",))
        .run("inline_template('<% puts 2 %>')")
        .logs
    )
    assert [line.message for line in logs] == ["2"]


@pytest.mark.parametrize("call", ["function_template([name])", "call_function('template', [name])"])
def test_a_nested_template_defines_methods_for_the_outer_one(modules: Path, call: str) -> None:
    (modules / "m/templates/methods.erb").write_text("<% def twice(x) 2 * x end %>")
    (modules / "m/templates/outer.erb").write_text(
        f"<% name = 'm/methods.erb'; scope.{call} %><%= twice(21) %>"
    )
    assert [value(modules, "template('m/outer.erb')") for _ in range(2)] == ["42", "42"]


def test_a_template_gets_the_variables_that_it_names(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    handler = callbacks.HANDLERS["variable"]

    def variable(running: companion.RubyCompanion, query: dict[str, object]) -> object:
        asked.append(str(query["name"]))
        return handler(running, query)

    monkeypatch.setitem(callbacks.HANDLERS, "variable", variable)
    text = (
        "<%= scope['a'] + scope.lookupvar('::b') + scope['a' + ''] %><% scope['a'] << 'x' %><%= scope['a'] %>"
    )
    (modules / "m/templates/named.erb").write_text(text)
    assert value(modules, "$a = 'A' $b = 'B' template('m/named.erb')") == "ABAA"
    assert asked == []
    text = "<% scope.setvar('c', 1) %><%= scope['c'] %><%= scope['nothing'].inspect %>"
    assert value(modules, f'inline_template("{text}")', strict_variables=False, strict="off") == "1nil"


@pytest.mark.parametrize(
    "code",
    [
        "@list.map { |x| x.to_s.upcase }.join(', ')",
        "scope['a::b'].is_a?(Hash) && scope.lookupvar('::x') != :undef",
        "'$HOME @@x `ls` eval' + \"#{@a} $b\"  # send",
        "require 'json'; JSON.pretty_generate(@a)",
        "@include.each { |include| include }",
        "value.class.name",
    ],
)
def test_plain_code_is_isolated(code: str) -> None:
    assert is_isolated(f"<%= {code} %>", is_template=True)
    assert not is_isolated(code)  # as a file it creates no function


@pytest.mark.parametrize(
    "code",
    [
        *(
            "$x = 1",
            "$, = ' '",
            "@@x",
            "X = 1",
            "`ls`",
            "%x(ls)",
            "def X.x; end",
            "class X; end",
            "module X; end",
        ),
        *(
            "String.class_eval { }",
            "x.class.define_method(:a) { }",
            "x.send(:y)",
            "eval(x)",
            "binding",
            "fork { }",
        ),
        *(
            "x.instance_variable_set(:@a, 1)",
            "x.singleton_class",
            "File.write('a', x)",
            "ENV['A']",
            "ObjectSpace",
        ),
        *(
            '"#{$x = 1}"',
            "scope['x'] = 1",
            "scope.setvar('x', 1)",
            "Puppet::Util",
            "load 'x'",
            "Array.freeze",
        ),
        *("JSON.state = 1", "srand(1)", "trap('INT') { }", "require 'puppet'", "alias a b", "open('| ls')"),
    ],
)
def test_code_that_may_change_more_is_not_isolated(code: str) -> None:
    function = "Puppet::Functions.create_function(:f) do\n  def f(x)\n    {}\n  end\nend\n"
    assert not is_isolated(f"<% {code} %>", is_template=True)
    assert is_isolated(function.replace("{}", "x + 1"))
    assert not is_isolated(function.replace("{}", code))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("module Puppet::Parser::Functions\n  newfunction(:f) do |x|\n    x\n  end\nend\n", True),
        ("Puppet::Parser::Functions.newfunction(:f, type: :rvalue) do |x|\n  x\nend\n", True),
        ("X = 1\nPuppet::Functions.create_function(:f) do\n  def f\n  end\nend\n", False),
        ("Puppet::Functions.create_function(:f) do\n  def f\n    @kept ||= 1\n  end\nend\n", False),
        ("def x\nend\nPuppet::Functions.create_function(:f) do\n  def f\n  end\nend\n", False),
    ],
)
def test_a_file_is_isolated_if_it_only_creates_a_function(text: str, expected: bool) -> None:
    assert is_isolated(text) == expected


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
        ("<% if @verify =~ /none|require|optional_no_ca/ %>", False),
        ("<% require 'puppet/util' %>", True),
        ("<%= Puppet::Util::Errors %>", True),
    ],
)
def test_only_the_code_of_a_template_counts(text: str, expected: bool) -> None:
    assert needs_library(text, is_template=True) == expected
