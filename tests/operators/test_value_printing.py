"""Values as text and as literals, their names in messages, keys of hashes, and iteration."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import limits
from evaluator.types import parse_type
from evaluator.values import (
    DEFAULT,
    PuppetIterator,
    RegexpValue,
    Sensitive,
    Timespan,
    add_article,
    add_capital_article,
    describe_kind,
    format_float,
    format_integer,
    format_literal,
    format_value,
    iterate,
    iterate_items,
    list_keys,
    make_hash,
    make_key,
    to_ruby_text,
    unkey,
)
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError


@pytest.mark.parametrize(
    "value, printed",
    [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.0001, "0.0001"),
        (0.00001, "1.0e-05"),
        (1.5e-7, "1.5e-07"),
        (1e14, "100000000000000.0"),
        (1e15, "1.0e+15"),
        (1e15 + 0.5, "1000000000000000.5"),
        (1234567890123456.0, "1.234567890123456e+15"),
        (999999999999999.9, "999999999999999.9"),
        (1e100, "1.0e+100"),
        (5e-324, "5.0e-324"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_a_float_is_printed_as_by_the_released_puppet(value, printed):
    assert format_float(value) == printed


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_float_parses_to_the_same_float(value):
    assert float(format_float(value)) == value


@pytest.mark.parametrize(
    "value", [0, -1, 10**3999, -(10**4001), 10**4000 - 1, 3**50_000, 1 << 262_143], ids=type
)
def test_a_long_integer_is_printed(value):
    """Python does not convert a whole long integer, so the digits are checked in chunks."""
    digits = format_integer(abs(value))
    parsed = 0
    for start in range(0, len(digits), 1000):
        chunk = digits[start : start + 1000]
        parsed = parsed * 10 ** len(chunk) + int(chunk)
    assert parsed == abs(value)
    assert digits[0] != "0" or value == 0
    assert format_integer(-abs(value)) == ("-" + digits if value else "0")


@pytest.mark.parametrize(
    "value, as_text, as_literal",
    [
        (None, "", "undef"),
        (True, "true", "true"),
        (DEFAULT, "default", "default"),
        ("it's", "it's", "'it\\'s'"),
        ('a\\b$c"d', 'a\\b$c"d', "'a\\b$c\"d'"),
        ('a\n\t\r"\\$\x01\x7fé', 'a\n\t\r"\\$\x01\x7fé', '"a\\n\\t\\r\\"\\\\\\$\\u{1}\x7fé"'),
        ([1, None, "a", []], "[1, , a, []]", "[1, undef, 'a', []]"),
        ({"a": {1: None}, "b": []}, "{a => {1 => }, b => []}", "{'a' => {1 => undef}, 'b' => []}"),
        (
            make_hash([(1.0, True), ([1], False)]),
            "{1.0 => true, [1] => false}",
            "{1.0 => true, [1] => false}",
        ),
        (PuppetIterator([1, "a"], parse_type("Integer", PUPPET)), "Iterator[Integer]-Value", "[1, 'a']"),
        ([PuppetIterator([1], parse_type("Any", PUPPET))], "[Iterator[Any]-Value]", "[[1]]"),
        (
            [parse_type("Integer[1, 2]", PUPPET), RegexpValue("a/b")],
            "[Integer[1, 2], /a\\/b/]",
            "[Integer[1, 2], /a\\/b/]",
        ),
    ],
)
def test_a_value_is_printed_as_text_and_as_a_literal(value, as_text, as_literal):
    assert format_value(value) == as_text
    assert format_literal(value) == as_literal


@pytest.mark.parametrize(
    "wrap", [lambda v: v, lambda v: [v], lambda v: {"a": v}, lambda v: [{"a": [v]}], Sensitive]
)
def test_the_content_of_a_sensitive_value_is_never_printed(wrap):
    value = wrap(Sensitive("s3cret"))
    for printed in (
        format_value(value),
        format_literal(value),
        to_ruby_text(value),
        repr(value),
        describe_kind(value),
    ):
        assert "s3cret" not in printed
    assert "s3cret" not in repr(make_key(Sensitive("s3cret")))


def test_deep_values_are_printed_without_recursion():
    value: object = "x"
    for depth in range(50_000):
        value = [value] if depth % 2 else {"k": value}
    assert format_literal(value).endswith("}]")
    assert format_value(value).startswith("[{k => [{k => ")
    assert to_ruby_text(value).startswith('[{"k"=>[{"k"=>')


def make_shared_value(levels: int):
    """Return a value that is small in memory, but long when printed."""
    value: object = "y"
    for _ in range(levels):
        value = [value, value]
    return value


def test_a_long_literal_is_cut(monkeypatch):
    monkeypatch.setattr(limits.OUTPUT, "value", 1000)
    for value in (make_shared_value(40), "a" * 2000, list(range(1000))):
        printed = format_literal(value)
        assert printed.endswith("… cut")
        assert len(printed) <= 1100
    assert len(to_ruby_text(make_shared_value(40))) < 150_000
    assert format_literal("a" * 998) == "'" + "a" * 998 + "'"


def test_long_values_are_printed_completely():
    # more parts than are joined at once
    value = [["ab", number, None] for number in range(200_000)]
    assert format_value(value) == "[" + ", ".join(f"[ab, {number}, ]" for number in range(200_000)) + "]"
    assert (
        format_literal(value)
        == "[" + ", ".join(f"['ab', {number}, undef]" for number in range(200_000)) + "]"
    )


def test_the_text_of_a_value_is_limited_like_a_string(monkeypatch):
    monkeypatch.setattr(limits.STRING, "value", 1000)
    with pytest.raises(PuppetError, match="'max_string_length'"):
        format_value(make_shared_value(40))
    assert len(format_value(["a" * 998])) == 1000
    with pytest.raises(PuppetError):
        format_value(["a" * 999])


@pytest.mark.parametrize(
    "value, label",
    [
        (None, "Undef Value"),
        (True, "Boolean"),
        (1, "Integer"),
        (1.0, "Float"),
        ("a", "String"),
        ([], "Array"),
        ({}, "Hash"),
        (DEFAULT, "Object"),
        (RegexpValue("a"), "Regexp"),
        (Sensitive(1), "Sensitive"),
        (Timespan(1), "Timespan"),
        (PuppetIterator([]), "Object"),
        (parse_type("Integer[1, 2]", PUPPET), "Integer[1, 2]-Type"),
        (parse_type("Class['a']", PUPPET), "Class[a]-Type"),
    ],
)
def test_a_message_names_the_kind_of_a_value(value, label):
    assert describe_kind(value) == label


def test_a_word_gets_its_article():
    assert [
        add_article(word)
        for word in ("Integer", "String", "'in' expression", "'+' expression", "Undef Value")
    ] == [
        "an Integer",
        "a String",
        "an 'in' expression",
        "a '+' expression",
        "an Undef Value",
    ]
    assert add_capital_article("Array") == "An Array"
    assert add_capital_article("Type") == "A Type"


def test_keys_of_a_hash_are_restored_from_their_stored_form():
    pairs = [
        (1, "a"),
        (1.0, "b"),
        (True, "c"),
        ("1", "d"),
        (None, "e"),
        ([1], "f"),
        ([1.0], "g"),
        ({"a": [1]}, "h"),
    ]
    value = make_hash(pairs)
    assert iterate_items(value) == pairs
    assert list_keys(value) == [pair[0] for pair in pairs]
    assert [type(unkey(k)) for k in value] == [type(pair[0]) for pair in pairs]
    assert make_hash([(1.0, "x"), (2, "y"), (1.0, "z")]) == make_hash([(1.0, "z"), (2, "y")])
    assert list(make_hash([("a", 1), ("b", 2), ("a", 3)]).items()) == [("a", 3), ("b", 2)]
    assert make_key({"a": 1, "b": 2}) == make_key({"b": 2, "a": 1})
    assert make_key([0.0]) == make_key([-0.0])
    assert make_key([True]) != make_key([1])


def test_a_value_is_iterated_or_not_iterable():
    assert list(iterate(3)) == [0, 1, 2]
    assert iterate(-1) is None
    assert iterate(True) is None
    assert iterate(1.5) is None
    assert iterate(None) is None
    assert list(iterate("héé")) == ["h", "é", "é"]
    assert list(iterate(make_hash([(1.0, 2)]))) == [[1.0, 2]]
    iterator = PuppetIterator([1, 2])
    assert list(iterate(iterator)) == list(iterate(iterator)) == [1, 2]
    assert list(iterate(parse_type("Integer[1, 3]", PUPPET))) == [1, 2, 3]
    assert iterate(parse_type("String", PUPPET)) is None
