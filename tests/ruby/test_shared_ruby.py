"""Sessions share the Ruby process of their modules, and no data."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import lifetimes, stat_cache
from evaluator.ruby import callbacks, companion, processes
from evaluator.ruby.analysis import is_isolated, needs_library
from evaluator.ruby.values import Exchange
from lexer_parser import memo
from tests.files import write_files

shares = pytest.mark.skipif(not memo.ENABLED, reason="nothing is stored")
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
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)
    monkeypatch.setattr(lifetimes, "_secrets", {})  # without the values that other tests have decrypted
    yield
    while processes._idle:
        processes._idle.pop()[1].end()


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    files = {
        "m/lib/puppet/functions/m/keeps.rb": KEEPS,
        "m/lib/puppet/functions/m/port.rb": (
            "Puppet::Functions.create_function(:'m::port') do\\n"
            "  dispatch(:port) { param 'M::Port', :value }\\n"
            "  def port(value)\\n    value + 1\\n  end\\nend\\n"
        ).replace("\\n", "\n"),
        "m/types/port.pp": "type M::Port = Integer[1, 10]",
        "m/templates/t.erb": TEMPLATE,
    }
    return write_files(tmp_path, files)


def evaluate(modules: Path, source: str, **options: object) -> object:
    settings = {"modulepath": [modules], "permissions": ("ruby", "templates"), **options}
    outcome = Session("puppet7", **settings).run(source)  # type: ignore[arg-type]
    return str(outcome.error) if outcome.error is not None else outcome.value


def test_a_function_reads_no_data_of_another_session(modules: Path) -> None:
    for secret in ("one", "two", "three"):
        assert evaluate(modules, f"m::keeps('{secret}')") == [None, None, False, False]


def test_a_template_reads_no_data_of_another_session(modules: Path) -> None:
    for node in ("a", "b", "c"):
        source = f"$secret = 'of {node}' template('m/t.erb')"
        assert evaluate(modules, source, node=node) == f'[nil, "of {node}", "{node}"]'


def test_the_next_session_uses_the_process_with_the_loaded_code(modules: Path) -> None:
    evaluate(modules, "m::keeps(1)")
    [(_, process)] = processes._idle
    evaluate(modules, "m::keeps(2)")
    assert [known for _, known in processes._idle] == [process]
    assert list(process.prepared) == [("m::keeps", 4)]


def test_isolated_code_of_all_sessions_runs_in_one_process(modules: Path) -> None:
    (modules / "m/templates/list.erb").write_text(
        "<% @list << 'more' %><%= [$$, *@list, @other].join(' ') %>"
    )
    texts = {evaluate(modules, f"$list = ['of {node}'] template('m/list.erb')") for node in "abc"}
    assert len(texts) == 3
    assert len({str(text).split()[0] for text in texts}) == 1
    assert {str(text).partition(" ")[2] for text in texts} == {f"of {node} more " for node in "abc"}


def test_isolated_code_reads_no_variable_of_another_session(modules: Path) -> None:
    (modules / "m/templates/all.erb").write_text("<%= scope.to_hash.keys.grep(/secret/).inspect %>")
    assert evaluate(modules, "$secret_a = 1 template('m/all.erb')") == '["secret_a"]'
    assert evaluate(modules, "template('m/all.erb')") == "[]"
    assert evaluate(modules, "inline_template('<% print 1 %>')") == ""
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
    assert [evaluate(modules, "template('m/outer.erb')") for _ in range(2)] == ["42", "42"]


def test_variables_that_a_template_names_need_no_queries(
    modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    handler = callbacks.HANDLERS["variable"]

    def record_query(running: companion.RubyCompanion, query: dict[str, object]) -> object:
        names.append(str(query["name"]))
        return handler(running, query)

    monkeypatch.setitem(callbacks.HANDLERS, "variable", record_query)
    text = (
        "<%= scope['a'] + scope.lookupvar('::b') + scope['a' + ''] %><% scope['a'] << 'x' %><%= scope['a'] %>"
    )
    (modules / "m/templates/named.erb").write_text(text)
    assert evaluate(modules, "$a = 'A' $b = 'B' template('m/named.erb')") == "ABAA"
    assert names == []
    text = "<% scope.setvar('c', 1) %><%= scope['c'] %><%= scope['nothing'].inspect %>"
    assert evaluate(modules, f'inline_template("{text}")', strict_variables=False, strict="off") == "1nil"


@pytest.mark.parametrize(
    "code",
    [
        "@list.map { |x| x.to_s.upcase }.join(', ')",
        "scope['a::b'].is_a?(Hash) && scope.lookupvar('::x') != :undef",
        "'$HOME @@x `ls` eval' + \"#{@a} $b\"  # send",
        "require 'json'; JSON.pretty_generate(@a)",
        "@include.each { |include| include }",
        "value.class.name",
        "scope.setvar('x', 1); scope['y'] = [2]",
        "@a.gsub(/[^A-Z]'/, %q(it's Me)).split(%r{[A-Z]{2}/})",
        '"#{@a.map { |x| x[\'Key\'] }.join(", ")} Total"',
        "rescue JSON::ParserError, NoMethodError => e",
        "x / 2 + y/3 if 'a' =~ /B/ && c != /D'E/i",
        "%w[Debian RedHat].include?(@os) and scope.function_template(['m/x.erb'])",
    ],
)
def test_plain_code_is_isolated(code: str) -> None:
    assert is_isolated(f"<%= {code} %>", is_template=True)
    assert not is_isolated(code)  # as a file, the code creates no function


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
            "Puppet::Util",
            "load 'x'",
            "Array.freeze",
        ),
        *(
            "x.gsub(/'/, @@y + '')",
            '"#{a["x"] + @@y + a["z"]}"',
            '"#{a.map { |x| { x => @@y } }}"',
            "%q|'| + @@y + '|'",
        ),
        *(
            "x / y; @@y = 1 / 2",
            "foo /'/; @@y = '/'",
            "?' + @@y + '",
            "$' + @@y + ''",
            "x =~ /#{y}/o",
            "x.gsub(%r{[{}]}, @@y)",
        ),
        *(
            "$: << x",
            "$*.clear",
            '$".clear',
            "$> << x",
            "$0 = x",
            "m = JSON; m.create_id = x",
            "JSON.load_default_options",
        ),
        *(
            "YAML.add_tag('x', y)",
            "URI.scheme_list.clear",
            "[Gem].each { |x| x.y }",
            "OpenSSL.debug",
            "CGI.accept_charset",
        ),
        *(
            "ERB.new(@text).result",
            "x.each(&method(:puts))",
            "require 'bigdecimal'",
            "gem('x')",
            "x = <<~eos",
            "=begin\n'\n=end",
        ),
        *("JSON.state = 1", "srand(1)", "trap('INT') { }", "require 'puppet'", "alias a b", "open('| ls')"),
    ],
)
def test_code_that_may_change_shared_state_is_not_isolated(code: str) -> None:
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


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each request to Ruby adds its action."""
    actions: list[str] = []
    exchange = companion.RubyCompanion._exchange_or_end

    def record(self: companion.RubyCompanion, message: dict[str, object], text: str = "") -> Exchange:
        actions.append(str(message["do"]))
        return exchange(self, message, text)

    monkeypatch.setattr(companion.RubyCompanion, "_exchange_or_end", record)
    return actions


@shares
@pytest.mark.parametrize(
    ("template", "source", "count"),
    [
        ("<%= @x + scope['y'] %>", "$x = 'a' $y = 'b' ", 1),
        ("<% puts @x %><%= scope.include?('z') %><%= scope.lookupvar('y' + '') %>", "$x = 'a' $y = 'b' ", 1),
        ("<%= @x.unwrap %>", "$x = Sensitive('a') $y = 'b' ", 3),
        ("<%= [rand, @x] %>", "$x = 'a' $y = 'b' ", 3),
        ("<%= Time.now.year %>", "$x = 'a' $y = 'b' ", 3),
        ("<%= @x %>" + 20_000 * "-", "$x = 'a' $y = 'b' ", 3),
    ],
)
def test_sessions_share_the_responses_of_repeatable_code(
    template: str, source: str, count: int, modules: Path, requests: list[str]
) -> None:
    (modules / "m/templates/shared.erb").write_text(template)
    settings = {"modulepath": [modules], "permissions": ("ruby", "templates")}
    results = []
    for _ in range(3):
        outcome = Session("puppet7", **settings).run(f"{source} template('m/shared.erb')")  # type: ignore[arg-type]
        assert outcome.error is None
        results.append((str(outcome.value), [line.message for line in outcome.logs]))
    assert results[0] == results[1] == results[2] or "rand" in template
    assert len(requests) == count


@shares
def test_sessions_share_responses_in_spite_of_methods_that_the_code_does_not_name(
    modules: Path, requests: list[str]
) -> None:
    (modules / "m/templates/methods.erb").write_text("<% def twice(x) 2 * x end %>")
    (modules / "m/templates/plain.erb").write_text("<%= @x %>")
    (modules / "m/templates/caller.erb").write_text("<%= twice(@x) %>")
    source = "[template('m/methods.erb'), template('m/plain.erb'), template('m/caller.erb')]"
    assert [evaluate(modules, f"$x = 4 {source}") for _ in range(3)] == [["", "4", "8"]] * 3
    assert len(requests) == 3 + 2 + 2


@shares
def test_sessions_share_responses_of_code_that_calls_repeatable_code(
    modules: Path, requests: list[str]
) -> None:
    (modules / "m/templates/outer.erb").write_text(
        "<% scope.setvar('y', @x + 1) %><%= scope.call_function('m::port', [@x]) %>"
        "<%= scope.function_template(['m/inner.erb']) %>"
    )
    (modules / "m/templates/inner.erb").write_text("<%= ' ' + (scope['y'] + @x).to_s %>")
    for x in (2, 3, 2, 3, 2):
        assert evaluate(modules, f"$x = {x} template('m/outer.erb')") == f"{x + 1} {2 * x + 1}"
    assert requests.count("call") == requests.count("load") + 1 == 2
    assert requests.count("template") == 4


@shares
def test_a_nested_template_that_has_to_run_again_writes_its_lines_once(modules: Path) -> None:
    (modules / "m/templates/outer.erb").write_text("<%= scope.function_template(['m/inner.erb']) %>")
    (modules / "m/templates/inner.erb").write_text("<% puts @x unless @x == 'quiet' %><%= @x %>")
    results = []
    for x in ("quiet", "loud", "louder"):
        session = Session("puppet7", modulepath=[modules], permissions=("ruby", "templates"))
        outcome = session.run(f"$x = '{x}' template('m/outer.erb')")
        results.append((outcome.value, [line.message for line in outcome.logs]))
    assert results == [("quiet", []), ("loud", ["loud"]), ("louder", ["louder"])]


@shares
def test_a_response_is_not_shared_with_a_program_of_other_values(modules: Path, requests: list[str]) -> None:
    (modules / "m/templates/fact.erb").write_text("<%= scope['fa' + 'cts']['secret'] %><%= @x %>")
    for fact in ("one", "two", "one", "two"):
        assert evaluate(modules, "template('m/fact.erb')", facts={"secret": fact}) == fact
    assert len(requests) == 2
    assert evaluate(modules, "$x = 1 template('m/fact.erb')", facts={"secret": "one"}) == "one1"
    assert evaluate(modules, "template('m/fact.erb')", facts={}) == ""
    assert len(requests) == 4


def test_a_response_is_not_shared_with_a_stricter_program(modules: Path) -> None:
    source = "inline_template(\"<%= scope['no' + 'thing'].inspect %>\")"
    for strict in ("off", "error", "off"):
        for _ in range(2):
            result = evaluate(modules, source, strict=strict)
            assert (result == "nil") == (strict == "off"), result


@shares
def test_a_response_with_a_decrypted_value_is_not_shared(modules: Path, requests: list[str]) -> None:
    (modules / "m/templates/plain.erb").write_text("<%= @x %>")
    lifetimes.note_secret("hush-hush")
    for _ in range(2):
        assert evaluate(modules, "$x = 'hush-hush' template('m/plain.erb')") == "hush-hush"
    assert len(requests) == 2


@shares
def test_the_response_of_a_changed_function_is_not_shared(modules: Path, requests: list[str]) -> None:
    path = modules / "m/lib/puppet/functions/m/port.rb"
    assert [evaluate(modules, "m::port(2)") for _ in range(3)] == [3, 3, 3]
    assert requests == ["load", "call"]
    path.write_text(path.read_text().replace("value + 1", "value + 20"))
    assert [evaluate(modules, "m::port(2)") for _ in range(3)] == [22, 22, 22]
    assert requests == ["load", "call", "load", "call"]


def test_a_function_returns_the_objects_of_its_program(modules: Path) -> None:
    path = modules / "m/lib/puppet/functions/m/same.rb"
    path.write_text("Puppet::Functions.create_function(:'m::same') do\n  def same(x)\n    x\n  end\nend\n")
    for kind in ("Integer[1]", "String[2]", "M::Port"):
        assert evaluate(modules, f"m::same({kind}) == {kind}") is True


def test_global_variables_of_a_nested_template_end_with_the_program(modules: Path) -> None:
    (modules / "m/templates/outer.erb").write_text("<%= scope.call_function('template', ['m/inner.erb']) %>")
    (modules / "m/templates/inner.erb").write_text("<%= $left.inspect %><% $left = 'of another' %>")
    assert [evaluate(modules, "template('m/outer.erb')") for _ in range(3)] == ["nil"] * 3
    assert [evaluate(modules, "inline_template('<%= @x %>') template('m/outer.erb')") for _ in range(2)] == [
        "nil"
    ] * 2


def test_methods_that_a_template_defines_end_with_the_program(modules: Path) -> None:
    (modules / "m/templates/methods.erb").write_text("<% def twice(x) 2 * x end %>")
    calling = "template('m/methods.erb') inline_template('<%= twice(21) %>')"
    other = "inline_template('<%= twice(21) rescue 0 %>')"
    assert [evaluate(modules, code) for code in (calling, other, other, calling, calling, other)] == [
        *("42", "0", "0", "42", "42", "0"),
    ]


def test_variables_that_a_template_sets_end_with_the_program(modules: Path) -> None:
    source = "inline_template(\"<% scope.setvar('kept', ['a']); scope['kept'] << 'b' %><%= scope['kept'].join %>\")"
    other = "inline_template(\"<%= scope['kept'].inspect %>\")"
    for _ in range(2):
        assert evaluate(modules, f"{source}") == "ab"
        assert evaluate(modules, other, strict="off") == "nil"


def test_functions_that_a_file_defines_are_called_after_it_is_loaded(modules: Path) -> None:
    folder = modules / "m/lib/puppet/parser/functions"
    folder.mkdir(parents=True)
    (folder / "outer.rb").write_text(
        "module Puppet::Parser::Functions\n  newfunction(:'m::inner', type: :rvalue) do |x|\n    x[0] + 1\n  end\n"
        "  newfunction(:outer, type: :rvalue) do |x|\n    call_function('m::inner', x) * 10\n  end\nend\n"
    )
    for _ in range(2):
        assert evaluate(modules, "outer(1)") == 20
        assert evaluate(modules, "[outer(1), m::inner(4)]") == [20, 5]
        assert "Unknown function: 'm::inner'" in str(evaluate(modules, "m::inner(4)"))


def test_a_changed_function_is_loaded_again(modules: Path) -> None:
    path = modules / "m/lib/puppet/functions/m/port.rb"
    assert evaluate(modules, "m::port(2)") == evaluate(modules, "m::port(2)") == 3
    path.write_text(path.read_text().replace("value + 1", "value + 20"))
    assert evaluate(modules, "m::port(2)") == evaluate(modules, "m::port(2)") == 22


def test_a_signature_follows_the_types_of_the_program(modules: Path) -> None:
    assert "expects a M::Port" in str(evaluate(modules, "m::port(11)"))
    assert "expects" in str(evaluate(modules, "type M::Port = String\nm::port(2)"))
    (modules / "m/types/port.pp").write_text("type M::Port = Integer[1, 20]")
    assert evaluate(modules, "m::port(11)") == 12


def test_a_function_runs_with_a_disk_cache(modules: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert evaluate(modules, "m::port(2)", cache=str(tmp_path / "cache")) == 3


def test_code_of_other_modules_runs_in_another_process(modules: Path, tmp_path: Path) -> None:
    evaluate(modules, "m::keeps(1)")
    evaluate(modules, "m::keeps(1)")
    other = tmp_path / "other"
    shutil.copytree(modules / "m", other / "m")
    assert evaluate(other, "m::keeps(1)") == [None, None, False, False]
    assert {process.modulepath for _, process in processes._idle} == {(str(modules),), (str(other),)}


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
def test_only_the_code_of_a_template_loads_the_library(text: str, expected: bool) -> None:
    assert needs_library(text, is_template=True) == expected
