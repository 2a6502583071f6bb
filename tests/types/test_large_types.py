"""Instance checks of large types, their text, and types that accept undef.

The code of a check is compiled in several functions, or not at all if a comparison is enough.
"""

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
def test_the_check_of_a_deep_type_covers_all_levels(levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sources: list[str] = []
    compile_source = base._compile_source

    def record_source(text: str, mode: str) -> Any:
        sources.append(text)
        return compile_source(text, mode)

    monkeypatch.setattr(base, "_compile_source", record_source)
    session = Session("puppet")
    deep = f"Integer[1, {levels}].reduce"
    session.run(f"$t = {deep}(Integer) |$m, $i| {{ Struct[{{ a => $m }}] }}")
    sources.clear()
    for inner, is_instance in ((1, True), ("'x'", False)):
        assert session.run(f"({deep}({inner}) |$m, $i| {{ {{ a => $m }} }}) =~ $t").value is is_instance
    assert all(text.count("\n") < 600 for text in sources)
    assert (len(sources) > 2) is (levels > 300)


def test_printing_a_deep_type_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("puppet")
    session.run("$v = Integer[1, 3000].reduce({}) |$m, $i| { { a => $m } }")

    def refuse(*arguments: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(base, "_compile", refuse)
    assert (session.run("type($v)").text or "").startswith("Struct[{'a' => Struct[{'a' => ")


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=list(DIALECTS))
def test_undef_is_an_instance_only_of_types_that_accept_undef(dialect: Any) -> None:
    for name in [*NAMES, *(f"Variant[{one}, {other}]" for one in NAMES for other in NAMES)]:
        type = parse_type(name, dialect)
        assert accepts_undef(type) == type.instance(None), name
        assert accepts(type, UNDEF, {}) or not type.instance(None), name


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_types_with_twenty_thousand_levels_are_printed(dialect: str) -> None:
    for value, start in (("[$m]", "Tuple["), ("{ a => $m }", "Struct[{'a' => ")):
        session = Session(dialect)
        session.run(f"$v = Integer[1, 20000].reduce([1]) |$m, $i| {{ {value} }}")
        text = session.run('"${type($v)}"').value
        assert isinstance(text, str) and text.startswith(start * 20_000)
