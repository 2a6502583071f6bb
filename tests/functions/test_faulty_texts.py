"""Errors in JSON and YAML have the message and the position that the released Puppet reports.

`faulty_texts.txt` has the kind, the text and what is told of it: of JSON the rest of the text from the fault.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.functions.stdlib.formats import read_json, read_yaml
from evaluator.issues import Failure

yaml = pytest.importorskip("yaml")
RECORDED = (Path(__file__).with_name("faulty_texts.txt")).read_text(encoding="utf-8").splitlines()


def rows(kind: str) -> list[tuple[str, str]]:
    """Return the texts of a kind, each with its message."""
    decoder = json.JSONDecoder()
    found = []
    for line in RECORDED:
        name, _, rest = line.partition(" ")
        text, end = decoder.raw_decode(rest)
        if name == kind:
            found.append((text, json.loads(rest[end:])))
    return found


@pytest.mark.parametrize(("text", "told"), rows("json"))
def test_json(text: str, told: str) -> None:
    with pytest.raises(Failure) as caught:
        read_json(text)
    line, _, words = str(caught.value).partition(": ")
    assert line.isdigit()  # of the parser's source
    assert words == f"unexpected token at {told}"


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the words are libyaml's")
@pytest.mark.parametrize(("text", "told"), rows("yaml"))
def test_yaml(text: str, told: str) -> None:
    with pytest.raises(Failure) as caught:
        read_yaml(text, aliases=True)
    assert str(caught.value).removeprefix("(<unknown>): ") == told


def test_json_with_escapes_that_it_does_not_know() -> None:
    assert read_json(r'["\q", "\\q", "\u0041"]') == ["q", r"\q", "A"]
