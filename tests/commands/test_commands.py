"""Commands and questions, as both front ends have them."""

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
from puppet_kernel.rendering import views
from puppet_kernel.rendering.literals import format_duration
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

Say = Callable[..., str]


@pytest.fixture
def shell() -> Shell:
    """A shell that keeps its log lines in `lines`."""
    made = Shell({})
    made.lines = []  # type: ignore[attr-defined]
    made.on_log = lambda entry: made.lines.append(render_plain(views.describe_log(entry)))  # type: ignore[attr-defined]
    return made


def test_help_lists_every_command(say: Say) -> None:
    listed = say("%help")
    for command in COMMANDS:
        assert f"%{command.name}" in listed
        assert command.summary in listed
    assert say("?") == listed


def test_every_command_has_a_card(say: Say) -> None:
    for command in COMMANDS:
        assert command.summary in say(f"%help {command.name}") or command.name in ("reset",)


def test_a_command_may_be_shortened_when_that_is_clear(say: Say) -> None:
    assert say("%cat") == "The catalog is empty."
    assert say("%re") == "error: %re may mean %redo or %reset"


def test_a_misspelt_command(say: Say) -> None:
    assert "did you mean %catalog?" in say("%catlog")


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
def test_what_cannot_be_done_is_an_error(shell: Shell, source: str) -> None:
    reply = shell.submit(source)
    assert reply.error is not None and reply.error.code == "COMMAND"


def test_catalog(say: Say) -> None:
    assert say("notify { 'a': message => 'hi' }", "%catalog") == "notify { 'a':\n  message => 'hi',\n}"
    assert '"resources": [' in say("%catalog --json")


def test_what_is_realized_is_shown_as_new_in_the_catalog(say: Say) -> None:
    assert say("@user { 'ann': uid => 1 }") == "+ @user { 'ann':\n    uid => 1,\n  }"
    assert say("realize(User['ann'])") == "+ user { 'ann':  # realized\n    uid => 1,\n  }"
    say("@user { 'bob': }", "if $trusted['certname'] == 'web1' { realize(User['bob']) }")
    assert "+ user { 'bob': }" in say("%node web1")
    assert "- user { 'bob': }" in say("%node web2")


def test_variables_without_facts_and_what_is_built_in(say: Say) -> None:
    assert say("%vars") == "No variables are set."
    assert say("$port = 80", "$name_of_it = 'x'", "%vars") == "$port        80\n$name_of_it  'x'"
    assert say("%vars por") == "$port  80"
    assert "$osfamily" in say("%vars osfam")


def test_facts(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a command reads what programs may read
    assert "osfamily" in say("%facts")
    assert say("%facts os.family") == "'Debian'"
    path = tmp_path / "facts.json"
    path.write_text('{"os": {"family": "Suse"}}')
    assert say("$f = $facts['os']['family']", f"%facts {path}") == "1 cell run again"
    assert say("$f") == "'Suse'"
    assert "bundled are" in say("%facts windows-3")
    assert say("$f") == "'Suse'"


def test_node(say: Say) -> None:
    assert say("%node") == "localhost"
    say("%node web1")
    assert say("%node") == "web1"


def test_another_node_tells_what_it_changed_in_the_catalog(say: Say) -> None:
    say("file { '/a': content => $trusted['certname'], mode => '0644' }", "notify { 'same': }")
    told = say("%node web1")
    assert told == "2 cells run again\n~ file { '/a':\n    content => 'web1',  # was 'localhost'\n  }"


def test_dialect(say: Say) -> None:
    listed = say("%dialect")
    assert listed.startswith("spec: ")
    for words in SWITCHES.values():
        assert "".join(words.split()) in "".join(listed.split())  # folded to the width
    assert say("Integer[5]", "%dialect puppet") == "1 cell run again"
    assert say("%dialect").startswith("puppet: ")
    assert say("Integer[5]").split("\n")[0] == "Integer[5]"


def test_a_cell_that_fails_under_new_settings_is_left_out_and_told(say: Say) -> None:
    told = say("$x = 1", "$y = Integer[9, 3]", "%dialect puppet")
    assert told.startswith("1 cell run again\nwarning: cell [2] is left out: ")


@pytest.mark.parametrize("bare", ["help map", "help %graph", " help  Integer "])
def test_help_about_a_name_may_be_asked_for_in_plain_words(say: Say, bare: str) -> None:
    assert say(bare) == say(f"%{bare.strip()}")
    assert "are two values" in say("help 'map'")


def test_what_sessions_share_is_listed_and_forgotten(say: Say, tmp_path: Path) -> None:
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    (tmp_path / "m" / "manifests" / "init.pp").write_text("class m {}")
    assert Session("puppet", modulepath=[tmp_path]).run("include m").error is None
    files, _ = source_cache.count_files()
    assert files > 0 and "files of modules" in say("%limits")
    say("%reset --all")
    assert source_cache.count_files() == (0, source_cache.MOST_FILES)
    assert "takes --all, not 'everything'" in say("%reset everything")


def test_limits(say: Say) -> None:
    listed = say("%limits")
    for limit in LIMITS.values():
        assert limit.name in listed
    assert "100,000" in say("%limits max_resources")
    assert "3" in say("%limits max_resources 3").split()
    many = 'Integer[1, 9].each |$i| { notify { "n${i}": } }'
    assert "the limit is the setting 'max_resources'" in say(many)
    say("%node web1")
    assert "3" in say("%limits max_resources").split(), "a session with other settings keeps them"
    assert "100,000" in say("%limits max_resources default")
    assert "LIMIT" not in say(many)
    assert "can only be lowered here, to at most 100,000" in say("%limits max_resources 100001")
    assert "help: Start `puppet-repl` with `--limit max_resources=AMOUNT`" in say(
        "%limits max_resources 1e99"
    )
    assert "100,000" in say("%limits max_resources")
    assert "did you mean max_resources?" in say("%limits max_resource 3")
    assert "a number greater than 0, not 'many'" in say("%limits max_resources many")


def test_undo_and_redo(say: Say) -> None:
    assert say("%undo") == "error: There is nothing to undo"
    assert say("$a = 1", "$b = 2", "%undo") == "undone: $b = 2"
    assert say("%vars") == "$a  1"
    assert say("%redo") == "redone: $b = 2"
    assert say("%redo") == "error: There is nothing to redo"
    assert say("$b") == "2"


def test_reset_and_cells(say: Say) -> None:
    assert say("%cells") == "No cell has run yet."
    told = say("# first\n$a = 1", "fail('x')", "notice(1)\nnotice(2)", "%cells")
    listed = re.sub(r"\d[\d.]* (s|ms|µs) +", "TIME ", told)
    assert re.sub(" +", " ", listed) == "[1] TIME $a = 1\n[2] TIME FAILED fail('x')\n[3] TIME notice(1) …"
    assert say("%reset", "%cells") == "No cell has run yet."


def test_time(say: Say) -> None:
    value, seconds = say("%time [1, 2].map |$x| { $x * 2 }").split("\n")
    assert value == "[2, 4]"
    assert seconds.endswith("s")


def test_time_tells_errors_where_they_are(say: Say) -> None:
    assert "2 │ 1 / 0" in say("%time\n1 / 0")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1210, "1,210 s"), (2.5, "2.5 s"), (0.0123, "12.3 ms"), (0.0009996, "1,000 µs"), (0.0000456, "45.6 µs")],
)
def test_duration(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_format(say: Say) -> None:
    assert say("%format file{'a':b=>1}") == "file { 'a': b => 1 }"
    assert say("%format") == "error: There is nothing to format\nhelp: %format CODE, or %format after a cell"
    assert say("$x=1", "%format") == "$x = 1"
    assert say("%dialect spec", "%format $x [1]") == "$x[1]"
    assert say("%dialect puppet", "%format $x [1]") == "$x\n[1]"


def test_explain(say: Say) -> None:
    assert say("%explain illegal_reassignment").startswith("ILLEGAL_REASSIGNMENT\n")
    assert "did you mean ILLEGAL_REASSIGNMENT?" in say("%explain ILLEGAL_REASIGNMENT")


def test_graph(say: Say) -> None:
    assert say("notify { 'a': }", "%graph") == "Notify[a]"


@pytest.mark.parametrize("source", ["%quit", "%exit", "exit", "quit()", " exit()\n", "%clear"])
def test_actions(shell: Shell, source: str) -> None:
    assert shell.submit(source).action == {"%clear": "clear"}.get(source, "quit")


def test_a_call_that_leaves_is_one_without_arguments(shell: Shell) -> None:
    for source in ("exit(1)", "exit() + 1", "'exit()'"):
        assert shell.submit(source).action == ""


def test_questions(shell: Shell, say: Say) -> None:
    say("class a($x) { notify { 'x': } }")
    assert say("?a") == "class a($x)\n\nclass of this program; include a evaluates it"
    assert "notify { 'x': }" in say("??a")
    assert shell.submit("??a").page
    assert not shell.submit("?a").page
    assert "resource type of Puppet" in say("?file") and "function of Puppet" in say("?file")


def test_help_tells_about_every_topic(shell: Shell) -> None:
    from puppet_kernel.commands.help import list_topics

    known = list_topics(shell)
    assert {"map", "Integer", "file", "if", "=~", "require", "catalog", "ILLEGAL_REASSIGNMENT"} <= set(known)
    for topic in known:
        assert shell.submit(f"%help {topic}").error is None, topic


def test_help_tells_all_meanings(say: Say) -> None:
    told = say("%help require")
    assert "function of Puppet" in told and "metaparameter" in told
    assert "%time CODE" in say("%help time") and "seconds since 1970" in say("%help time")
    assert "%time CODE" not in say("?time") and "%time CODE" in say("?%time")
    assert say("%help illegal_reassignment").startswith("ILLEGAL_REASSIGNMENT\n")
    assert say("???").startswith("value ? {") and say("%help ?") == say("???")
    assert "did you mean map?" in say("%help mapp")
    assert "did you mean $port?" in say("$port = 80", "?$prot")
    assert "did you mean" not in say("?$qxz")


def test_commands_may_come_before_code(shell: Shell, say: Say) -> None:
    shown = say("# a comment\n%node web1\n%vars\n\nnotice($trusted)\n$x = 1")
    assert shown.endswith("\n\n1")
    assert len(shell.lines) == 1  # type: ignore[attr-defined]
    assert "5 │ $x = 2" in say("%reset\n\n# again\n$x = 1\n$x = 2")
    assert say("  # an indented comment\n%reset\n3").endswith("\n\n3")


def test_code_may_have_lines_that_begin_like_commands() -> None:
    assert ParsedInput("$x = 7\n% 2", COMMANDS.takes_code).directives == []
    assert ParsedInput("$x = $y\n? { default => 1 }", COMMANDS.takes_code).directives == []


def test_places_in_an_input_stay() -> None:
    given = ParsedInput("%vars\n  %time foo(\n1)", COMMANDS.takes_code)
    assert given.code == "     \n        foo(\n1)"
    assert [place.text for place in given.directives] == ["%vars", "%time"]
    assert given.takes_code and given.has_code
    assert given.directive_at(2) is given.directives[0]
    assert given.directive_at(20) is None


def test_status(shell: Shell) -> None:
    assert shell.status("%time class a {").kind == "incomplete"
    assert shell.status("%vars").kind == "complete"
    assert shell.status("%vars\nclass a {").kind == "incomplete"
    assert shell.status("?class a {").kind == "complete"


@pytest.mark.parametrize(
    ("source", "among"),
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
def test_completion(shell: Shell, source: str, among: str) -> None:
    found = shell.complete(source, len(source))
    assert among in [item.text for item in found.items]
    assert among.startswith(source[found.start : found.end])


def test_inspection(shell: Shell) -> None:
    assert shell.inspect("%catalog", 3).kind == "command"
    assert shell.inspect("?join", 4).name == "join"
    assert shell.inspect("%vars\njoin([1])", 8).name == "join"


def test_a_mistake_of_our_own_is_an_error_too(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell.session, "run", lambda *given, **settings: 1 / 0)
    reply = shell.submit("1")
    assert reply.error is not None and reply.error.code == "INTERNAL_ERROR"
    assert "ZeroDivisionError" in reply.error.message


@pytest.mark.usefixtures("unhurried_notes")
def test_each_cell_tells_what_the_other_dialect_gives() -> None:
    """The same note in the previous cell makes no difference; only pending notes are shown once."""
    desk = Shell({})
    shown = [desk.submit(source) for source in ("{ 1 => 2 } =~ Data", "/x/ =~ Data", "/y/ =~ Data")]
    assert all(reply.element is not None and "data_model" in render_plain(reply.element) for reply in shown)


def test_the_rule_that_a_note_names_can_be_asked_for() -> None:
    desk = Shell({})
    for rule, words in SWITCHES.items():
        reply = desk.submit(f"?{rule}")
        assert reply.element is not None
        told = " ".join(render_plain(reply.element).split())
        assert words.split()[0].strip("`") in told
        assert re.search(
            "rule of the specification(?:, [A-Z].*)?, on in this session|rule of [A-Z].*, off in this session",
            told,
        )
