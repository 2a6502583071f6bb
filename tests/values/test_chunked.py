"""Chunked operations have the same results as operations in one piece."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from evaluator import Session
from evaluator.functions import numbers
from evaluator.functions.navigation import split_path
from evaluator.functions.stdlib.recognition import is_email
from evaluator.issues import Failure
from evaluator.limits import COLLECTION, STRING
from evaluator.values import chunked, core, format_literal, make_hash, make_key
from evaluator.values.printing import quote_double
from evaluator.values.yaml_format import _is_ambiguous, write_yaml
from lexer_parser.errors import PuppetError


def test_a_text_is_split_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 9))
        text = "".join(random.choices("ab,", k=random.randint(0, 40)))
        separator = "".join(random.choices("ab,", k=random.randint(1, 4)))
        assert chunked.split_text(text, separator) == text.split(separator), (text, separator)


def test_a_text_is_mapped_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    for text in ("", "abc", "aßbßcß", "straße ÿ ŉ"):
        assert chunked.map_text(text, str.upper) == text.upper()


def test_functions_on_elements_have_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = (
        "$v.sort",
        "$v.unique",
        "Array($v)",
        "Array($v.reverse_each)",
        "type($v)",
        "$v.map |$x| { $x }",
    )
    values = (
        "Integer[1, 9].map |$x| { ($x * 7) % 5 }",
        "['b', 'A', 'b', '']",
        "[1, 2.5, -3]",
        "[]",
        "[1, 'a']",
    )
    results = []
    for size in (100_000, 1, 2, 3):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        session = Session("puppet", interactive=True)
        outcomes = [session.look(f"$v = {value} {code}") for value in values for code in programs]
        results.append([(one.text, one.type, str(one.error)) for one in outcomes])
    assert results[0] == results[1] == results[2] == results[3]
    assert any(error == "None" for _, _, error in results[0])


@pytest.mark.parametrize("alphabet", ["ab", "aé\U0001f600\0", "a"])
def test_texts_are_sorted_as_in_one_piece(monkeypatch: pytest.MonkeyPatch, alphabet: str) -> None:
    random = Random(3)
    for _ in range(1500):
        for name, most in (("MOST_ELEMENTS", 6), ("LONG_TEXT", 8), ("MOST_COMPARED", 60), ("CHUNK", 5)):
            monkeypatch.setattr(chunked, name, random.randint(1, most))
        texts = [
            "".join(random.choices(alphabet, k=random.randint(0, 12))) for _ in range(random.randint(0, 30))
        ]
        assert chunked.sort_chunked(texts) == sorted(texts)
        assert chunked.sort_chunked(set(texts)) == sorted(set(texts))
        text = "".join(texts)
        assert chunked.sort_characters(text) == "".join(sorted(text))


def test_a_dictionary_has_each_key_at_its_first_position(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 2, 100):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        assert list(chunked.make_dict("banana", 1).items()) == [("b", 1), ("a", 1), ("n", 1)]


def test_dictionaries_are_merged_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)
    for size in (1, 2, 100):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        for _ in range(100):
            hashes = [
                {random.randint(0, 9): random.random() for _ in range(random.randint(0, 6))} for _ in range(3)
            ]
            expected = hashes[0] | hashes[1] | hashes[2]
            assert list(chunked.merge_dicts(hashes).items()) == list(expected.items())


def test_a_text_is_stripped_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(4)
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 6))
        text = "".join(random.choices(" \tab", weights=(9, 9, 1, 1), k=random.randint(0, 20)))
        assert chunked.strip_text(text, " \t") == text.strip(" \t")
        assert chunked.strip_text(text, " \t", right=False) == text.lstrip(" \t")
        assert chunked.strip_text(text, " \t", left=False) == text.rstrip(" \t")


def test_a_matching_line_is_found_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    line = re.compile(r"^-?[12]+$", re.MULTILINE)
    results = set()
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 6))
        text = "".join(random.choices("12-x\n", k=random.randint(0, 16)))
        has_match = chunked.has_line_match(line, text)
        assert has_match is (line.search(text) is not None), text
        results.add(has_match)
    assert len(results) == 2


def test_repeated_characters_are_squeezed_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    session = Session("puppet", interactive=True)
    for _ in range(300):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 4))
        text = "".join(random.choices("ab\0", k=random.randint(0, 12)))
        assert session.look(f"squeeze({quote_double(text)})").value == re.sub(r"(?s)(.)\1+", r"\1", text)
        assert session.look(f"squeeze({quote_double(text)}, 'a')").value == re.sub(r"a+", "a", text)


def test_arrays_and_hashes_are_equal_keys_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)

    def make_value(depth: int) -> Any:
        parts = [random.choice([1, 1.0, True, "a", "b", None]) for _ in range(random.randint(0, 4))]
        if depth:
            parts.insert(0, make_value(depth - 1))
        return parts if random.random() < 0.5 else make_hash((str(i), part) for i, part in enumerate(parts))

    values = [make_value(random.randint(0, 2)) for _ in range(150)]
    expected = [make_key(one) == make_key(other) for one in values for other in values]
    for size in (1, 2, 3):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        monkeypatch.setattr(core, "MOST_ELEMENTS", size)
        assert [make_key(one) == make_key(other) for one in values for other in values] == expected
        assert all(hash(make_key(value)) == hash(make_key(deepcopy(value))) for value in values)
    assert any(expected) and not all(expected)


def test_a_pattern_is_escaped_as_in_one_piece_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    session = Session("puppet", interactive=True)
    assert session.look("regexpescape('a.b c*d[')").value == "a\\.b\\ c\\*d\\["
    session = Session("puppet", interactive=True, limits={STRING.name: 8})
    assert session.look("regexpescape('....')").value == "\\." * 4
    error = session.look("regexpescape('.....')").error
    assert error is not None and STRING.name in str(error)


def test_a_word_is_quoted_for_a_shell_as_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(2)
    session = Session("puppet", interactive=True)
    for _ in range(300):
        word = quote_double("".join(random.choices("aB/ '\"`$!\\", k=random.randint(0, 12))))
        results = []
        for size in (500_000, random.randint(1, 4)):
            monkeypatch.setattr(chunked, "CHUNK", size)
            results.append(session.look(f"shellquote({word})").value)
        assert results[0] == results[1] is not None, word


def test_the_limits_hold_for_chunked_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    monkeypatch.setattr(COLLECTION, "value", 5)
    monkeypatch.setattr(STRING, "value", 6)
    assert len(chunked.split_text("a,b,c,d,e", ",")) == 5
    with pytest.raises(PuppetError):
        chunked.split_text("a,b,c,d,e,f", ",")
    with pytest.raises(PuppetError):
        chunked.map_text("ßßßß", str.upper)


@pytest.mark.parametrize("position", [0, 2, 3, 7])
def test_a_character_is_found_at_any_position(monkeypatch: pytest.MonkeyPatch, position: int) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    text = "x" * position + "\x01" + "x" * 4
    assert format_literal(text) == f'"{"x" * position}\\u{{1}}xxxx"'
    assert write_yaml(text) == f'--- "{"x" * position}\\x01xxxx"\n'
    assert "".join(chunked.iterate_text_chunks(text)) == text


EMAIL = re.compile(r"\A(?:[\w+\-][^\w+\-\n]?)+@[a-z\d\-]+(?:\.[a-z]+)*\.[a-z]+\Z", re.ASCII)
AMBIGUOUS = re.compile(
    "[\t\r\x85\u2028\u2029\ufeff]|[|>][-+0-9]*#"
    "|(?:^|[\\s\\[{,:])!(?!!(?:str|int|float|bool|null|binary|seq|map|omap|set)[ \n])"
)
SEGMENT = re.compile(r"""'([^']+)'|"([^"]+)"|([^'".]+)""")


def split_by_pattern(text: str) -> list[object] | None:
    """Return the segments of a dotted path, or None if the text is no path."""
    parts: list[object] = []
    position = 0
    while (match := SEGMENT.match(text, position)) is not None:
        plain = match[3]
        parts.append(int(plain) if plain and re.fullmatch(r"-?\d+", plain) else plain or match[1] or match[2])
        position = match.end()
        if position == len(text):
            return parts
        if text[position] != ".":
            return None
        position += 1
    return None


@pytest.mark.parametrize("size", [1, 2, 5])
def test_chunked_recognizers_agree_with_a_regular_expression(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    random = Random(size)
    monkeypatch.setattr(chunked, "CHUNK", size)
    for _ in range(4000):
        address = "".join(
            random.choices("aB1+-.@_\né", weights=[6, 1, 1, 1, 1, 4, 3, 1, 1, 1], k=random.randint(0, 9))
        )
        assert is_email(address) == (EMAIL.search(address) is not None), address
        path = "".join(random.choices("a1-.'\"٣", weights=[3, 3, 2, 4, 2, 2, 1], k=random.randint(1, 8)))
        try:
            segments = list(split_path(path))
        except Failure:
            segments = None
        assert segments == split_by_pattern(path), path
        tags = ["!!str ", "!!str", "!!binary\n", "!", "!x", " ", "[", ":", "a", "\n", "|", "|2", "#"]
        source = "".join(random.choices(tags, k=random.randint(0, 5)))
        assert _is_ambiguous(source) == (AMBIGUOUS.search(source) is not None), source


def test_long_versions_are_compared_like_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(3)

    def make_version() -> str:
        return "".join(random.choices("10ab-._é", k=random.randint(0, 8)))

    pairs = [(make_version(), make_version()) for _ in range(4000)]
    expected = [numbers._compare_versions(*pair) for pair in pairs]
    monkeypatch.setattr(numbers, "_SHORT", -1)
    monkeypatch.setattr(chunked, "CHUNK", 2)
    assert [numbers._compare_versions(*pair) for pair in pairs] == expected


@pytest.mark.parametrize("call", ["unix2dos", "dos2unix", "uriescape", "shell_escape", "powershell_escape"])
def test_long_texts_are_escaped_like_short_ones(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    session = Session("puppet")
    texts = ["a\r\nb\n\r\r\n", "x y é&\"'$`|", "", "\n", "\r"]
    calls = [f"{call}({format_literal(text)})" for text in texts]
    expected = [session.look(code).text for code in calls]
    monkeypatch.setattr(chunked, "CHUNK", 1)
    assert [session.look(code).text for code in calls] == expected


def test_few_and_many_elements_have_the_same_keys_and_types() -> None:
    for size in (3, chunked.MOST_ELEMENTS, chunked.MOST_ELEMENTS + 3):
        values = [index % 7 for index in range(size)]
        assert list(chunked.make_dict(values)) == list(dict.fromkeys(values))
        assert chunked.collect_classes([*values, "a"]) == {int, str}
