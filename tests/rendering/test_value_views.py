"""Values as literals are wrapped to a width, and evaluate to equal values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session, values
from puppet_kernel.rendering.elements import TextElement
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.literals import CHARACTERS, ELEMENTS, make_value_lines, shorten_value
from puppet_kernel.rendering.text import RICH_LIMIT, render_plain
from puppet_kernel.rendering.views import describe_value
from puppet_kernel.shell import Shell

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(0.125, 1e6),
    st.text("abc'\"$\\\n\té日", max_size=12),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.lists(st.tuples(st.text("ab c", max_size=6), inner), max_size=6).map(values.make_hash),
    ),
    max_leaves=20,
)


def render_value(value: Any, columns: int = 60) -> str:
    """Return a value as text."""
    return render_plain(TextElement(*make_value_lines(value, columns)), columns)


def test_a_short_value_is_on_one_line() -> None:
    assert render_value([1, "a", None, {"k": True}]) == "[1, 'a', undef, {'k' => true}]"


@pytest.mark.parametrize(("dialect", "kind"), [("spec", "CatalogEntry"), ("puppet", "Any")])
def test_the_type_of_a_value_is_united_by_the_rules_of_the_dialect(dialect: str, kind: str) -> None:
    outcome = Session(dialect).run("[File['/a'], Class['a']]")
    element = describe_value(outcome, with_type=True)
    assert element is not None
    assert render_plain(element).endswith(f"  # Array[Type[{kind}]]")
    assert outcome.type == f"Array[Type[{kind}], 2, 2]"


def test_a_hash_is_folded_with_aligned_arrows() -> None:
    assert render_value({"a": "x" * 30, "longer": "y" * 30}) == (
        f"{{\n  'a'      => '{'x' * 30}',\n  'longer' => '{'y' * 30}',\n}}"
    )


def test_small_elements_share_lines() -> None:
    assert render_value(list(range(30)), 40) == (
        "[\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,\n  12, 13, 14, 15, 16, 17, 18, 19, 20,\n"
        "  21, 22, 23, 24, 25, 26, 27, 28, 29,\n]"
    )


def test_omitted_elements_are_counted() -> None:
    text = render_value(list(range(5000)))
    assert f"# … {5000 - ELEMENTS:,} more" in text


def test_a_deep_value_is_shown() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    assert render_value(value).startswith("[")
    assert render_html(TextElement(*make_value_lines(value)))


@pytest.mark.parametrize("shape", ["[$m]", "{ a => $m }"])
def test_the_type_of_a_deep_value_is_shown(shape: str) -> None:
    shell = Shell({})
    shell.submit(f"$t = type(Integer[1, 6000].reduce(1) |$m, $i| {{ {shape} }}) notice(1)")
    for code in ("$t", "[$t]", "Optional[$t]", "Sensitive($t)"):
        reply = shell.submit(code)
        assert reply.error is None and reply.element is not None
        text = render_plain(reply.element)
        assert 0 < len(text) < 2 * CHARACTERS and "cannot be shown" not in text, code


def test_a_huge_value_has_a_small_page() -> None:
    value = ["x" * 10_000] * 900
    assert len(render_html(TextElement(*make_value_lines(value)))) <= RICH_LIMIT


def test_sensitive_values_are_hidden() -> None:
    secret = values.Sensitive("hunter2")
    for value in (secret, [secret], {"password": secret}, [["x" * 100, secret]]):
        assert "hunter2" not in render_value(value)
        assert "hunter2" not in "".join(text for _, text in shorten_value(value, 20))


@settings(max_examples=60, deadline=None)
@given(VALUES, st.integers(10, 80))
def test_the_literal_of_a_value_evaluates_to_an_equal_value(value: Any, columns: int) -> None:
    outcome = Session(interactive=True, dialect="puppet").run("$x = " + render_value(value, columns))
    assert outcome.error is None, (outcome.error, render_value(value, columns))
    assert values.make_key(outcome.value) == values.make_key(value)


@given(VALUES, st.integers(20, 80))
def test_a_shortened_value_exceeds_the_width_at_most_by_an_ellipsis(value: Any, columns: int) -> None:
    assert sum(len(text) for _, text in shorten_value(value, columns)) <= columns + 1


def test_a_shortened_value_keeps_its_roles() -> None:
    parts = shorten_value(
        {"architecture": "x86_64", "count": 2, "release": {"full": "12", "major": "12"}}, 60
    )
    shortened = "".join(text for _, text in parts)
    assert shortened == "{'architecture' => 'x86_64', 'count' => 2, 'release' => {'f…"
    assert [text for role, text in parts if role == "number"] == ["2"]
    assert ("string", "'x86_64'") in parts and parts[-1] == ("", "…")
