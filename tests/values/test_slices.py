"""What is done slice by slice gives what it gives in one piece."""

from __future__ import annotations

from random import Random

import pytest

from evaluator.functions.stdlib.yaml_text import write
from evaluator.limits import COLLECTION, STRING
from evaluator.values import literal, slices
from lexer_parser.errors import PuppetError


def test_texts_are_split_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    for _ in range(3000):
        monkeypatch.setattr(slices, "SLICE", random.randint(1, 9))
        text = "".join(random.choices("ab,", k=random.randint(0, 40)))
        separator = "".join(random.choices("ab,", k=random.randint(1, 4)))
        assert slices.split(text, separator) == text.split(separator), (text, separator)


def test_texts_are_changed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 3)
    for text in ("", "abc", "aßbßcß", "straße ÿ ŉ"):
        assert slices.changed(text, str.upper) == text.upper()


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 3)
    monkeypatch.setattr(COLLECTION, "value", 5)
    monkeypatch.setattr(STRING, "value", 6)
    assert len(slices.split("a,b,c,d,e", ",")) == 5
    with pytest.raises(PuppetError):
        slices.split("a,b,c,d,e,f", ",")
    with pytest.raises(PuppetError):
        slices.changed("ßßßß", str.upper)


@pytest.mark.parametrize("place", [0, 2, 3, 7])
def test_a_character_is_found_in_whatever_slice_it_stands(
    monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(slices, "SLICE", 3)
    text = "x" * place + "\x01" + "x" * 4
    assert literal(text) == f'"{"x" * place}\\u{{1}}xxxx"'
    assert write(text) == f'--- "{"x" * place}\\x01xxxx"\n'
    assert "".join(slices.slices(text)) == text
