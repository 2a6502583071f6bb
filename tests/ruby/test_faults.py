"""A fault of Ruby code is a clear error and leaves the session unchanged."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import companions
from evaluator.ruby import companion
from tests.reliability.test_interrupts import MOST_SECONDS, describe_session, run_interrupted

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")


@pytest.fixture(autouse=True)
def _no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion, "_LIBRARY", False)


def write_function(folder: Path, name: str, body: str) -> None:
    """Write a function of the module `m`."""
    file = folder / "m" / "lib" / "puppet" / "functions" / "m" / f"{name}.rb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f"Puppet::Functions.create_function(:'m::{name}') do\n  def {name}(*given)\n    {body}\n  end\nend\n"
    )


def make_session(folder: Path, **settings) -> Session:
    """Return a session that may run Ruby and has run `$kept = 1`."""
    defaults = {"modulepath": [folder], "permissions": ("ruby", "templates"), "interactive": True}
    session = Session("puppet", **{**defaults, **settings})
    session.run("$kept = 1")
    return session


ENDED = "m::f(): the function ended the Ruby process that runs it"
RAISED = {
    "raise 'a text'": "Error while evaluating a Function Call, a text",
    "raise Exception, 'of any class'": "of any class",
    "raise NotImplementedError, 'not yet'": "not yet",
    "raise Interrupt, 'stop'": "stop",
    "exit": ENDED,
    "abort 'no more'": ENDED,
    "exit!(3)": ENDED,
    "Process.kill(:KILL, Process.pid)": ENDED,
    "Process.kill(:SEGV, Process.pid); sleep 9": ENDED,
    "throw :nothing": "uncaught throw :nothing",
    "def deep(n) deep(n + 1) end; deep(0)": "stack level too deep",
    "list = []; list << list; list": "stack level too deep",
    "Thread.new { raise 'in a thread' }.join": "in a thread",
    "require 'no/such/library'": "cannot load such file -- no/such/library",
    "nil +": "syntax error",
}
FINE = {
    "print 1, 2; puts; 3": "3",
    "STDOUT.write('{\"value\":1}'); STDOUT.flush; 2": "2",
    "STDIN.read": "''",
    "system('cat; echo out'); 4": "4",
    "fork; 5": "5",
    "fork { sleep 60 }; 6": "6",
    "at_exit { loop { } }; 7": "7",
    "STDIN.close; STDOUT.close; 9": "9",
    "$stderr.puts 'careful'; 10": "10",
    '"\\xff".b': "'�'",
    "2**70": "1180591620717411303424",
    "[:a, {b: :c}]": "['a', {'b' => 'c'}]",
    "Hash.new { |hash, key| hash[key] = 1 }": "{}",
    "ENV['SECRET'].inspect": "'nil'",
}


@pytest.mark.parametrize("body", RAISED)
def test_a_function_that_fails_is_an_error_at_its_call(body: str, tmp_path: Path) -> None:
    write_function(tmp_path, "f", body)
    write_function(tmp_path, "fine", "given")
    session = make_session(tmp_path)
    before = describe_session(session)
    error = session.run("$x = 1 notify { 'a': }\nm::f()").error
    assert RAISED[body] in str(error) and (error.span.line, error.span.column) == (2, 1)
    assert "m/lib/puppet/functions/m/f.rb" in error.help
    assert describe_session(session) == before and session.run("m::fine($kept)").text == "[1]"


@pytest.mark.parametrize(
    "body",
    [
        *("require 'no/such/library'", "nil +", "def deep(n) deep(n + 1) end; deep(0)"),
        *("raise NotImplementedError, 'later'", "load 'no_such_file.rb'"),
    ],
)
def test_the_message_for_code_that_ruby_cannot_run_has_no_position(body: str, tmp_path: Path) -> None:
    write_function(tmp_path, "f", body)
    error = make_session(tmp_path).run("class a {\n  $x = m::f()\n}\ninclude a").error
    assert error.code == "RUBY_NOT_RUNNABLE" and str(error) == error.message
    assert "Error while evaluating" not in str(error) and "m/lib/puppet/functions/m/f.rb" in error.help
    assert (error.span.line, error.span.column) == (2, 8)


@pytest.mark.parametrize("body", FINE)
def test_harmless_code_returns_its_value(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "a token")
    write_function(tmp_path, "f", body)
    session = make_session(tmp_path)
    assert session.run("m::f()").text == FINE[body] and session.run("m::f()").error is None


def test_printed_lines_are_logged(tmp_path: Path) -> None:
    write_function(tmp_path, "f", "puts 'one', 'two'; warn 'three'; print 'no line yet'; 1")
    lines = make_session(tmp_path).run("m::f()").logs
    assert [(line.level, line.message) for line in lines] == [
        ("info", "one"),
        ("info", "two"),
        ("info", "three"),
    ]


LIMITED = {
    "loop { }": ("max_ruby_seconds", 0.5),
    "sleep": ("max_ruby_seconds", 0.5),
    "Process.kill(:STOP, Process.pid)": ("max_ruby_seconds", 0.5),
    "loop { puts 'x' * 1000 }": ("max_output_length", 100_000),
    "'x' * 2_000_000": ("max_string_length", 1_000_000),
    "'x' * 20_000_000": ("max_string_length", 1_000_000),
    "(1..2000).to_a": ("max_collection_size", 1000),
    "(1..2000).to_h { |n| [n, n] }": ("max_collection_size", 1000),
    "list = []; loop { list << 'x' * 100_000 }": ("max_memory", 1_000_000),
}


@pytest.mark.parametrize("body", LIMITED)
def test_code_is_stopped_at_each_limit(body: str, tmp_path: Path) -> None:
    name, amount = LIMITED[body]
    write_function(tmp_path, "f", body)
    write_function(tmp_path, "fine", "given")
    session = make_session(tmp_path, limits={name: amount})
    assert f"the limit is the setting '{name}'" in str(session.run("m::f()").error)
    session.limits = {}
    assert session.run("m::fine($kept)").text == "[1]"


def test_an_interrupt_ends_ruby_and_the_processes_that_it_has_started(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    write_function(
        tmp_path, "f", f"child = fork {{ sleep 60 }}; File.write('{marker}', child.to_s); loop {{ }}"
    )
    session = make_session(tmp_path)
    before = describe_session(session)

    def measure_seconds() -> float:
        """Return for how many seconds the function has run."""
        return time.time() - marker.stat().st_mtime if marker.exists() else 0

    outcome, seconds = run_interrupted(session, "$a = 2 m::f()", 0.3, measure_seconds)
    assert (
        outcome.error.code == "INTERRUPTED" and seconds < MOST_SECONDS and describe_session(session) == before
    )
    assert is_gone(int(marker.read_text()))


def is_gone(process: int) -> bool:
    """Return whether a process ends within five seconds; a zombie counts as ended."""
    for _ in range(250):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_cells_share_the_ruby_process_and_no_data(tmp_path: Path) -> None:
    write_function(tmp_path, "pid", "@count = (@count || 0) + 1; [Process.ppid, @count, Process.pid]")
    session = make_session(tmp_path)
    first, again = session.run("[m::pid(), m::pid()]").value
    assert first[0] == again[0] and again[1] == 2
    assert session.run("m::pid()").value[:2] == [first[0], 1] and is_gone(first[2])
    assert session.run("inline_template('<%= Process.ppid %>')").text == f"'{first[0]}'"
    os.kill(first[0], signal.SIGKILL)
    assert is_gone(first[0]) and session.run("m::pid()").value[1] == 1


def test_ruby_ends_with_a_program_that_is_not_interactive(tmp_path: Path) -> None:
    write_function(tmp_path, "pid", "Process.pid")
    session = make_session(tmp_path, interactive=False)
    with pytest.raises(ProcessLookupError):
        os.kill(session.run("m::pid()").value, 0)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    write_function(tmp_path, "f", "1")
    session = make_session(tmp_path)
    assert session.run("m::f()").text == "1"
    write_function(tmp_path, "f", "'another'")
    assert session.run("m::f()", "b").text == "'another'"


def test_a_replay_calls_ruby_only_if_the_read_set_has_changed(tmp_path: Path) -> None:
    write_function(
        tmp_path, "f", f"File.write('{tmp_path}/calls', '.', mode: 'a'); [closure_scope['y'], given]"
    )
    session = make_session(tmp_path)
    session.run("$x = 1 $y = 1", "a")
    assert session.run("m::f($x)", "b").text == "[1, [1]]"
    assert session.run("$x = 1 $y = 1 $z = 1", "a").error is None
    assert (tmp_path / "calls").read_text() == "."
    assert [cell.outcome.text for cell in session.run("$x = 1 $y = 2", "a").updated] == ["[2, [1]]"]
    assert [cell.outcome.text for cell in session.run("$x = 2 $y = 2", "a").updated] == ["[2, [2]]"]
    assert (tmp_path / "calls").read_text() == "..."


def test_a_replayed_template_sets_its_variables_again(tmp_path: Path) -> None:
    inner = (
        f"<% File.write(%q({tmp_path}/calls), %q(i), mode: %q(a)) %><%= scope.lookupvar(%q(v)) %> <%= @x %>"
    )
    outer = (
        f"<% File.write(%q({tmp_path}/calls), %q(o), mode: %q(a)); scope.setvar(%q(v), {{%q(k) => @y}}) %>"
        "<%= scope.lookupvar(%q(v))[%q(k)] %>: <%= scope.function_inline_template([@inner]) %>"
    )
    session = make_session(tmp_path)

    def update(source: str) -> list[str | None]:
        return [cell.outcome.text for cell in session.run(source, "a").updated]

    session.run("$x = 1 $y = 1", "a")
    source = f"$inner = '{inner}' $text = inline_template('{outer}') [$text, $v['k']]"
    assert session.run(source, "b").text == """['1: {"k"=>1} 1', 1]"""
    assert update("$x = 1 $y = 1 $z = 1") == []
    assert (tmp_path / "calls").read_text() == "oi"
    assert update("$x = 2 $y = 1") == ["""['1: {"k"=>1} 2', 1]"""]
    assert update("$x = 2 $y = 3") == ["""['3: {"k"=>3} 2', 3]"""]


def test_a_call_in_a_replay_logs_again(tmp_path: Path) -> None:
    write_function(tmp_path, "f", "Puppet.warning('careful'); 1")
    session = make_session(tmp_path)
    session.run("$x = 1", "a")
    session.run("m::f()", "b")
    session.run("$x = 2", "a")
    assert [line.message for line in session.cells[2].outcome.logs] == ["careful"]


def test_a_cell_that_fails_leaves_no_variable_or_resource(tmp_path: Path) -> None:
    write_function(tmp_path, "f", "call_function('create_resources', 'notify', {'n' => {}}); raise 'late'")
    session = make_session(tmp_path)
    before = describe_session(session)
    assert "late" in str(session.run("inline_template('<% scope.setvar(\"v\", 1) %>') m::f()").error)
    assert describe_session(session) == before


# --- the permission


@pytest.mark.parametrize("name", ["m::f", "old"])
def test_a_function_in_ruby_needs_the_permission(name: str, tmp_path: Path) -> None:
    write_function(tmp_path, "f", "1")
    older = tmp_path / "m" / "lib" / "puppet" / "parser" / "functions" / "old.rb"
    older.parent.mkdir(parents=True)
    older.write_text("Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |given| 1 }\n")
    error = make_session(tmp_path, permissions=("templates",)).run(f"{name}()").error
    assert error.code == "UNKNOWN_FUNCTION" and error.needs == "permission:ruby"
    assert f"m/lib/puppet/{'functions/m/f' if name == 'm::f' else 'parser/functions/old'}.rb" in error.help
    assert make_session(tmp_path).run(f"{name}()").text == "1"


def test_a_backend_in_ruby_needs_the_permission(tmp_path: Path) -> None:
    write_function(tmp_path, "f", "{}")
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy: [{ name: a, data_hash: 'm::f' }]\n")
    settings = {"hiera_config": str(tmp_path / "hiera.yaml")}
    error = make_session(tmp_path, permissions=(), **settings).run("lookup('x')").error
    assert error.code == "HIERA_UNKNOWN_FUNCTION" and error.needs == "permission:ruby"
    assert "m/lib/puppet/functions/m/f.rb" in error.help
    assert "did not find a value" in str(make_session(tmp_path, **settings).run("lookup('x')").error)


def test_a_changed_function_of_stdlib_runs_in_ruby_with_the_permission(tmp_path: Path) -> None:
    for name in ("has_ip_address", "join"):
        file = tmp_path / "stdlib" / "lib" / "puppet" / "functions" / f"{name}.rb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"Puppet::Functions.create_function(:{name}) do\n  def {name}(*given)\n    'its own'\n  end\nend\n"
        )
    settings = {"permissions": (), "facts": {"interfaces": "lo"}}
    assert make_session(tmp_path, **settings).run("has_ip_address('10.0.0.1')").text == "false"
    assert make_session(tmp_path).run("has_ip_address('10.0.0.1')").text == "'its own'"
    # A function of Puppet itself is not replaced.
    assert make_session(tmp_path).run("join([1, 2], '-')").text == "'1-2'"


def test_a_link_out_of_the_module_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.rb"
    outside.write_text("Puppet::Functions.create_function(:'m::f') { def f; 1; end }")
    write_function(tmp_path / "modules", "g", "1")
    (tmp_path / "modules" / "m" / "lib" / "puppet" / "functions" / "m" / "f.rb").symlink_to(outside)
    assert make_session(tmp_path / "modules").run("m::f()").error.code == "UNKNOWN_FUNCTION"


def test_the_files_of_the_companion_are_part_of_the_package() -> None:
    folder = Path(companion._SCRIPT).parent
    expected = {Path(companion._SCRIPT).name, "with_library.rb", "without_library.rb"}
    for name in re.findall(r"%w\[(.*?)\]", Path(companion._SCRIPT).read_text())[-1].split():
        expected.add(f"{name}.rb")
    assert expected == {file.name for file in folder.glob("*.rb")}
    root = Path(companion.__file__).parents[2]
    built = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert folder.relative_to(root).parts[0] in built["targets"]["wheel"]["packages"]
    assert "exclude" not in built["targets"]["wheel"] and "exclude" not in built
    result = subprocess.run(["git", "check-ignore", *folder.glob("*.rb")], cwd=root, capture_output=True)
    assert not result.stdout


@pytest.mark.parametrize("body", ["sleep", "loop { }"])
def test_ruby_ends_with_the_process_of_the_session(body: str, tmp_path: Path) -> None:
    write_function(tmp_path, "f", f"File.write('{tmp_path}/pid', Process.pid.to_s); {body}")
    settings = f"modulepath=['{tmp_path}'], permissions=['ruby']"
    code = f"from evaluator import Session; Session('puppet', {settings}).run('m::f()')"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        for _ in range(500):
            if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
                break
            time.sleep(0.02)
        process.kill()
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_template_that_ends_ruby_is_named(tmp_path: Path) -> None:
    file = tmp_path / "m" / "templates" / "end.erb"
    file.parent.mkdir(parents=True)
    file.write_text("a\n<% exit %>")
    session = make_session(tmp_path)
    error = session.run("template('m/end.erb')").error
    assert error.message.endswith("template m/end.erb ended the Ruby process that renders it")
    assert str(file) in error.help
    assert session.run("1 + 1").text == "2"


def test_sessions_share_the_ruby_process_and_no_data(tmp_path: Path) -> None:
    write_function(tmp_path, "leave", "$left = Process.ppid; Object.const_set(:LEFT, 1); Process.ppid")
    write_function(tmp_path, "find", "[$left.nil?, Object.const_defined?(:LEFT), Process.ppid]")
    first = make_session(tmp_path, interactive=False).run("m::leave()")
    second = make_session(tmp_path, interactive=False).run("m::find()")
    assert second.text == f"[true, false, {first.text}]"


def test_a_process_that_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    write_function(tmp_path, "start", "fork { sleep 60 }")
    started = int(make_session(tmp_path, interactive=False).run("m::start()").text)
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(started, 0)
            time.sleep(0.02)


VARDIR = """
folder = File.join(Puppet[:vardir], 'cached')
known = File.exist?(folder)
FileUtils.mkdir_p(folder)
File.write(File.join(folder, 'password'), 'hunter2')
[known, folder]"""


@pytest.mark.parametrize(
    ("uses_library", "ending"),
    [
        *((False, ending) for ending in ("", "; exit!", "; Process.kill(:KILL, Process.ppid)")),
        *((True, ending) for ending in ("", "; Process.kill(:KILL, Process.ppid)")),  # they load the library
    ],
)
def test_files_below_vardir_are_removed_after_the_program(
    uses_library: bool, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companion, "_LIBRARY", uses_library)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    write_function(tmp_path, "store", VARDIR + "; Puppet::Util" * uses_library + VARDIR + ending)
    session = make_session(tmp_path)
    for _ in range(2):
        outcome = session.run("m::store()")
        assert ending or f"[true, '{temporary}/puppet-kernel-" in outcome.text
        assert [*temporary.iterdir()] == []


def test_vardir_does_not_exist_without_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    write_function(tmp_path, "find", "File.exist?(Puppet[:vardir])")
    assert make_session(tmp_path).run("m::find()").text == "false"


def test_a_program_that_ends_ruby_does_not_affect_others(tmp_path: Path) -> None:
    write_function(tmp_path, "gone", "exit!(99)")
    write_function(tmp_path, "fine", "1")
    for _ in range(2):
        assert "ended" in str(make_session(tmp_path, interactive=False).run("m::gone()").error)
        assert make_session(tmp_path, interactive=False).run("m::fine()").text == "1"


@pytest.fixture
def bystander() -> Iterator[int]:
    """Yield the id of a process that Ruby has not started; it must stay alive."""
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as other:
        yield other.pid
        was_alive = other.poll() is None
        other.kill()
    assert was_alive


FORGED = {
    "a value": """'{"value": 1234}'""",
    "a hash without pairs": """'{"value": {"h": 5}}'""",
    "an empty value": """'{"value": {}}'""",
    "a value of an unknown type": """'{"value": {"none": 1}}'""",
    "an unknown level": """'{"log": ["info"], "text": {}}'""",
    "the end of the process": """'{"ended": true}'""",
    "an error": """'{"raise": 5}'""",
    "no message": "'[1]'",
    "no object": """'{"other": 1}'""",
    "an incomplete query": """'{"query": ["variable"]}'""",
    "a log entry of another type": """'{"log": "info"}'""",
    "no JSON": "'{'",
    "depth": "'[' * 200_000",
    "digits": """'{"value": ' + '9' * 2_000_000 + '}'""",
}


# Sessions with a Ruby process for several programs alternate with others; both read lines in the same way.
@pytest.mark.parametrize(("name", "interactive"), [*zip(FORGED, cycle([True, False]), strict=False)])
def test_forged_messages_on_the_pipe_do_not_affect_other_programs(
    name: str, interactive: bool, tmp_path: Path, bystander: int
) -> None:
    line = FORGED[name].replace("1234", str(bystander))
    pipe = "Companion.evaluator.instance_variable_get(:@output)"
    write_function(tmp_path, "forge", f"{pipe}.puts({line}); {pipe}.flush; 1")
    write_function(tmp_path, "fine", "given")
    session = make_session(tmp_path, interactive=interactive)
    for _ in range(2):
        error = session.run("m::forge()").error
        assert error is None or error.code != "INTERNAL_ERROR"
    assert session.run("m::fine($kept)").text == "[1]"
    other = make_session(tmp_path, interactive=interactive)
    assert other.run("m::fine($kept)").text == "[1]"


def test_a_template_that_forges_its_result_is_an_error() -> None:
    pipe = "Companion.evaluator.instance_variable_get(:@output)"
    session = Session("puppet", permissions=["templates"], interactive=True)
    error = session.run(
        f"""inline_template('<% {pipe}.puts("{{\\"value\\":1}}"); {pipe}.flush; sleep 1 %>')"""
    ).error
    assert error is not None and error.code == "RUBY_ENDED"


def test_code_that_queries_and_does_not_read_is_stopped(tmp_path: Path) -> None:
    """The answer fills the pipe; writing it ends at the limit of time for Ruby."""
    pipe = "Companion.evaluator.instance_variable_get(:@output)"
    line = """{"query": "variable", "name": "long", "scope": 0}"""
    write_function(tmp_path, "asks", f"4.times {{ {pipe}.puts('{line}') }}; {pipe}.flush; sleep 99")
    session = make_session(tmp_path, limits={"max_ruby_seconds": 1})
    session.run("$long = String('', '%1000000s')")
    start = time.monotonic()
    error = session.run("m::asks()").error
    assert error is not None and "max_ruby_seconds" in error.message
    assert time.monotonic() - start < 1 + MOST_SECONDS + 1
    assert session.run("$kept").text == "1"


def test_only_processes_that_a_program_has_started_end_with_it(bystander: int) -> None:
    code = "import os; os.fork() or os.setsid(); os.write(1, b'%d\\n' % os.getpid()); input()"
    with companions.CompanionProcess([sys.executable, "-c", code], has_input=True) as program:
        processes = [int(program.receive(9)) for _ in range(2)]
    assert all(is_gone(process) for process in processes)
