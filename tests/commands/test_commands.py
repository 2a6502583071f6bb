"""Commands and help requests as all front ends have them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.limits import LIMITS
from evaluator.program import source_cache
from lexer_parser.dialect import SWITCHES
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.rendering.literals import format_duration
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

Say = Callable[..., str]


def test_help_lists_every_command(run_inputs: Say) -> None:
    output = run_inputs("%help")
    for command in COMMANDS:
        assert f"%{command.name}" in output
        assert command.summary in output
    assert run_inputs("?") == output


def test_every_command_has_a_card(run_inputs: Say) -> None:
    for command in COMMANDS:
        assert command.summary in run_inputs(f"%help {command.name}")


def test_a_command_may_be_shortened_if_that_is_unambiguous(run_inputs: Say) -> None:
    assert run_inputs("%cat") == "The catalog is empty."
    assert run_inputs("%re") == "error: %re may mean %redo or %reset"


def test_a_misspelt_command_gets_a_suggestion(run_inputs: Say) -> None:
    assert "did you mean %catalog?" in run_inputs("%catlog")


@pytest.mark.parametrize(
    "source",
    [
        "%catalog x",
        "%graph x",
        "%limits speed",
        "%limits max_memory 0",
        "%dialect ruby",
        "%time",
        "%explain",
        "?nope",
        "%",
    ],
)
def test_wrong_arguments_of_commands_are_errors(shell: Shell, source: str) -> None:
    reply = shell.submit(source)
    assert reply.error is not None and reply.error.code == "COMMAND"


def test_the_catalog_is_shown_as_source_code_or_json(run_inputs: Say) -> None:
    assert run_inputs("notify { 'a': message => 'hi' }", "%catalog") == "notify { 'a':\n  message => 'hi',\n}"
    assert '"resources": [' in run_inputs("%catalog --json")


def test_a_realized_resource_is_shown_as_new_in_the_catalog(run_inputs: Say) -> None:
    assert run_inputs("@user { 'ann': uid => 1 }") == "+ @user { 'ann':\n    uid => 1,\n  }"
    assert run_inputs("realize(User['ann'])") == "+ user { 'ann':  # realized\n    uid => 1,\n  }"
    run_inputs("@user { 'bob': }", "if $trusted['certname'] == 'web1' { realize(User['bob']) }")
    assert "+ user { 'bob': }" in run_inputs("%node web1")
    assert "- user { 'bob': }" in run_inputs("%node web2")


def test_variables_are_listed_without_facts_and_builtin_ones(run_inputs: Say) -> None:
    assert run_inputs("%vars") == "No variables are set."
    assert run_inputs("$port = 80", "$name_of_it = 'x'", "%vars") == "$port        80\n$name_of_it  'x'"
    assert run_inputs("%vars por") == "$port  80"
    assert "$osfamily" in run_inputs("%vars osfam")


def test_facts_are_listed_and_read_from_a_file(
    run_inputs: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # commands read only files that programs may read
    assert "osfamily" in run_inputs("%facts")
    assert run_inputs("%facts os.family") == "'Debian'"
    path = tmp_path / "facts.json"
    path.write_text('{"os": {"family": "Suse"}}')
    assert run_inputs("$f = $facts['os']['family']", f"%facts {path}") == "1 cell run again"
    assert run_inputs("$f") == "'Suse'"
    assert "bundled are" in run_inputs("%facts windows-3")
    assert run_inputs("$f") == "'Suse'"


def test_the_node_is_shown_and_set(run_inputs: Say) -> None:
    assert run_inputs("%node") == "localhost"
    run_inputs("%node web1")
    assert run_inputs("%node") == "web1"


def test_a_new_node_reports_the_changes_of_the_catalog(run_inputs: Say) -> None:
    run_inputs("file { '/a': content => $trusted['certname'], mode => '0644' }", "notify { 'same': }")
    output = run_inputs("%node web1")
    assert output == "2 cells run again\n~ file { '/a':\n    content => 'web1',  # was 'localhost'\n  }"


def test_the_dialect_is_explained_and_set(run_inputs: Say) -> None:
    output = run_inputs("%dialect")
    assert output.startswith("spec: ")
    for description in SWITCHES.values():
        assert "".join(description.split()) in "".join(output.split())  # the output is wrapped
    assert run_inputs("Integer[5]", "%dialect puppet") == "1 cell run again"
    assert run_inputs("%dialect").startswith("puppet: ")
    assert run_inputs("Integer[5]").split("\n")[0] == "Integer[5]"


def test_a_cell_that_fails_under_new_settings_is_excluded_and_reported(run_inputs: Say) -> None:
    output = run_inputs("$x = 1", "$y = Integer[9, 3]", "%dialect puppet")
    assert output.startswith("1 cell run again\nwarning: cell [2] is left out: ")


@pytest.mark.parametrize("source", ["help map", "help %graph", " help  Integer "])
def test_help_is_requested_with_a_plain_word_too(run_inputs: Say, source: str) -> None:
    assert run_inputs(source) == run_inputs(f"%{source.strip()}")
    assert "are two values" in run_inputs("help 'map'")


def test_the_cache_of_files_is_reported_and_cleared(run_inputs: Say, tmp_path: Path) -> None:
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    (tmp_path / "m" / "manifests" / "init.pp").write_text("class m {}")
    assert Session("puppet", modulepath=[tmp_path]).run("include m").error is None
    files, _ = source_cache.count_files()
    assert files > 0 and "files of modules" in run_inputs("%limits")
    run_inputs("%reset --all")
    assert source_cache.count_files() == (0, source_cache.MOST_FILES)
    assert "takes --all, not 'everything'" in run_inputs("%reset everything")


def test_limits_are_listed_and_set(run_inputs: Say) -> None:
    output = run_inputs("%limits")
    for limit in LIMITS.values():
        assert limit.name in output
    assert "100,000" in run_inputs("%limits max_resources")
    assert "3" in run_inputs("%limits max_resources 3").split()
    exceeding = 'Integer[1, 9].each |$i| { notify { "n${i}": } }'
    assert "the limit is the setting 'max_resources'" in run_inputs(exceeding)
    run_inputs("%node web1")
    assert "3" in run_inputs("%limits max_resources").split(), (
        "a session with other settings has the same limits"
    )
    assert "100,000" in run_inputs("%limits max_resources default")
    assert "LIMIT" not in run_inputs(exceeding)
    assert "can only be lowered here, to at most 100,000" in run_inputs("%limits max_resources 100001")
    assert "help: Start `puppet-repl` with `--limit max_resources=AMOUNT`" in run_inputs(
        "%limits max_resources 1e99"
    )
    assert "100,000" in run_inputs("%limits max_resources")
    assert "did you mean max_resources?" in run_inputs("%limits max_resource 3")
    assert "a number greater than 0, not 'many'" in run_inputs("%limits max_resources many")


def test_cells_are_undone_and_redone(run_inputs: Say) -> None:
    assert run_inputs("%undo") == "error: There is nothing to undo"
    assert run_inputs("$a = 1", "$b = 2", "%undo") == "undone: $b = 2"
    assert run_inputs("%vars") == "$a  1"
    assert run_inputs("%redo") == "redone: $b = 2"
    assert run_inputs("%redo") == "error: There is nothing to redo"
    assert run_inputs("$b") == "2"


def test_cells_are_listed_and_reset(run_inputs: Say) -> None:
    assert run_inputs("%cells") == "No cell has run yet."
    output = run_inputs("# first\n$a = 1", "fail('x')", "notice(1)\nnotice(2)", "%cells")
    listed = re.sub(r"\d[\d.]* (s|ms|µs) +", "TIME ", output)
    assert re.sub(" +", " ", listed) == "[1] TIME $a = 1\n[2] TIME FAILED fail('x')\n[3] TIME notice(1) …"
    assert run_inputs("%reset", "%cells") == "No cell has run yet."


def test_the_duration_of_code_is_measured(run_inputs: Say) -> None:
    value, seconds = run_inputs("%time [1, 2].map |$x| { $x * 2 }").split("\n")
    assert value == "[2, 4]"
    assert seconds.endswith("s")


def test_the_time_command_reports_errors_at_their_position(run_inputs: Say) -> None:
    assert "2 │ 1 / 0" in run_inputs("%time\n1 / 0")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1210, "1,210 s"), (2.5, "2.5 s"), (0.0123, "12.3 ms"), (0.0009996, "1,000 µs"), (0.0000456, "45.6 µs")],
)
def test_durations_are_formatted_with_a_unit(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_code_is_formatted(run_inputs: Say) -> None:
    assert run_inputs("%format file{'a':b=>1}") == "file { 'a': b => 1 }"
    assert (
        run_inputs("%format")
        == "error: There is nothing to format\nhelp: %format CODE, or %format after a cell"
    )
    assert run_inputs("$x=1", "%format") == "$x = 1"
    assert run_inputs("%dialect spec", "%format $x [1]") == "$x[1]"
    assert run_inputs("%dialect puppet", "%format $x [1]") == "$x\n[1]"


def test_an_error_code_is_explained(run_inputs: Say) -> None:
    assert run_inputs("%explain illegal_reassignment").startswith("ILLEGAL_REASSIGNMENT\n")
    assert "did you mean ILLEGAL_REASSIGNMENT?" in run_inputs("%explain ILLEGAL_REASIGNMENT")


def test_the_graph_of_the_catalog_is_shown(run_inputs: Say) -> None:
    assert run_inputs("notify { 'a': }", "%graph") == "Notify[a]"


@pytest.mark.parametrize("source", ["%quit", "%exit", "exit", "quit()", " exit()\n", "%clear"])
def test_commands_request_actions_of_the_front_end(shell: Shell, source: str) -> None:
    assert shell.submit(source).action == {"%clear": "clear"}.get(source, "quit")


def test_only_a_call_without_arguments_ends_the_front_end(shell: Shell) -> None:
    for source in ("exit(1)", "exit() + 1", "'exit()'"):
        assert shell.submit(source).action == ""


def test_help_is_requested_with_question_marks(shell: Shell, run_inputs: Say) -> None:
    run_inputs("class a($x) { notify { 'x': } }")
    assert run_inputs("?a") == "class a($x)\n\nclass of this program; include a evaluates it"
    assert "notify { 'x': }" in run_inputs("??a")
    assert shell.submit("??a").page
    assert not shell.submit("?a").page
    assert "resource type of Puppet" in run_inputs("?file") and "function of Puppet" in run_inputs("?file")


def test_every_topic_has_help(shell: Shell) -> None:
    from puppet_kernel.commands.help import list_topics

    topics = list_topics(shell)
    assert {"map", "Integer", "file", "if", "=~", "require", "catalog", "ILLEGAL_REASSIGNMENT"} <= set(topics)
    for topic in topics:
        assert shell.submit(f"%help {topic}").error is None, topic


def test_help_lists_all_meanings_of_a_name(run_inputs: Say) -> None:
    output = run_inputs("%help require")
    assert "function of Puppet" in output and "metaparameter" in output
    assert "%time CODE" in run_inputs("%help time") and "seconds since 1970" in run_inputs("%help time")
    assert "%time CODE" not in run_inputs("?time") and "%time CODE" in run_inputs("?%time")
    assert run_inputs("%help illegal_reassignment").startswith("ILLEGAL_REASSIGNMENT\n")
    assert run_inputs("???").startswith("value ? {") and run_inputs("%help ?") == run_inputs("???")
    assert "did you mean map?" in run_inputs("%help mapp")
    assert "did you mean $port?" in run_inputs("$port = 80", "?$prot")
    assert "did you mean" not in run_inputs("?$qxz")


def test_commands_may_precede_code(log_lines: list[str], run_inputs: Say) -> None:
    output = run_inputs("# a comment\n%node web1\n%vars\n\nnotice($trusted)\n$x = 1")
    assert output.endswith("\n\n1")
    assert len(log_lines) == 1
    assert "5 │ $x = 2" in run_inputs("%reset\n\n# again\n$x = 1\n$x = 2")
    assert run_inputs("  # an indented comment\n%reset\n3").endswith("\n\n3")


def test_code_may_contain_lines_that_begin_as_commands() -> None:
    assert ParsedInput("$x = 7\n% 2", COMMANDS.takes_code).directives == []
    assert ParsedInput("$x = $y\n? { default => 1 }", COMMANDS.takes_code).directives == []


def test_positions_in_an_input_are_preserved() -> None:
    parsed = ParsedInput("%vars\n  %time foo(\n1)", COMMANDS.takes_code)
    assert parsed.code == "     \n        foo(\n1)"
    assert [directive.text for directive in parsed.directives] == ["%vars", "%time"]
    assert parsed.takes_code and parsed.has_code
    assert parsed.directive_at(2) is parsed.directives[0]
    assert parsed.directive_at(20) is None


def test_the_status_of_an_input_is_that_of_its_code(shell: Shell) -> None:
    assert shell.status("%time class a {").kind == "incomplete"
    assert shell.status("%vars").kind == "complete"
    assert shell.status("%vars\nclass a {").kind == "incomplete"
    assert shell.status("?class a {").kind == "complete"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%ca", "%catalog"),
        ("%catalog --", "--json"),
        ("%dialect p", "puppet"),
        ("%limits max_re", "max_resources"),
        ("%explain ILLEGAL_REA", "ILLEGAL_REASSIGNMENT"),
        ("%help gra", "graph"),
        ("?camelc", "camelcase"),
        ("%time camelc", "camelcase"),
        ("%vars\ncamelc", "camelcase"),
    ],
)
def test_commands_and_their_arguments_are_completed(shell: Shell, source: str, expected: str) -> None:
    completion = shell.complete(source, len(source))
    assert expected in [item.text for item in completion.items]
    assert expected.startswith(source[completion.start : completion.end])


def test_commands_and_names_have_cards(shell: Shell) -> None:
    assert shell.inspect("%catalog", 3).kind == "command"
    assert shell.inspect("?join", 4).name == "join"
    assert shell.inspect("%vars\njoin([1])", 8).name == "join"


def test_a_defect_of_the_kernel_is_reported_as_an_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell.session, "run", lambda *arguments, **settings: 1 / 0)
    reply = shell.submit("1")
    assert reply.error is not None and reply.error.code == "INTERNAL_ERROR"
    assert "ZeroDivisionError" in reply.error.message


@pytest.mark.usefixtures("unhurried_notes")
def test_each_cell_has_its_note_about_the_other_dialect() -> None:
    """Only pending notes are omitted after a cell with the same note."""
    shell = Shell({})
    replies = [shell.submit(source) for source in ("{ 1 => 2 } =~ Data", "/x/ =~ Data", "/y/ =~ Data")]
    assert all(reply.element is not None and "data_model" in render_plain(reply.element) for reply in replies)


def test_every_rule_of_a_note_has_help() -> None:
    shell = Shell({})
    for rule, description in SWITCHES.items():
        reply = shell.submit(f"?{rule}")
        assert reply.element is not None
        output = " ".join(render_plain(reply.element).split())
        assert description.split()[0].strip("`") in output
        assert re.search(
            "rule of the specification(?:, [A-Z].*)?, on in this session|rule of [A-Z].*, off in this session",
            output,
        )
