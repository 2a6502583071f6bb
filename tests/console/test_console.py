"""The prompt as users meet it: in a terminal, through the keyboard."""

from __future__ import annotations

import json
import os
import signal
import stat
from pathlib import Path

import pexpect
import pytest
from screens import PROMPT, Screen


def test_a_value_and_its_type(terminal: Screen) -> None:
    assert "\n42  # Integer\n" in terminal.enter("6 * 7")


def test_what_a_cell_adds_to_the_catalog(terminal: Screen) -> None:
    assert "+ notify { 'a':\n    message => 'hi',\n  }\n" in terminal.enter("notify { 'a': message => 'hi' }")


def test_an_input_goes_on_until_it_is_complete_and_is_indented(terminal: Screen) -> None:
    terminal.type("class a {\rnotify { 'b':\rmessage => 'hi',\r}\r}")
    terminal.wait("      … }")
    assert terminal.lines[1:6] == [
        "puppet> class a {",
        "      …   notify { 'b':",
        "      …     message => 'hi',",
        "      …   }",
        "      … }",
    ]
    terminal.type("\r")
    terminal.wait("defined class a")


def test_a_heredoc_with_an_empty_line(terminal: Screen) -> None:
    terminal.type("$x = @(END)\ra\r\r  b\r| END\r")
    terminal.wait(lambda text: "# String" in text)
    assert '"a\\n\\n  b\\n"  # String' in terminal.text


def test_alt_enter_adds_a_line_to_a_complete_input(terminal: Screen) -> None:
    terminal.type("1\x1b\r+ 1\r")
    terminal.wait("2  # Integer")


def test_an_error_shows_the_place_and_the_session_goes_on(terminal: Screen) -> None:
    screen = terminal.enter("[1].lenght")
    assert "error[UNKNOWN_FUNCTION]: Unknown function: 'lenght'." in screen
    assert "1 │ [1].lenght" in screen
    assert "did you mean length?" in screen
    assert "1  # Integer" in terminal.enter("1")


def test_the_words_of_an_error_are_not_broken(terminal: Screen) -> None:
    screen = terminal.enter("notify { 'x': } notify { 'x': }")
    assert "Resource Statement, Duplicate declaration:\nNotify[x] is already declared" in screen


def test_ctrl_c_stops_the_program_and_keeps_the_session(terminal: Screen) -> None:
    terminal.enter("$kept = 7")
    terminal.type("notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }\r")
    terminal.wait("Notice: it runs")
    terminal.type("\x03")
    terminal.wait("error: Interrupted; the session is unchanged")
    assert "\n8  # Integer" in terminal.enter("$kept + 1")


def test_ctrl_c_drops_an_unfinished_input(terminal: Screen) -> None:
    terminal.type("class a {\r")
    terminal.wait("      …")
    before = terminal.prompts()
    terminal.type("\x03")
    terminal.wait(lambda text: text.count(PROMPT) > before)
    assert "1  # Integer" in terminal.enter("1")


def test_ctrl_d_and_the_commands_leave(tmp_path: Path) -> None:
    for way in ("\x04", "%quit\r", "%exit\r"):
        screen = Screen(tmp_path)
        screen.wait(PROMPT)
        screen.type(way)
        screen.child.expect(pexpect.EOF)
        screen.child.close()
        assert screen.child.exitstatus == 0


def test_a_narrow_terminal_breaks_no_word(tmp_path: Path) -> None:
    screen = Screen(tmp_path, columns=60)
    screen.wait("%help lists commands,\nCtrl-D leaves.")
    assert "two values:\nnothing is called" in screen.enter('print "hi"')
    screen.child.close(force=True)


def test_completion_while_typing(terminal: Screen) -> None:
    terminal.type("file { '/x': ens")
    terminal.wait("absent, present, file, directory, link")
    terminal.type("\t => file }\r")
    terminal.wait("+ file { '/x':")


def test_completion_of_keys_comes_from_the_value(terminal: Screen) -> None:
    terminal.type("$facts['os']['fam")
    terminal.wait("family")
    terminal.type("\t']\r")
    terminal.wait("'Debian'  # String")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('notice("a\\u{1B}]0;title\\u{7}b")', "Notice: a\\e]0;title\\ab"),
        ('"\\u{1B}[31m"', '"\\u{1B}[31m"'),
        ('fail("x\\u{9B}2Jy")', "error: Error while evaluating a Function Call, x\\u{9B}2Jy"),
        ('notify { "a\\u{202E}b": }', "a\\u{202E}b"),
    ],
)
def test_data_cannot_drive_the_terminal(terminal: Screen, code: str, shown: str) -> None:
    terminal.read()
    before = len(terminal.raw)
    terminal.type(code + "\r")
    terminal.wait(shown)
    written = terminal.raw[before:].decode()
    for wrong in ("\x1b]0;", "\x9b", "\x07", "\u202e"):
        assert wrong not in written


def test_the_history_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.wait(PROMPT)
    screen.enter("$first = 1")
    screen.enter("$secret = Sensitive('hunter2')")
    screen.leave()
    path = tmp_path / "puppet-kernel" / "history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [json.loads(line) for line in path.read_text().splitlines()] == ["$first = 1"]
    again = Screen(tmp_path)
    again.wait(PROMPT)
    again.type("\x1b[A")
    again.wait("puppet> $first = 1")
    again.child.close(force=True)


def test_damage_to_the_history_costs_one_warning(tmp_path: Path) -> None:
    path = tmp_path / "puppet-kernel" / "history"
    path.parent.mkdir()
    path.write_bytes(b'"1 + 1"\n\xff\xfe garbage\n"2 + 2"\n')
    path.chmod(0o644)
    screen = Screen(tmp_path)
    screen.wait(PROMPT)
    assert screen.text.count("warning: 1 damaged entry") == 1
    screen.type("\x1b[A")
    screen.wait("puppet> 2 + 2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    screen.child.close(force=True)


def test_a_history_that_cannot_be_kept_costs_one_warning(tmp_path: Path) -> None:
    directory = tmp_path / "puppet-kernel"
    directory.mkdir()
    (directory / "history").symlink_to(tmp_path / "elsewhere")
    screen = Screen(tmp_path)
    screen.wait(PROMPT)
    screen.enter("1")
    assert screen.text.count("warning: history is off") == 1
    assert not (tmp_path / "elsewhere").exists()
    assert screen.leave() == 0


def test_the_dialect_of_a_repository_is_shown_at_the_start(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "--environment", str(tmp_path))
    screen.wait("compiled in puppet: ")
    screen.child.close(force=True)


def test_no_color(tmp_path: Path) -> None:
    screen = Screen(tmp_path, NO_COLOR="1")
    screen.wait(PROMPT)
    screen.enter("fail('x')")
    assert b"\x1b[1;31m" not in screen.raw
    screen.child.close(force=True)


def test_a_signal_ends_it_in_order(terminal: Screen) -> None:
    os.kill(terminal.child.pid, signal.SIGTERM)
    terminal.child.expect(pexpect.EOF)
    terminal.child.close()
    assert terminal.child.exitstatus == 128 + signal.SIGTERM


def test_a_narrow_terminal(tmp_path: Path) -> None:
    screen = Screen(tmp_path, columns=24, rows=8)
    screen.wait(PROMPT)
    screen.type("$facts['os']\r")
    screen.wait(lambda _: b"'name'" in screen.raw)  # it may have left the screen already
    assert screen.leave() == 0


def test_commands_answer(terminal: Screen) -> None:
    terminal.enter("notify { 'a': }")
    assert "notify { 'a': }" in terminal.enter("%catalog")
    assert "Notify[a]" in terminal.enter("%graph")
    assert "undone: notify { 'a': }" in terminal.enter("%undo")
    assert "The catalog is empty." in terminal.enter("%catalog")
    assert "redone: notify { 'a': }" in terminal.enter("%redo")
    assert "Join the elements of an array" in terminal.enter("?join")


def test_a_long_answer_goes_through_the_pager(tmp_path: Path) -> None:
    terminal = Screen(tmp_path, rows=20, PAGER="sed s/^/paged:/")
    terminal.wait(PROMPT)
    terminal.type("%help\r")
    terminal.wait("paged:%quit")
    terminal.type("%node\r")
    terminal.wait("\nlocalhost\n")
    terminal.type('Integer[1, 40].map |$n| { "line number ${n} of the value" }\r')
    terminal.wait("\n  'line number 40 of the value',\n]")
    terminal.child.close(force=True)


def test_code_is_debugged(terminal: Screen) -> None:
    terminal.type("%debug [4].each |$n| {\x1b\r$x = $n }\r")
    terminal.wait("(debug)")
    terminal.type("into\r")
    terminal.wait(lambda text: text.count("(debug)") == 2)
    assert "lambda of each" in terminal.text
    terminal.type("$n + 1\r")
    terminal.wait(lambda text: text.count("(debug)") == 3)
    assert "\n5\n" in terminal.text
    terminal.type("\x03")
    terminal.wait("Interrupted")
    assert "1  # Integer" in terminal.enter("1")


def test_the_same_command_again_shows_what_there_is_now(terminal: Screen) -> None:
    terminal.enter("$x = 1")
    assert "$x  1" in terminal.enter("%vars").replace("   ", "  ")
    terminal.enter("$later = 2")
    assert "$later" in terminal.enter("%vars")
