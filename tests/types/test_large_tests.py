"""Tests that large types are compiled to: several functions at a time, and none where one comparison suffices."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import Session
from evaluator.types import base, parse_type
from evaluator.types.base import UNDEF, accepts, accepts_undef
from lexer_parser.dialect import DIALECTS

NAMES = (
    *(
        "Any",
        "Undef",
        "Optional",
        "NotUndef",
        "Data",
        "RichData",
        "Variant",
        "Struct",
        "Hash",
        "Array",
        "Tuple",
    ),
    *(
        "Integer",
        "String",
        "Type",
        "Callable",
        "Iterable",
        "Sensitive",
        "Object",
        "Collection",
        "Default",
        "Scalar",
    ),
)


@pytest.mark.parametrize("levels", [3, 400, 2000])
def test_a_deep_type_tests_all_levels(levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = base._compile_source
    monkeypatch.setattr(base, "_compile_source", lambda text, mode: (read.append(text), plain(text, mode))[1])
    session = Session("puppet")
    deep = f"Integer[1, {levels}].reduce"
    session.run(f"$t = {deep}(Integer) |$m, $i| {{ Struct[{{ a => $m }}] }}")
    read.clear()
    for inner, fits in ((1, True), ("'x'", False)):
        assert session.run(f"({deep}({inner}) |$m, $i| {{ {{ a => $m }} }}) =~ $t").value is fits
    assert all(text.count("\n") < 600 for text in read)
    assert (len(read) > 2) is (levels > 300)


def test_the_text_of_a_deep_type_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("puppet")
    session.run("$v = Integer[1, 3000].reduce({}) |$m, $i| { { a => $m } }")

    def refuse(*arguments: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(base, "_compile", refuse)
    assert (session.run("type($v)").text or "").startswith("Struct[{'a' => Struct[{'a' => ")


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=list(DIALECTS))
def test_what_does_not_accept_undef_does_not_hold_it(dialect: Any) -> None:
    for name in [*NAMES, *(f"Variant[{one}, {other}]" for one in NAMES for other in NAMES)]:
        type = parse_type(name, dialect)
        assert accepts_undef(type) == type.instance(None), name
        assert accepts(type, UNDEF, {}) or not type.instance(None), name


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_types_twenty_thousand_levels_deep_are_written(dialect: str) -> None:
    for value, start in (("[$m]", "Tuple["), ("{ a => $m }", "Struct[{'a' => ")):
        session = Session(dialect)
        session.run(f"$v = Integer[1, 20000].reduce([1]) |$m, $i| {{ {value} }}")
        text = session.run('"${type($v)}"').value
        assert isinstance(text, str) and text.startswith(start * 20_000)
