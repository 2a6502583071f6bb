"""Untrusted text is read in time proportional to its length, not to the square of it."""

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

SHORT, GROWTH = 1_000, 16  # units of the shorter text; ratio of the lengths
MAX_RATIO = GROWTH * 5  # the greatest ratio of the times; quadratic time would have 256


class Cell:
    """A cell of a program."""

    def __init__(self, source: str) -> None:
        self.source = source


def make_call(source: str) -> Callable[[str], Any]:
    """Return a function that runs a program with a text as the fact `text`."""

    def call(text: str) -> Any:
        return Session("puppet", interactive=True, facts={"text": text}).run(source)

    return call


def try_to_parse(text: str) -> None:
    """Parse a program that may have an error."""
    try:
        parse(text, dialect=PUPPET)
    except PuppetError:
        return


def read_environment_settings(text: str) -> None:
    """Read an `environment.conf` with a text as its manifest."""
    Path("environment.conf").write_text(f"manifest = {text}\n")
    try:
        environment._read_settings(os.path.abspath("environment.conf"), [], frozenset())
    except ValueError:
        return


def read_parameters(text: str) -> None:
    """Look for the cell that assigns as many parameters as a text has characters."""
    count = len(text)
    defaults, values = ("\n".join(f"$a{i} = {value}" for i in range(count)) for value in (1, 2))
    assert find_replacement(f"# Parameters\n{values}", [Cell(defaults)], PUPPET.name) is not None


LINE = f"%x{' ' * 100}\n"
HEREDOC = "\n$a = @(END)\nwithout end"

# by name: the function that reads a text, and the beginning, the repeated unit and the end of the text
READERS: dict[str, tuple[Callable[[str], Any], str, str, str]] = {
    "commands in a cell": (lambda text: ParsedInput(text, COMMANDS.takes_code), "", LINE, ""),
    "a cell as manifest": (
        lambda text: to_manifest([{"cell_type": "code", "source": text, "metadata": {}}]),
        *("", LINE, ""),
    ),
    "parameters": (read_parameters, "", "a", ""),
    "quotes where the cursor stands": (scan_tokens, "", "'\\", ""),
    "brackets in a comment": (strip_markup, "", "[", "a"),
    "addresses in a comment": (strip_markup, "", "[a](b", "a"),
    "an interval of a pattern": (try_to_parse, "/a{", "0", "/"),
    "a character of a pattern": (try_to_parse, "/\\u{", "a", "/"),
    "the tag of a heredoc": (try_to_parse, "# @(", "\t", HEREDOC),
    "tags of heredocs": (try_to_parse, "# ", "@(", HEREDOC),
    "brackets of an address": (make_call("stdlib::ip_in_range('1.1.1.1', $text)"), "", "[:]", "'"),
    "a format of times": (make_call("strftime(Timestamp(0), $text)"), "%", "0", "!"),
    "blanks of a secret": (lambda text: providers._SECRET.sub("", text), "ENC[A,", "\n", ""),
    "a line of hiera.yaml": (lambda text: configuration._COMMENT.sub("", text), "", "a*", ""),
    "braces in environment.conf": (read_environment_settings, "", "{", ""),
    "blanks in environment.conf": (read_environment_settings, "a", " ", "a"),
}


def measure_seconds(read: Callable[[str], Any], text: str) -> float:
    """Return the least CPU seconds of three readings."""
    durations = []
    for _ in range(3):
        start = time.process_time()
        read(text)
        durations.append(time.process_time() - start)
    return min(durations)


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_length(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read, head, unit, tail = READERS[name]
    short, long = (measure_seconds(read, head + unit * count + tail) for count in (SHORT, SHORT * GROWTH))
    assert long < MAX_RATIO * max(short, 0.0005)
