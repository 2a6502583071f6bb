"""Syntax errors in JSON and YAML are reported as by the released Puppet.

Each line of `faulty_texts.txt` has the format, a text, and its message: for JSON the text from the error on.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.functions.stdlib.formats import read_json, read_yaml
from evaluator.issues import Failure

yaml = pytest.importorskip("yaml")
RECORDED = (Path(__file__).with_name("faulty_texts.txt")).read_text(encoding="utf-8").splitlines()


def read_rows(format: str) -> list[tuple[str, str]]:
    """Return the texts in a format, each with its message."""
    decoder = json.JSONDecoder()
    rows = []
    for line in RECORDED:
        name, _, rest = line.partition(" ")
        text, end = decoder.raw_decode(rest)
        if name == format:
            rows.append((text, json.loads(rest[end:])))
    return rows


@pytest.mark.parametrize(("text", "message"), read_rows("json"))
def test_a_syntax_error_in_json_is_reported_as_by_the_released_puppet(text: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        read_json(text)
    line, _, description = str(caught.value).partition(": ")
    assert line.isdigit()  # a line of the source of Ruby's parser
    assert description == f"unexpected token at {message}"


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the messages are those of libyaml")
@pytest.mark.parametrize(("text", "message"), read_rows("yaml"))
def test_a_syntax_error_in_yaml_is_reported_as_by_the_released_puppet(text: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        read_yaml(text, aliases=True)
    assert str(caught.value).removeprefix("(<unknown>): ") == message


def test_unknown_escape_sequences_in_json_are_read() -> None:
    assert read_json(r'["\q", "\\q", "\u0041"]') == ["q", r"\q", "A"]
