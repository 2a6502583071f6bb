"""The command without a terminal: its output, and its exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.forking import Repl, Result


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("1 + 1", "2\n"),
        ("'a'", "'a'\n"),
        ("undef", "undef\n"),
        ("[1, { a => true }]", "[1, {'a' => true}]\n"),
        ("class a { }", ""),
        ("notice('hi')", "Notice: hi\n"),
        ("notice('hi') 3", "Notice: hi\n3\n"),
    ],
)
def test_logs_and_the_value_of_a_program_are_printed(repl: Repl, code: str, output: str) -> None:
    result = repl("-e", code)
    assert (result.returncode, result.stdout, result.stderr) == (0, output, "")


def test_several_programs_run_in_one_session(repl: Repl) -> None:
    assert repl("-e", "$x = 20", "-e", "$x + 1").stdout == "20\n21\n"


def test_warnings_and_errors_go_to_standard_error(repl: Repl) -> None:
    result = repl("-e", "notice('n') warning('w') err('e')")
    assert result.stdout == "Notice: n\n"
    assert [line.split(" (")[0] for line in result.stderr.splitlines()] == ["Warning: w", "Error: e"]


def test_a_file_prints_its_logs_and_no_value(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("notice('from a file')\n$x = 1\n")
    result = repl("site.pp")
    assert (result.returncode, result.stdout) == (0, "Notice: from a file\n")


def test_an_error_in_a_file_names_the_file(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("$a = 1\n$a = 2\n")
    result = repl("site.pp")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        "error[ILLEGAL_REASSIGNMENT]: Cannot reassign variable '$a'\n"
        "  ╭╴site.pp:2:4\n1 │ $a = 1\n  │ -- first assigned here\n2 │ $a = 2\n  │    ^\n"
        "help: A variable can be set only once: choose another name for the new value.\n"
    )


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_a_program_is_read_from_standard_input(repl: Repl, arguments: tuple[str, ...]) -> None:
    assert repl(*arguments, stdin="notice('piped')").stdout == "Notice: piped\n"


def test_the_catalog_is_printed_as_source_code(repl: Repl) -> None:
    result = repl("--catalog", "-e", "file { '/a': ensure => file, mode => '0644' } notify { 'n': }")
    assert result.stdout.split("\n", 1)[1] == (
        "file { '/a':\n  ensure => 'file',\n  mode   => '0644',\n}\nnotify { 'n': }\n"
    )


def test_json_has_the_value_the_logs_and_the_catalog(repl: Repl) -> None:
    report = json.loads(repl("--json", "-e", "notice('x') notify { 'a': } 1 + 1").stdout)
    assert (report["value"], report["type"]) == ("2", "Integer[2, 2]")
    assert report["logs"][0]["message"] == "x"
    assert report["error"] is None
    assert "Notify" in [resource["type"] for resource in report["catalog"]["resources"]]


def test_json_has_the_position_of_an_error(repl: Repl) -> None:
    result = repl("--json", "-e", "\n  $a = 1 $a = 2")
    error = json.loads(result.stdout)["error"]
    assert result.returncode == 1
    assert (error["code"], error["line"], error["column"]) == ("ILLEGAL_REASSIGNMENT", 2, 13)


def test_a_file_is_formatted(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "x.pp").write_text("class a{\nfile{'/a':\nensure=>file,\n   mode =>  '0644'\n}\n}")
    assert repl("--format", "x.pp").stdout == (
        "class a {\n  file { '/a':\n    ensure => file,\n    mode   => '0644',\n  }\n}\n"
    )
    (tmp_path / "y.pp").write_text("$x [1]")
    assert repl("--format", "--dialect", "spec", "y.pp").stdout == "$x[1]\n"
    assert repl("--format", "--dialect", "puppet", "y.pp").stdout == "$x\n[1]\n"


def test_facts_the_node_and_the_dialect_are_set(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text('{"os": {"family": "RedHat"}}')
    (tmp_path / "facts.yaml").write_text("os:\n  family: Suse\n")
    assert repl("--facts", "facts.json", "-e", "$facts['os']['family']").stdout == "'RedHat'\n"
    assert repl("--facts=facts.yaml", "-e", "$facts['os']['family']").stdout == "'Suse'\n"
    assert repl("--facts", "debian-12", "-e", "$facts['os']['family']").stdout == "'Debian'\n"
    (tmp_path / "trusted.yaml").write_text("extensions:\n  pp_role: web\n")
    role = "notice($trusted['certname'], $trusted['extensions'])"
    result = repl("--trusted", "trusted.yaml", "--node=a.b", "-e", role)
    assert result.stdout == "Notice: a.b {pp_role => web}\n"
    assert repl("--node", "web1", "-e", "node web1 { notice('here') }").stdout == "Notice: here\n"
    assert repl("--dialect", "spec", "-e", "Integer[5]").stdout == "Integer[5, 5]\n"
    assert repl("--dialect", "puppet", "-e", "Integer[5]").stdout == "Integer[5]\n"


def test_an_environment_is_compiled_with_a_classification(repl: Repl, tmp_path: Path) -> None:
    manifests = tmp_path / "control" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text("class a($x) { notify { \"${x}${y}\": } }\nnotice('begins')\n")
    (tmp_path / "enc.yaml").write_text("classes: {a: {x: 1}}\nparameters: {y: 2}\n")
    result = repl("--environment", "control", "--enc", "enc.yaml", "--catalog")
    headline, _, rest = result.stdout.partition("\n")
    assert headline.startswith("compiled in puppet: ")
    assert (rest, result.returncode) == (
        "Notice: begins\nclass { 'a':\n  x => 1,\n}\nnotify { '12': }\n",
        0,
    )
    assert repl("--environment=control", "-e", "$environment").stdout == "Notice: begins\n'control'\n"
    data = json.loads(repl("--environment", "control", "--enc", "enc.yaml", "--json").stdout)
    assert data["catalog"]["classes"] == ["a", "settings", "a"]
    assert [entry["message"] for entry in data["logs"]] == ["begins"]
    (manifests / "site.pp").write_text("fail('no')")
    failed = repl("--environment", "control", "-e", "1")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "control/manifests/site.pp:1:1" in failed.stderr


def test_exported_resources_are_collected_by_other_nodes(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("@@notify { $trusted['certname']: }\nNotify <<| |>>\n")
    (tmp_path / "a.json").write_text(repl("--node", "a", "--json", "site.pp").stdout)
    assert [row["certname"] for row in json.loads((tmp_path / "a.json").read_text())["exports"]] == ["a"]
    other = repl("--node", "b", "--exported", "a.json", "--catalog", "site.pp")
    assert (other.stdout, other.stderr) == ("notify { 'b': }\nnotify { 'a': }\n", "")
    own = repl("--node", "a", "--exported", "a.json", "--catalog", "site.pp")
    assert own.stdout == "notify { 'a': }\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--environment", "none", "-e", "1"),
        ("--exported", "no-such-file", "-e", "1"),
        ("--enc", "no-such-file", "-e", "1"),
        ("--dialact",),
        ("-e",),
        ("--dialect", "ruby"),
        ("--json=1",),
        ("no_such_file.pp",),
        (".",),
        ("--facts", "no.json", "-e", "1"),
        ("--facts", "no-such-set", "-e", "1"),
        ("--trusted", "no-such-file", "-e", "1"),
        ("--limit", "max_resources", "-e", "1"),
        ("--limit", "max_speed=1", "-e", "1"),
        ("--allow", "everything", "-e", "1"),
        ("--limit", "max_resources=many", "-e", "1"),
    ],
)
def test_a_wrong_command_line_is_reported_without_a_traceback(repl: Repl, arguments: tuple[str, ...]) -> None:
    result = repl(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("puppet-repl: ")
    assert "Traceback" not in result.stderr


def test_permissions_are_options_or_an_environment_variable(repl: Repl, environment: dict[str, str]) -> None:
    program = ("-e", "generate('/bin/echo', 'here')")
    assert repl(*program).returncode == 1
    assert repl("--allow", "files,generate", *program).stdout == '"here\\n"\n'
    assert repl("--allow=files", "--allow", "generate", *program).returncode == 0
    environment["PUPPET_KERNEL_ALLOW"] = "generate templates"
    assert repl(*program).returncode == 0


def test_limits_are_options_or_an_environment_variable(repl: Repl, environment: dict[str, str]) -> None:
    two = ("--limit", "max_resources=6", "--limit=max_string_length=5", "-e")
    many = repl(*two, 'Integer[1, 9].each |$i| { notify { "${i}": } }')
    assert many.returncode == 1 and "the limit is the setting 'max_resources'" in many.stderr
    long = repl(*two, "String('x', '%6s')")
    assert long.returncode == 1 and "the limit is the setting 'max_string_length'" in long.stderr
    assert repl(*two, "1").stdout == "1\n"
    environment["PUPPET_KERNEL_LIMITS"] = "max_resources=1e6, max_string_length=3"
    assert "'max_string_length'" in repl("-e", "String('x', '%6s')").stderr
    assert repl(*two, "String('x', '%5s')").stdout == "'    x'\n", "an option has precedence"
    environment["PUPPET_KERNEL_LIMITS"] = "max_resources"
    assert "PUPPET_KERNEL_LIMITS needs NAME=AMOUNT" in repl("-e", "1").stderr


def test_a_misspelt_option_gets_a_suggestion(repl: Repl) -> None:
    assert "did you mean --dialect?" in repl("--dialact").stderr


def test_help_and_version_are_printed(repl: Repl) -> None:
    assert repl("--help").stdout.startswith("puppet-repl ")
    assert repl("--version").stdout.startswith("puppet-repl 0.")


def test_a_file_that_is_not_utf8_is_an_error(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "latin.pp").write_bytes(b"notice('\xe9')")
    result = repl("latin.pp")
    assert (result.returncode, result.stdout) == (2, "")
    assert "UTF-8" in result.stderr


def run_in_shell(command: str, environment: dict[str, str], cwd: Path) -> Result:
    """Run a command in bash, in which REPL is `puppet-repl`."""
    line = command.replace("REPL", f"{sys.executable} -m puppet_kernel")
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        cwd=cwd,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (
            "REPL -e 'Integer[1, 200000].each |$i| { notice($i) }' | head -1 >/dev/null; exit ${PIPESTATUS[0]}",
            141,
        ),
        ("REPL -e 'notice(1)' >/dev/full", 74),
        ("REPL -e '1 + 1' >/dev/full", 74),
        ("REPL --help >/dev/full", 74),
        ("REPL -e '1 + 1' >&-", 0),
        ("REPL -e 'warning(1)' 2>&-", 0),
        ("REPL - <&-", 2),
        ("REPL </dev/null", 0),
        ("REPL -e 'fail(1)' 2>/dev/full", 74),
    ],
)
def test_closed_and_full_streams_set_the_exit_code(
    command: str, code: int, environment: dict[str, str], tmp_path: Path
) -> None:
    result = run_in_shell(command, environment, tmp_path)
    assert "Traceback" not in result.stderr
    assert result.returncode == code, result.stderr


def test_an_interrupt_ends_the_program(environment: dict[str, str], tmp_path: Path) -> None:
    endless = "notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }"
    command = [sys.executable, "-u", "-m", "puppet_kernel", "-e", endless]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "Notice: it runs\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted" in stderr
    assert "Traceback" not in stderr


def test_a_defect_of_the_command_is_reported_in_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import puppet_kernel.cli.options\n"
        "def broken(arguments):\n    raise RuntimeError('deep inside')\n"
        "puppet_kernel.cli.options.parse = broken\n"
    )
    broken = {**environment, "PYTHONPATH": f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}"}
    result = run_in_shell("REPL -e 1", broken, tmp_path)
    assert result.returncode == 70
    assert len(result.stderr.splitlines()) == 1
    assert "RuntimeError: deep inside" in result.stderr
    assert "please report it" in result.stderr
    debugged = run_in_shell("PUPPET_KERNEL_DEBUG=1 REPL -e 1", broken, tmp_path)
    assert "Traceback" in debugged.stderr


HEAVY_MODULES = (
    "prompt_toolkit",
    "ipykernel",
    "IPython",
    "pygments",
    "argparse",
    "jupyter_client",
    "ply",
    "dataclasses",
    "regex",
)


@pytest.mark.parametrize("arguments", [("-e", "1 + 1"), ("-e", "[1].map |$x| { notice($x) }")])
def test_a_start_imports_no_heavy_module(
    arguments: tuple[str, ...], environment: dict[str, str], tmp_path: Path
) -> None:
    program = (
        "import sys; from puppet_kernel.__main__ import main; main(sys.argv[1:]);"
        f" print([name for name in {HEAVY_MODULES!r} if name in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert result.stderr == "[]\n"


CYCLE = "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }"


def test_a_cycle_is_an_error_of_a_released_file_and_a_warning_elsewhere(repl: Repl, tmp_path: Path) -> None:
    file = tmp_path / "site.pp"
    file.write_text(CYCLE, encoding="utf-8")
    released = repl("--dialect", "puppet", str(file))
    assert released.returncode == 1
    assert "error[DEPENDENCY_CYCLE]: Found 1 dependency cycle:" in released.stderr
    assert "(Notify[a] => Notify[b] => Notify[a])" in released.stderr
    specified = repl("--dialect", "spec", str(file))
    assert specified.returncode == 0
    assert "warning[DEPENDENCY_CYCLE]" in specified.stderr


def test_a_value_that_a_resource_type_rejects_is_a_warning(repl: Repl, tmp_path: Path) -> None:
    file = tmp_path / "site.pp"
    file.write_text("service { 'nginx': ensure => runing }\n", encoding="utf-8")
    result = repl("--dialect", "puppet", str(file))
    assert result.returncode == 0
    assert "did you mean running?" in result.stderr
    assert "site.pp:1:20" in result.stderr
