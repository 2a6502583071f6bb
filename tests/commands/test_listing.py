"""`%functions` and `%classes`: tables to look through."""

from __future__ import annotations

from pathlib import Path

from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell


def asked(shell: Shell, question: str) -> str:
    """The lines of an answer."""
    element = shell.submit(question).element
    assert element is not None
    return render_plain(element)


def test_functions_are_found_by_name_and_words() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit("# Adds one to a number.\nfunction plus_one(Integer $n) { $n + 1 }")
    assert "plus_one  Adds one to a number. (defined here)" in asked(shell, "%functions PLUS")
    assert "plus_one" in asked(shell, "%functions adds one")
    assert "upcase" in asked(shell, "%functions upcase")
    assert asked(shell, "%functions nosuchthing").startswith(
        "There are no functions whose name or description contains"
    )


def test_all_functions_are_folded_by_their_first_letter() -> None:
    shell = Shell({})
    reply = shell.submit("%functions")
    assert reply.page and reply.element is not None
    shown = render_html(reply.element)
    assert "<details>" in shown and "<details open" not in shown
    for name in ("abs", "map", "with"):
        assert name in render_plain(reply.element)


def test_classes_are_those_of_the_program_and_of_modules(tmp_path: Path) -> None:
    manifests = tmp_path / "ntp" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("# Keeps the time.\nclass ntp { }\n")
    (manifests / "server.pp").write_text("class ntp::server { }\n")
    shell = Shell({"modulepath": [str(tmp_path)]})
    assert asked(shell, "%classes none") == "There are no classes whose name or description contains 'none'."
    shell.submit("class web { }")
    shown = asked(shell, "%classes")
    assert "web  defined here" in shown
    assert "ntp  Keeps the time. (of a module)" in shown
    assert "ntp::server" in asked(shell, "%classes ntp::")
    shell.submit("include ntp")
    shown = asked(shell, "%classes")
    assert "web  defined here" in shown
    assert "ntp  Keeps the time. (of a module)" in shown
