"""A command is one file: its declaration, its help and its code, which is imported when it first runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_kernel import commands
from puppet_kernel.commands.command import DECLARED, make_command_table
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.commands.command_index import find_command_modules

MODULE = f"{commands.__name__}.greeting"
FILE = '''
from puppet_kernel.commands.command import command
from puppet_kernel.rendering.elements import TextElement, make_line


@command(
    "greet",
    arguments="NAME",
    complete_argument=lambda context: ("Ada", "Grace"),
    examples=("%greet Ada",),
)
def greet(context, argument):
    """Greet somebody."""
    return TextElement(make_line(f"Hello, {argument}!"))
'''


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The index of the commands after a file was added to the package; the file is not imported."""
    (tmp_path / "greeting.py").write_text(FILE)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    found = find_command_modules()
    del sys.modules[MODULE], DECLARED["greet"]
    yield found
    sys.modules.pop(MODULE, None)
    DECLARED.pop("greet", None)


def test_a_file_in_the_package_is_a_command_that_is_imported_when_it_runs(modules: dict[str, str]) -> None:
    shell = Shell({"dialect": "puppet"}, commands=make_command_table(modules))
    assert MODULE not in sys.modules
    assert render_plain(shell.submit("%greet Ada").element) == "Hello, Ada!"
    assert MODULE in sys.modules


def test_it_has_help_and_completion(modules: dict[str, str]) -> None:
    shell = Shell({"dialect": "puppet"}, commands=make_command_table(modules))
    assert "Greet somebody." in render_plain(shell.submit("%help greet").element)
    assert [item.text for item in shell.complete("%greet ", 7).items] == ["Ada", "Grace"]
