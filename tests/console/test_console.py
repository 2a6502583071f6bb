"""The interactive prompt in a terminal, used with the keyboard."""

from __future__ import annotations

import json
import os
import signal
import stat
from pathlib import Path

import pexpect
import pytest
from screens import PROMPT, Screen


def test_a_value_is_printed_with_its_type(terminal: Screen) -> None:
    assert "\n42  # Integer\n" in terminal.enter("6 * 7")


def test_added_resources_are_printed(terminal: Screen) -> None:
    assert "+ notify { 'a':\n    message => 'hi',\n  }\n" in terminal.enter("notify { 'a': message => 'hi' }")


def test_an_input_continues_until_it_is_complete_and_is_indented(terminal: Screen) -> None:
    terminal.press_keys("class a {\rnotify { 'b':\rmessage => 'hi',\r}\r}")
    terminal.wait_for("      … }")
    assert terminal.lines[1:6] == [
        "puppet> class a {",
        "      …   notify { 'b':",
        "      …     message => 'hi',",
        "      …   }",
        "      … }",
    ]
    terminal.press_keys("\r")
    terminal.wait_for("defined class a")


def test_a_heredoc_can_contain_an_empty_line(terminal: Screen) -> None:
    terminal.press_keys("$x = @(END)\ra\r\r  b\r| END\r")
    terminal.wait_for(lambda text: "# String" in text)
    assert '"a\\n\\n  b\\n"  # String' in terminal.text


def test_alt_enter_adds_a_line_to_a_complete_input(terminal: Screen) -> None:
    terminal.press_keys("1\x1b\r+ 1\r")
    terminal.wait_for("2  # Integer")


def test_an_error_shows_its_position_and_the_session_continues(terminal: Screen) -> None:
    screen = terminal.enter("[1].lenght")
    assert "error[UNKNOWN_FUNCTION]: Unknown function: 'lenght'." in screen
    assert "1 │ [1].lenght" in screen
    assert "did you mean length?" in screen
    assert "1  # Integer" in terminal.enter("1")


def test_an_error_is_wrapped_between_words(terminal: Screen) -> None:
    screen = terminal.enter("notify { 'x': } notify { 'x': }")
    assert "Resource Statement, Duplicate declaration:\nNotify[x] is already declared" in screen


def test_ctrl_c_stops_the_program_and_keeps_the_session(terminal: Screen) -> None:
    terminal.enter("$kept = 7")
    terminal.press_keys("notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }\r")
    terminal.wait_for("Notice: it runs")
    terminal.press_keys("\x03")
    terminal.wait_for("error: Interrupted; the session is unchanged")
    assert "\n8  # Integer" in terminal.enter("$kept + 1")


def test_ctrl_c_discards_an_unfinished_input(terminal: Screen) -> None:
    terminal.press_keys("class a {\r")
    terminal.wait_for("      …")
    before = terminal.count_prompts()
    terminal.press_keys("\x03")
    terminal.wait_for(lambda text: text.count(PROMPT) > before)
    assert "1  # Integer" in terminal.enter("1")


def test_ctrl_d_and_commands_exit(tmp_path: Path) -> None:
    for keys in ("\x04", "%quit\r", "%exit\r"):
        screen = Screen(tmp_path)
        screen.wait_for(PROMPT)
        screen.press_keys(keys)
        screen.child.expect(pexpect.EOF)
        screen.child.close()
        assert screen.child.exitstatus == 0


def test_a_narrow_terminal_wraps_between_words(tmp_path: Path) -> None:
    screen = Screen(tmp_path, columns=60)
    screen.wait_for("%help lists commands,\nCtrl-D leaves.")
    assert "two values:\nnothing is called" in screen.enter('print "hi"')
    screen.child.close(force=True)


def test_completions_are_displayed_while_typing(terminal: Screen) -> None:
    terminal.press_keys("file { '/x': ens")
    terminal.wait_for("absent, present, file, directory, link")
    terminal.press_keys("\t => file }\r")
    terminal.wait_for("+ file { '/x':")


def test_completions_of_keys_come_from_the_value(terminal: Screen) -> None:
    terminal.press_keys("$facts['os']['fam")
    terminal.wait_for("family")
    terminal.press_keys("\t']\r")
    terminal.wait_for("'Debian'  # String")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('notice("a\\u{1B}]0;title\\u{7}b")', "Notice: a\\e]0;title\\ab"),
        ('"\\u{1B}[31m"', '"\\u{1B}[31m"'),
        ('fail("x\\u{9B}2Jy")', "error: Error while evaluating a Function Call, x\\u{9B}2Jy"),
        ('notify { "a\\u{202E}b": }', "a\\u{202E}b"),
    ],
)
def test_data_cannot_control_the_terminal(terminal: Screen, code: str, expected: str) -> None:
    terminal.read()
    before = len(terminal.raw)
    terminal.press_keys(code + "\r")
    terminal.wait_for(expected)
    output = terminal.raw[before:].decode()
    for sequence in ("\x1b]0;", "\x9b", "\x07", "\u202e"):
        assert sequence not in output


def test_only_the_owner_can_read_the_history(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.wait_for(PROMPT)
    screen.enter("$first = 1")
    screen.enter("$secret = Sensitive('hunter2')")
    screen.exit()
    path = tmp_path / "puppet-kernel" / "history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [json.loads(line) for line in path.read_text().splitlines()] == ["$first = 1"]
    second = Screen(tmp_path)
    second.wait_for(PROMPT)
    second.press_keys("\x1b[A")
    second.wait_for("puppet> $first = 1")
    second.child.close(force=True)


def test_a_damaged_history_causes_one_warning(tmp_path: Path) -> None:
    path = tmp_path / "puppet-kernel" / "history"
    path.parent.mkdir()
    path.write_bytes(b'"1 + 1"\n\xff\xfe garbage\n"2 + 2"\n')
    path.chmod(0o644)
    screen = Screen(tmp_path)
    screen.wait_for(PROMPT)
    assert screen.text.count("warning: 1 damaged entry") == 1
    screen.press_keys("\x1b[A")
    screen.wait_for("puppet> 2 + 2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    screen.child.close(force=True)


def test_a_history_that_cannot_be_written_causes_one_warning(tmp_path: Path) -> None:
    directory = tmp_path / "puppet-kernel"
    directory.mkdir()
    (directory / "history").symlink_to(tmp_path / "elsewhere")
    screen = Screen(tmp_path)
    screen.wait_for(PROMPT)
    screen.enter("1")
    assert screen.text.count("warning: history is off") == 1
    assert not (tmp_path / "elsewhere").exists()
    assert screen.exit() == 0


def test_the_dialect_of_a_repository_is_shown_at_the_start(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "--environment", str(tmp_path))
    screen.wait_for("compiled in puppet: ")
    screen.child.close(force=True)


def test_the_variable_no_color_disables_colors(tmp_path: Path) -> None:
    screen = Screen(tmp_path, NO_COLOR="1")
    screen.wait_for(PROMPT)
    screen.enter("fail('x')")
    assert b"\x1b[1;31m" not in screen.raw
    screen.child.close(force=True)


def test_a_signal_ends_the_command_with_its_exit_code(terminal: Screen) -> None:
    os.kill(terminal.child.pid, signal.SIGTERM)
    terminal.child.expect(pexpect.EOF)
    terminal.child.close()
    assert terminal.child.exitstatus == 128 + signal.SIGTERM


def test_a_very_small_terminal_shows_values(tmp_path: Path) -> None:
    screen = Screen(tmp_path, columns=24, rows=8)
    screen.wait_for(PROMPT)
    screen.press_keys("$facts['os']\r")
    screen.wait_for(lambda _: b"'name'" in screen.raw)  # It may have scrolled off the screen.
    assert screen.exit() == 0


def test_commands_print_their_results(terminal: Screen) -> None:
    terminal.enter("notify { 'a': }")
    assert "notify { 'a': }" in terminal.enter("%catalog")
    assert "Notify[a]" in terminal.enter("%graph")
    assert "undone: notify { 'a': }" in terminal.enter("%undo")
    assert "The catalog is empty." in terminal.enter("%catalog")
    assert "redone: notify { 'a': }" in terminal.enter("%redo")
    assert "Join the elements of an array" in terminal.enter("?join")


def test_a_long_output_of_a_command_is_paged(tmp_path: Path) -> None:
    terminal = Screen(tmp_path, rows=20, PAGER="sed s/^/paged:/")
    terminal.wait_for(PROMPT)
    terminal.press_keys("%help\r")
    terminal.wait_for("paged:%quit")
    terminal.press_keys("%node\r")
    terminal.wait_for("\nlocalhost\n")
    terminal.press_keys('Integer[1, 40].map |$n| { "line number ${n} of the value" }\r')
    terminal.wait_for("\n  'line number 40 of the value',\n]")
    terminal.child.close(force=True)


def test_a_program_is_debugged(terminal: Screen) -> None:
    terminal.press_keys("%debug [4].each |$n| {\x1b\r$x = $n }\r")
    terminal.wait_for("(debug)")
    terminal.press_keys("into\r")
    terminal.wait_for(lambda text: text.count("(debug)") == 2)
    assert "lambda of each" in terminal.text
    terminal.press_keys("$n + 1\r")
    terminal.wait_for(lambda text: text.count("(debug)") == 3)
    assert "\n5\n" in terminal.text
    terminal.press_keys("\x03")
    terminal.wait_for("Interrupted")
    assert "1  # Integer" in terminal.enter("1")


def test_a_repeated_command_shows_the_present_state(terminal: Screen) -> None:
    terminal.enter("$x = 1")
    assert "$x  1" in terminal.enter("%vars").replace("   ", "  ")
    terminal.enter("$later = 2")
    assert "$later" in terminal.enter("%vars")
