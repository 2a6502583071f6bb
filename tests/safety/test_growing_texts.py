"""Reading a text of somebody else takes time in proportion to its length, not to the square of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.assistance.cursor import scan_tokens
from evaluator.assistance.documentation import strip_markup
from evaluator.hiera import configuration, providers
from evaluator.session import environment
from lexer_parser import PUPPET, parse
from lexer_parser.errors import PuppetError
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.jupyter.converting import to_manifest
from puppet_kernel.jupyter.parameters import find_replacement

SHORT, GROWTH = 1_000, 16  # units of the shorter text, how many times longer the other one is
MOST = GROWTH * 5  # times as long may it take: the square would be 256


class Cell:
    """A cell of a program."""

    def __init__(self, source: str) -> None:
        self.source = source


def called(source: str) -> Callable[[str], Any]:
    def call(text: str) -> Any:
        return Session("puppet", interactive=True, facts={"text": text}).run(source)

    return call


def parsed(text: str) -> None:
    try:
        parse(text, dialect=PUPPET)
    except PuppetError:
        return


def settings(text: str) -> None:
    Path("environment.conf").write_text(f"manifest = {text}\n")
    try:
        environment._read_settings(os.path.abspath("environment.conf"), [], frozenset())
    except ValueError:
        return


def parameters(text: str) -> None:
    count = len(text)
    defaults, values = ("\n".join(f"$a{i} = {value}" for i in range(count)) for value in (1, 2))
    assert find_replacement(f"# Parameters\n{values}", [Cell(defaults)], PUPPET.name) is not None


LINE = f"%x{' ' * 100}\n"
HEREDOC = "\n$a = @(END)\nwithout end"

# name -> what reads a text, how the text begins, what is repeated in it, how it ends
READERS: dict[str, tuple[Callable[[str], Any], str, str, str]] = {
    "commands in a cell": (lambda text: ParsedInput(text, COMMANDS.takes_code), "", LINE, ""),
    "a cell as manifest": (
        lambda text: to_manifest([{"cell_type": "code", "source": text, "metadata": {}}]),
        *("", LINE, ""),
    ),
    "parameters": (parameters, "", "a", ""),
    "quotes where the cursor stands": (scan_tokens, "", "'\\", ""),
    "brackets in a comment": (strip_markup, "", "[", "a"),
    "addresses in a comment": (strip_markup, "", "[a](b", "a"),
    "an interval of a pattern": (parsed, "/a{", "0", "/"),
    "a character of a pattern": (parsed, "/\\u{", "a", "/"),
    "the tag of a heredoc": (parsed, "# @(", "\t", HEREDOC),
    "tags of heredocs": (parsed, "# ", "@(", HEREDOC),
    "brackets of an address": (called("stdlib::ip_in_range('1.1.1.1', $text)"), "", "[:]", "'"),
    "a format of times": (called("strftime(Timestamp(0), $text)"), "%", "0", "!"),
    "blanks of a secret": (lambda text: providers._SECRET.sub("", text), "ENC[A,", "\n", ""),
    "a line of hiera.yaml": (lambda text: configuration._COMMENT.sub("", text), "", "a*", ""),
    "braces in environment.conf": (settings, "", "{", ""),
    "blanks in environment.conf": (settings, "a", " ", "a"),
}


def seconds(read: Callable[[str], Any], text: str) -> float:
    """The least CPU that it takes."""
    found = []
    for _ in range(3):
        begun = time.process_time()
        read(text)
        found.append(time.process_time() - begun)
    return min(found)


@pytest.mark.parametrize("name", READERS)
def test_time_is_of_the_length(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read, head, unit, tail = READERS[name]
    short, long = (seconds(read, head + unit * count + tail) for count in (SHORT, SHORT * GROWTH))
    assert long < MOST * max(short, 0.0005)
