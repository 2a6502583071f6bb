"""Functions that run other programs if permitted: Ruby for templates, and `generate`."""

from __future__ import annotations

import os
import pathlib
import shutil
import time

import pytest

from evaluator import Session
from tests.reliability.test_interrupts import MOST_SECONDS, describe_session, run_interrupted

needs_ruby = pytest.mark.skipif(
    shutil.which("ruby") is None, reason="Ruby, which renders ERB, is not installed"
)

RENDERED = [
    ("inline_template('<%= 1 + 1 %>')", "'2'"),
    ("inline_template('a', undef, \"b<% if true -%>\\n<% end -%>\\n\", 'c')", "'abc'"),
    (
        "$x = [1, { 'k' => undef }] inline_template('<%= @x.inspect %><%= @y.inspect %>')",
        "'[1, {\"k\"=>nil}]nil'",
    ),
    ("$x = { 1 => 1.5, true => default } inline_template('<%= @x.inspect %>')", "'{1=>1.5, true=>:default}'"),
    ("$x = Sensitive('s') inline_template('<%= @x %> <%= @x.unwrap %>')", "'Sensitive [value redacted] s'"),
    ("$x = /a.b/ inline_template('<%= @x =~ \"-a+b\" %>')", "'1'"),
    ("$x = Timespan('1-00:00:00') inline_template('<%= @x %>')", "'1-00:00:00.0'"),
    (
        "$x = Timespan('3-00:00:00') inline_template('<%= scope.call_function(\"strftime\", [@x, \"%D\"]) %>')",
        "'3'",
    ),
    ("class a { $x = 'in' } include a inline_template('<%= scope[\"a::x\"] %>')", "'in'"),
    ("class a { $x = 'in' } include a inline_template('<%= scope.lookupvar(\"::a::x\") %>')", "'in'"),
    ('$x = 1 inline_template(\'<%= has_variable?("x") %> <%= scope.include?("y") %>\')', "'true false'"),
    ("$x = 1 inline_template('<%= scope.to_hash[\"x\"] %>')", "'1'"),
    (
        'inline_template(\'<% h = scope.to_hash %><% scope.setvar("y", 2) %>'
        '<%= h.key?("y") %> <%= scope.to_hash["y"] %>\')',
        "'false 2'",
    ),
    (
        'inline_template(\'<% scope.to_hash["y"] = 1 %><%= scope.to_hash.key?("y") %>\')',
        "'false'",
    ),
    ('$x = undef inline_template(\'<%= has_variable?("x") %> <%= scope.exist?("x") %>\')', "'false true'"),
    (
        "$x = undef inline_template('<%= defined?(@x).inspect %> <%= scope.to_hash.key?(\"x\") %>')",
        "'nil false'",
    ),
    (
        "inline_template('<%= [1].to_yaml %><%= Set[1].size %><%= URI(\"http://a/b\").path %>')",
        '"---\\n- 1\\n1/b"',
    ),
    ("class a { } include a inline_template('<%= classes.include?(\"a\") %>')", "'true'"),
    ("function f($a) { inline_template('<%= @a %>') } f('argument')", "'argument'"),
    ("[1].map |$i| { $l = 'in' inline_template('<%= @l %><%= @i %>') }", "['in1']"),
    ("inline_template('<%= scope.function_join([[1, 2], \"-\"]) %>')", "'1-2'"),
    ("inline_template('<%= scope.call_function(\"map\", [[1, 2]]) { |x| x + 1 } %>')", "'[2, 3]'"),
    ("inline_template('<%= scope.call_function(\"map\", [[5, 6]]) { |i, x| i * x } %>')", "'[0, 6]'"),
    ("function twice($x) { $x * 2 } inline_template('<%= scope.call_function(\"twice\", 4) %>')", "'8'"),
    ("inline_template('<% puts \"aside\" %>text')", "'text'"),
    ('inline_template(\'é<%= "\\u20ac" %>\') == "é\\u{20ac}"', "true"),
]
FAILING = [
    ("inline_template('<% raise \"no\" %>')", "Failed to parse inline template: no"),
    ("inline_template('<%= nope %>')", "undefined local variable or method `nope'"),
    ("inline_template('<%= 1 + %>')", "(erb):1: syntax error"),
    (
        "inline_template('<%= scope.function_fail([\"bad luck\"]) %>')",
        "Failed to parse inline template: bad luck",
    ),
    ("inline_template('<%= scope.function_nope([1]) %>')", "Unknown function: 'nope'"),
    ("inline_template('<%= scope.function_join(1) %>')", "takes one Array of arguments"),
    ('inline_template(\'<% scope.call_function("each", [[1]]) { |x| raise "inside" } %>\')', "inside"),
    ("inline_template('<% exit %>')", "ended the Ruby process that renders it"),
    ("inline_template(1)", "expects a String value, got Integer"),
]


def run(source: str, **settings):
    return Session("puppet7", facts={}, permissions=["templates", "generate"], **settings).run(source)


@pytest.mark.released
@needs_ruby
@pytest.mark.parametrize(("source", "value"), RENDERED)
def test_a_template_is_rendered(source: str, value: str) -> None:
    outcome = run(source)
    assert outcome.error is None and outcome.text == value


@pytest.mark.released
@needs_ruby
@pytest.mark.parametrize(("source", "message"), FAILING)
def test_an_error_in_a_template_is_reported(source: str, message: str) -> None:
    assert message in str(run(source).error)


@pytest.mark.released
@needs_ruby
def test_templates_of_modules_are_rendered(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "m" / "templates"
    folder.mkdir(parents=True)
    (folder / "a.erb").write_text("<% @list.each do |x| -%>\n* <%= x %>\n<% end -%>\n")
    (folder / "bad.erb").write_text("line 1\n<%= nil.size %>\n")
    (folder / "both.erb").write_text("<%= scope.function_template(['m/a.erb']) %>")
    settings = {"modulepath": [str(tmp_path)]}
    assert (
        run("$list = [1, 2] template('m/a.erb', 'm/both.erb')", **settings).text
        == '"* 1\\n* 2\\n* 1\\n* 2\\n"'
    )
    message = str(run("template('m/bad.erb')", **settings).error)
    assert (
        f"Failed to parse template m/bad.erb:\n  Filepath: {folder}/bad.erb\n  Line: 2\n  Detail: undef"
        in message
    )
    assert "Could not find template 'm/nope.erb'" in str(run("template('m/nope.erb')", **settings).error)


def test_an_error_names_ruby_if_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("evaluator.ruby.companion._PATHS_OF_RUBY", ())
    assert "this machine has no `ruby`" in str(run("inline_template('x')").error)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("generate('/bin/echo', 'a', 1)", '"a 1\\n"'),
        ("generate('/bin/sh', '-c', 'echo e >&2; echo o')", '"e\\no\\n"'),
    ],
)
def test_the_output_of_a_program_is_returned(source: str, value: str) -> None:
    assert run(source).text == value


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("generate('echo')", "Generators must be fully qualified"),
        ("generate('/no/such')", "Failed to execute generator /no/such: No such file"),
        (
            "generate('/bin/sh', '-c', 'echo why; exit 3')",
            "Execution of '/bin/sh -c echo why; exit 3' returned 3: why",
        ),
    ],
)
def test_a_program_that_fails_is_reported(source: str, message: str) -> None:
    assert message in str(run(source).error)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('$a = 2 inline_template(\'<% File.write("START", ""); loop { } %>\')', marks=needs_ruby),
        "$a = 2 generate('/bin/sh', '-c', '>START; exec sleep 100')",
        "$a = 2 generate('/bin/sh', '-c', '>START; exec >&-; exec 2>&-; sleep 100')",
    ],
)
def test_an_interrupt_stops_a_program(source: str, tmp_path: pathlib.Path) -> None:
    start_file = tmp_path / "start"

    def measure_running_time() -> float:
        """Return for how many seconds the other program has run."""
        return time.time() - start_file.stat().st_mtime if start_file.exists() else 0

    session = Session("puppet", permissions=["templates", "generate"])
    session.run("$x = 1")
    before = describe_session(session)
    program = source.replace("START", str(start_file))
    outcome, seconds = run_interrupted(session, program, 0.3, measure_running_time)
    assert (
        outcome.error.code == "INTERRUPTED" and seconds < MOST_SECONDS and describe_session(session) == before
    )


def test_a_program_with_too_much_output_is_stopped() -> None:
    outcome = run("generate('/bin/sh', '-c', 'yes')", limits={"max_string_length": 100_000})
    assert "max_string_length" in str(outcome.error)


def test_an_unknown_permission_is_reported() -> None:
    with pytest.raises(
        ValueError, match="there is no permission 'all'; there are: files, generate, templates"
    ):
        Session(permissions=["all"])


@pytest.mark.released
@needs_ruby
def test_all_templates_of_a_program_are_rendered_by_one_process_that_ends_with_it() -> None:
    outcome = run("[1, 2, 3].map |$i| { inline_template('<%= Process.pid %>') }.unique.length")
    assert outcome.text == "1"
    pid = int(run("inline_template('<%= Process.pid %>')").value)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.released
@needs_ruby
def test_a_template_renders_another_template() -> None:
    inner = "<%= scope.function_inline_template([@inner]) %><%= @x %>"
    assert run(f"$x = 1 $inner = '<%= @x + 1 %>' inline_template('{inner}')").text == "'21'"
    error = run(f"$x = 1 $inner = '<%= nope %>' inline_template('{inner}')").error
    assert "undefined local variable" in str(error)


def test_an_evaluation_runs_a_program_once(tmp_path: pathlib.Path) -> None:
    session = Session("spec", interactive=True, permissions=["generate"])
    outcome = session.run(f"generate('/bin/sh', '-c', 'echo run >> {tmp_path}/log')")
    assert outcome.error is None and (tmp_path / "log").read_text() == "run\n"


@pytest.mark.parametrize("command", ["sleep 99 & echo a", "sleep 99 >/dev/null 2>&1 & echo a"])
def test_background_processes_of_a_program_are_ended_without_waiting(
    command: str, tmp_path: pathlib.Path
) -> None:
    source = f"generate('/bin/sh', '-c', 'echo $$ > {tmp_path}/leader; {command}')"
    outcome = Session("puppet", permissions=["generate"]).run(source)
    assert outcome.text == '"a\\n"'
    group = int((tmp_path / "leader").read_text())
    deadline = time.monotonic() + 5
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_argument_with_a_null_byte_is_reported() -> None:
    outcome = Session("puppet", permissions=["generate"]).run('generate("/bin/echo", "a\\u{0}b")')
    assert outcome.error is not None and outcome.error.code == "GENERATOR_NOT_RUN"


@pytest.mark.parametrize("call", ["template(['a/b'])", "file(['a/b'])", "file('a/b', ['a/b'])"])
def test_a_path_that_is_no_string_causes_two_warnings(call: str) -> None:
    outcome = Session().run(call)
    warning = "Cannot check if [\"a/b\"] is an absolute path because it is a 'Array' and not a String'"
    assert [log.message for log in outcome.logs] == [warning, warning]


@pytest.mark.parametrize("name", ["capitalize", "camelcase", "strip", "lstrip", "rstrip", "chomp", "chop"])
def test_functions_of_strings_refuse_types_that_can_be_iterated(name: str) -> None:
    assert "undefined method `map' for Enum['a']" in str(Session().run(f"{name}(Enum['a'])").error)
