"""`%break` and `%debug` prompt an interactive user for a debugger command at each stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_kernel.debugging import GREETING
from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply

DOUBLE = "function double($x) {\n  $y = $x * 2\n  $y\n}"


class ScriptedUser:
    """A user who types some lines, and then ends the input.

    `outputs` holds what was displayed without the greeting; `greetings` counts how often that was displayed.
    """

    def __init__(self, *lines: str) -> None:
        self.is_available = True
        self._lines: Iterator[str] = iter(lines)
        self.outputs: list[str] = []
        self.greetings = 0

    def show(self, element: Element) -> None:
        """Record a displayed element."""
        if render_plain(element) == GREETING:
            self.greetings += 1
        else:
            self.outputs.append(render_plain(element))

    def read_line(self, prompt: str) -> str | None:
        """Return the next line, or None at the end of the input."""
        return next(self._lines, None)


def make_shell(*lines: str, **settings: Any) -> tuple[Shell, ScriptedUser]:
    """Return a shell and its user, who types these lines."""
    shell, user = Shell(settings), ScriptedUser(*lines)
    shell.debug_console = user
    return shell, user


def test_code_is_debugged_line_by_line() -> None:
    shell, user = make_shell("next", "", "vars", "continue")
    reply = shell.submit("%debug $a = 1\n$b = $a + 1\nnotice($b)")
    assert reply.error is None
    lines = [next(row for row in text.splitlines() if row.startswith("→")) for text in user.outputs[:3]]
    assert [row.split() for row in lines] == [
        ["→", "1", "$a", "=", "1"],
        ["→", "2", "$b", "=", "$a", "+", "1"],
        ["→", "3", "notice($b)"],
    ]
    assert user.outputs[3].split() == ["$a", "1", "$b", "2"]
    assert user.greetings == 1
    assert dict(shell.session.assistant.iterate_variables())["b"] == 2


def test_every_debugger_command_has_an_effect() -> None:
    shell, user = make_shell(
        "next", "into", "into", "stack", "$x + 1", "$x +", "up", "vars", "up", "up", "down", "help"
    )
    shell.submit(DOUBLE)
    shell.submit("%debug notify { 'a': }\n[4].each |$n| {\n  double($n)\n}")
    stack, value, syntax_error, up, variables, further, no_more, down, help_ = user.outputs[4:]
    assert [row.split(",")[0].strip("→ ") for row in stack.splitlines()] == [
        "function double",
        "lambda of each",
        "cell [2]",
    ]
    assert value == "5"
    assert syntax_error.startswith("error[SYNTAX_ERROR]")
    assert up.startswith("lambda of each") and further.startswith("cell [2]") and down == up
    assert variables.split() == ["$n", "4"]
    assert "no more frames" in no_more
    assert "continue" in help_


def test_the_catalog_at_a_stop_is_shown() -> None:
    shell, user = make_shell("catalog", "next", "catalog", "notice('seen') 7", "continue")
    shell.submit("%debug notify { 'a': }\n$b = 1")
    assert "empty" in user.outputs[1]
    assert "Notify[a]" in user.outputs[3]
    assert user.outputs[4:] == ["Notice: seen", "7"]


def test_a_program_is_ended_at_a_stop() -> None:
    shell, _ = make_shell("next", "quit")
    reply = shell.submit("%debug $a = 1\n$b = 2")
    assert reply.error is not None and reply.error.code == "INTERRUPTED"
    assert not {"a", "b"} & dict(shell.session.assistant.iterate_variables()).keys()


def test_a_breakpoint_in_a_cell_stops_those_after_it() -> None:
    shell, user = make_shell("$x", "continue", "$x", "continue")
    shell.submit(DOUBLE)
    assert render_reply(shell.submit("%break [1]:2 if $x > 1")).split() == ["[1]:2", "if", "$x", ">", "1"]
    shell.submit("[1, 2, 3].map |$n| { double($n) }")
    assert [text for text in user.outputs if text.isdigit()] == ["2", "3"]
    assert render_reply(shell.submit("%break")).startswith("[1]:2")
    shell.submit("%break [1]:2 off")
    assert not shell.can_stop
    assert render_reply(shell.submit("%break")).startswith("No breakpoint is set")
    shell.submit("%break [1]:3")
    assert shell.can_stop
    shell.submit("%break off")
    shell.submit("double(9)")
    assert len(user.outputs) == 4


def test_a_breakpoint_in_the_file_of_a_module(tmp_path: Path) -> None:
    file = tmp_path / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text("class web($port = 80) {\n  $url = $port\n}\n")
    shell, user = make_shell("$port", "continue", modulepath=[tmp_path])
    assert render_reply(shell.submit("%break web/manifests/init.pp:2")).strip() == f"{file}:2"
    shell.submit("include web")
    assert "class web" in user.outputs[0] and user.outputs[1] == "80"
    shell.submit(f"%break {file}:2 off")
    assert not shell.can_stop


def test_wrong_commands_are_reported() -> None:
    shell, _ = make_shell()
    shell.submit("$a = 1")
    for source, message in {
        "%break x": "takes a cell or file",
        "%break [7]:1": "no cell [7]",
        "%break nowhere.pp:1": "cannot be read",
        "%break [1]:9": "There is no statement on line 9",
        "%debug": "takes the code",
    }.items():
        reply = shell.submit(source)
        assert reply.error is not None and message in reply.error.message, source
    assert not shell.can_stop
    without_user = Shell({})
    assert "There is no user here" in without_user.submit("%debug $a = 1").error.message  # type: ignore[union-attr]


def test_breakpoints_are_ignored_without_a_user() -> None:
    shell, user = make_shell()
    shell.submit(DOUBLE)
    shell.submit("%break [1]:2")
    user.is_available = False
    assert render_reply(shell.submit("double(2)")).startswith("4")
    assert not user.outputs


def test_breakpoints_survive_a_new_session() -> None:
    shell, user = make_shell("continue")
    shell.submit(DOUBLE)
    shell.submit("%break [1]:2")
    shell.submit("%dialect puppet")
    shell.submit("double(2)")
    assert len(user.outputs) == 1


def test_a_variable_of_a_lambda_hides_that_of_the_ninth_outer_lambda() -> None:
    opening = "".join(f"with({number}) |$v{number}| {{\n" for number in range(9))
    inner = "with(9) |$n| {\n$z = $x\n$x = 'inner'\nnotice($x)\n}"
    shell, user = make_shell("$x", "continue")
    shell.submit(f"define a() {{\n{opening}$x = 'outer'\n{inner}{'}' * 9} }}")
    shell.submit("%break [1]:15")
    shell.submit("a { 'x': }")
    assert user.outputs[1] == "'inner'"
