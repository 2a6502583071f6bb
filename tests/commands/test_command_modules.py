"""A module of the package declares a command, and is imported on first use."""

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
SOURCE = '''
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
    """Yield the index of commands with a module that was added and is not imported."""
    (tmp_path / "greeting.py").write_text(SOURCE)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    index = find_command_modules()
    del sys.modules[MODULE], DECLARED["greet"]
    yield index
    sys.modules.pop(MODULE, None)
    DECLARED.pop("greet", None)


def test_a_module_of_a_command_is_imported_when_the_command_runs(modules: dict[str, str]) -> None:
    shell = Shell({"dialect": "puppet"}, commands=make_command_table(modules))
    assert MODULE not in sys.modules
    assert render_plain(shell.submit("%greet Ada").element) == "Hello, Ada!"
    assert MODULE in sys.modules


def test_a_command_of_a_new_module_has_help_and_completion(modules: dict[str, str]) -> None:
    shell = Shell({"dialect": "puppet"}, commands=make_command_table(modules))
    assert "Greet somebody." in render_plain(shell.submit("%help greet").element)
    assert [item.text for item in shell.complete("%greet ", 7).items] == ["Ada", "Grace"]
