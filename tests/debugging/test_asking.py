"""`%break` and `%debug` ask an interactive user at each stop what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_kernel.debugging import GREETING
from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

DOUBLE = "function double($x) {\n  $y = $x * 2\n  $y\n}"


class Scripted:
    """A user who gives one answer after the other, and then none.

    shown  what they saw meanwhile, but for the greeting;  greeted  how often they saw that
    """

    def __init__(self, *words: str) -> None:
        self.is_available = True
        self._words: Iterator[str] = iter(words)
        self.shown: list[str] = []
        self.greeted = 0

    def show(self, element: Element) -> None:
        """Takes note."""
        if render_plain(element) == GREETING:
            self.greeted += 1
        else:
            self.shown.append(render_plain(element))

    def read_line(self, prompt: str) -> str | None:
        """The next word."""
        return next(self._words, None)


def shell(*words: str, **settings: Any) -> tuple[Shell, Scripted]:
    """Return a shell with a user who gives these answers."""
    made, person = Shell(settings), Scripted(*words)
    made.debug_console = person
    return made, person


def said(reply: Any) -> str:
    """Return the text of a reply."""
    return "" if reply.element is None else render_plain(reply.element)


def test_code_is_run_line_by_line() -> None:
    one, person = shell("next", "", "vars", "continue")
    reply = one.submit("%debug $a = 1\n$b = $a + 1\nnotice($b)")
    assert reply.error is None
    lines = [next(row for row in text.splitlines() if row.startswith("→")) for text in person.shown[:3]]
    assert [row.split() for row in lines] == [
        ["→", "1", "$a", "=", "1"],
        ["→", "2", "$b", "=", "$a", "+", "1"],
        ["→", "3", "notice($b)"],
    ]
    assert person.shown[3].split() == ["$a", "1", "$b", "2"]
    assert person.greeted == 1
    assert dict(one.session.assistant.iterate_variables())["b"] == 2


def test_all_that_can_be_said() -> None:
    one, person = shell(
        "next", "into", "into", "stack", "$x + 1", "$x +", "up", "vars", "up", "up", "down", "help"
    )
    one.submit(DOUBLE)
    one.submit("%debug notify { 'a': }\n[4].each |$n| {\n  double($n)\n}")
    stack, value, wrong, up, variables, further, no_more, down, help_ = person.shown[4:]
    assert [row.split(",")[0].strip("→ ") for row in stack.splitlines()] == [
        "function double",
        "lambda of each",
        "cell [2]",
    ]
    assert value == "5"
    assert wrong.startswith("error[SYNTAX_ERROR]")
    assert up.startswith("lambda of each") and further.startswith("cell [2]") and down == up
    assert variables.split() == ["$n", "4"]
    assert "no more frames" in no_more
    assert "continue" in help_


def test_the_catalog_so_far_is_shown() -> None:
    one, person = shell("catalog", "next", "catalog", "notice('seen') 7", "continue")
    one.submit("%debug notify { 'a': }\n$b = 1")
    assert "empty" in person.shown[1]
    assert "Notify[a]" in person.shown[3]
    assert person.shown[4:] == ["Notice: seen", "7"]


def test_a_program_is_ended() -> None:
    one, _ = shell("next", "quit")
    reply = one.submit("%debug $a = 1\n$b = 2")
    assert reply.error is not None and reply.error.code == "INTERRUPTED"
    assert not {"a", "b"} & dict(one.session.assistant.iterate_variables()).keys()


def test_a_breakpoint_in_a_cell_stops_those_after_it() -> None:
    one, person = shell("$x", "continue", "$x", "continue")
    one.submit(DOUBLE)
    assert said(one.submit("%break [1]:2 if $x > 1")).split() == ["[1]:2", "if", "$x", ">", "1"]
    one.submit("[1, 2, 3].map |$n| { double($n) }")
    assert [text for text in person.shown if text.isdigit()] == ["2", "3"]
    assert said(one.submit("%break")).startswith("[1]:2")
    one.submit("%break [1]:2 off")
    assert not one.can_stop
    assert said(one.submit("%break")).startswith("No breakpoint is set")
    one.submit("%break [1]:3")
    assert one.can_stop
    one.submit("%break off")
    one.submit("double(9)")
    assert len(person.shown) == 4


def test_a_breakpoint_in_the_file_of_a_module(tmp_path: Path) -> None:
    file = tmp_path / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text("class web($port = 80) {\n  $url = $port\n}\n")
    one, person = shell("$port", "continue", modulepath=[tmp_path])
    assert said(one.submit("%break web/manifests/init.pp:2")).strip() == f"{file}:2"
    one.submit("include web")
    assert "class web" in person.shown[0] and person.shown[1] == "80"
    one.submit(f"%break {file}:2 off")
    assert not one.can_stop


def test_what_cannot_be_done_is_told() -> None:
    one, _ = shell()
    one.submit("$a = 1")
    for source, words in {
        "%break x": "takes a cell or file",
        "%break [7]:1": "no cell [7]",
        "%break nowhere.pp:1": "cannot be read",
        "%break [1]:9": "There is no statement on line 9",
        "%debug": "takes the code",
    }.items():
        reply = one.submit(source)
        assert reply.error is not None and words in reply.error.message, source
    assert not one.can_stop
    alone = Shell({})
    assert "There is no user here" in alone.submit("%debug $a = 1").error.message  # type: ignore[union-attr]


def test_nobody_is_waited_for() -> None:
    one, person = shell()
    one.submit(DOUBLE)
    one.submit("%break [1]:2")
    person.is_available = False
    assert said(one.submit("double(2)")).startswith("4")
    assert not person.shown


def test_breakpoints_stay_when_the_session_is_another() -> None:
    one, person = shell("continue")
    one.submit(DOUBLE)
    one.submit("%break [1]:2")
    one.submit("%dialect puppet")
    one.submit("double(2)")
    assert len(person.shown) == 1


def test_a_variable_hides_that_of_the_ninth_lambda_around() -> None:
    opening = "".join(f"with({number}) |$v{number}| {{\n" for number in range(9))
    inner = "with(9) |$n| {\n$z = $x\n$x = 'inner'\nnotice($x)\n}"
    one, person = shell("$x", "continue")
    one.submit(f"define a() {{\n{opening}$x = 'outer'\n{inner}{'}' * 9} }}")
    one.submit("%break [1]:15")
    one.submit("a { 'x': }")
    assert person.shown[1] == "'inner'"
