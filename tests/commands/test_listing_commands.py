"""`%functions` and `%classes` list names whose description contains some words."""

from __future__ import annotations

from pathlib import Path

from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell


def render_output(shell: Shell, command: str) -> str:
    """Return the output of a command as text."""
    element = shell.submit(command).element
    assert element is not None
    return render_plain(element)


def test_functions_are_found_by_name_and_description() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit("# Adds one to a number.\nfunction plus_one(Integer $n) { $n + 1 }")
    assert "plus_one  Adds one to a number. (defined here)" in render_output(shell, "%functions PLUS")
    assert "plus_one" in render_output(shell, "%functions adds one")
    assert "upcase" in render_output(shell, "%functions upcase")
    assert render_output(shell, "%functions nosuchthing").startswith(
        "There are no functions whose name or description contains"
    )


def test_all_functions_are_folded_by_their_first_letter() -> None:
    shell = Shell({})
    reply = shell.submit("%functions")
    assert reply.page and reply.element is not None
    page = render_html(reply.element)
    assert "<details>" in page and "<details open" not in page
    for name in ("abs", "map", "with"):
        assert name in render_plain(reply.element)


def test_classes_of_the_program_and_of_modules_are_listed(tmp_path: Path) -> None:
    manifests = tmp_path / "ntp" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("# Keeps the time.\nclass ntp { }\n")
    (manifests / "server.pp").write_text("class ntp::server { }\n")
    shell = Shell({"modulepath": [str(tmp_path)]})
    message = "There are no classes whose name or description contains 'none'."
    assert render_output(shell, "%classes none") == message
    shell.submit("class web { }")
    output = render_output(shell, "%classes")
    assert "web  defined here" in output
    assert "ntp  Keeps the time. (of a module)" in output
    assert "ntp::server" in render_output(shell, "%classes ntp::")
    shell.submit("include ntp")
    output = render_output(shell, "%classes")
    assert "web  defined here" in output
    assert "ntp  Keeps the time. (of a module)" in output
