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


def test_texts_are_split_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 9))
        text = "".join(random.choices("ab,", k=random.randint(0, 40)))
        separator = "".join(random.choices("ab,", k=random.randint(1, 4)))
        assert chunked.split_text(text, separator) == text.split(separator), (text, separator)


def test_texts_are_changed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    for text in ("", "abc", "aßbßcß", "straße ÿ ŉ"):
        assert chunked.map_text(text, str.upper) == text.upper()


def test_elements_are_looked_at_alike(monkeypatch: pytest.MonkeyPatch) -> None:
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
    told = []
    for size in (100_000, 1, 2, 3):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        session = Session("puppet", interactive=True)
        outcomes = [session.look(f"$v = {value} {code}") for value in values for code in programs]
        told.append([(one.text, one.type, str(one.error)) for one in outcomes])
    assert told[0] == told[1] == told[2] == told[3]
    assert any(error == "None" for _, _, error in told[0])


@pytest.mark.parametrize("alphabet", ["ab", "aé\U0001f600\0", "a"])
def test_texts_are_in_order_alike(monkeypatch: pytest.MonkeyPatch, alphabet: str) -> None:
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


def test_the_first_of_equal_keys_is_kept_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 2, 100):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        assert list(chunked.make_dict("banana", 1).items()) == [("b", 1), ("a", 1), ("n", 1)]


def test_hashes_are_merged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)
    for size in (1, 2, 100):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        for _ in range(100):
            hashes = [
                {random.randint(0, 9): random.random() for _ in range(random.randint(0, 6))} for _ in range(3)
            ]
            wanted = hashes[0] | hashes[1] | hashes[2]
            assert list(chunked.merge_dicts(hashes).items()) == list(wanted.items())


def test_ends_are_stripped_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(4)
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 6))
        text = "".join(random.choices(" \tab", weights=(9, 9, 1, 1), k=random.randint(0, 20)))
        assert chunked.strip_text(text, " \t") == text.strip(" \t")
        assert chunked.strip_text(text, " \t", right=False) == text.lstrip(" \t")
        assert chunked.strip_text(text, " \t", left=False) == text.rstrip(" \t")


def test_lines_are_found_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    line = re.compile(r"^-?[12]+$", re.MULTILINE)
    found = set()
    for _ in range(3000):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 6))
        text = "".join(random.choices("12-x\n", k=random.randint(0, 16)))
        assert chunked.has_line_match(line, text) is (line.search(text) is not None), text
        found.add(chunked.has_line_match(line, text))
    assert len(found) == 2


def test_runs_are_squeezed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    session = Session("puppet", interactive=True)
    for _ in range(300):
        monkeypatch.setattr(chunked, "CHUNK", random.randint(1, 4))
        text = "".join(random.choices("ab\0", k=random.randint(0, 12)))
        assert session.look(f"squeeze({quote_double(text)})").value == re.sub(r"(?s)(.)\1+", r"\1", text)
        assert session.look(f"squeeze({quote_double(text)}, 'a')").value == re.sub(r"a+", "a", text)


def test_arrays_and_hashes_are_keys_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)

    def made(depth: int) -> Any:
        parts = [random.choice([1, 1.0, True, "a", "b", None]) for _ in range(random.randint(0, 4))]
        if depth:
            parts.insert(0, made(depth - 1))
        return parts if random.random() < 0.5 else make_hash((str(i), part) for i, part in enumerate(parts))

    values = [made(random.randint(0, 2)) for _ in range(150)]
    expected = [make_key(one) == make_key(other) for one in values for other in values]
    for size in (1, 2, 3):
        monkeypatch.setattr(chunked, "MOST_ELEMENTS", size)
        monkeypatch.setattr(core, "MOST_ELEMENTS", size)
        assert [make_key(one) == make_key(other) for one in values for other in values] == expected
        assert all(hash(make_key(value)) == hash(make_key(deepcopy(value))) for value in values)
    assert any(expected) and not all(expected)


def test_patterns_are_escaped_alike_and_stay_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    session = Session("puppet", interactive=True)
    assert session.look("regexpescape('a.b c*d[')").value == "a\\.b\\ c\\*d\\["
    session = Session("puppet", interactive=True, limits={STRING.name: 8})
    assert session.look("regexpescape('....')").value == "\\." * 4
    refused = session.look("regexpescape('.....')").error
    assert refused is not None and STRING.name in str(refused)


def test_words_are_quoted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(2)
    session = Session("puppet", interactive=True)
    for _ in range(300):
        word = quote_double("".join(random.choices("aB/ '\"`$!\\", k=random.randint(0, 12))))
        told = []
        for size in (500_000, random.randint(1, 4)):
            monkeypatch.setattr(chunked, "CHUNK", size)
            told.append(session.look(f"shellquote({word})").value)
        assert told[0] == told[1] is not None, word


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    monkeypatch.setattr(COLLECTION, "value", 5)
    monkeypatch.setattr(STRING, "value", 6)
    assert len(chunked.split_text("a,b,c,d,e", ",")) == 5
    with pytest.raises(PuppetError):
        chunked.split_text("a,b,c,d,e,f", ",")
    with pytest.raises(PuppetError):
        chunked.map_text("ßßßß", str.upper)


@pytest.mark.parametrize("place", [0, 2, 3, 7])
def test_a_character_is_found_in_whatever_slice_it_stands(
    monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(chunked, "CHUNK", 3)
    text = "x" * place + "\x01" + "x" * 4
    assert format_literal(text) == f'"{"x" * place}\\u{{1}}xxxx"'
    assert write_yaml(text) == f'--- "{"x" * place}\\x01xxxx"\n'
    assert "".join(chunked.iterate_text_chunks(text)) == text


EMAIL = re.compile(r"\A(?:[\w+\-][^\w+\-\n]?)+@[a-z\d\-]+(?:\.[a-z]+)*\.[a-z]+\Z", re.ASCII)
APART = re.compile(
    "[\t\r\x85\u2028\u2029\ufeff]|[|>][-+0-9]*#"
    "|(?:^|[\\s\\[{,:])!(?!!(?:str|int|float|bool|null|binary|seq|map|omap|set)[ \n])"
)
SEGMENT = re.compile(r"""'([^']+)'|"([^"]+)"|([^'".]+)""")


def segmented(text: str) -> list[object] | None:
    """The parts of a dotted path; None where it is none."""
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
def test_long_texts_are_read_as_one_pattern_reads_them(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    random = Random(size)
    monkeypatch.setattr(chunked, "CHUNK", size)
    for _ in range(4000):
        address = "".join(
            random.choices("aB1+-.@_\né", weights=[6, 1, 1, 1, 1, 4, 3, 1, 1, 1], k=random.randint(0, 9))
        )
        assert is_email(address) == (EMAIL.search(address) is not None), address
        path = "".join(random.choices("a1-.'\"٣", weights=[3, 3, 2, 4, 2, 2, 1], k=random.randint(1, 8)))
        try:
            found = list(split_path(path))
        except Failure:
            found = None
        assert found == segmented(path), path
        tags = ["!!str ", "!!str", "!!binary\n", "!", "!x", " ", "[", ":", "a", "\n", "|", "|2", "#"]
        source = "".join(random.choices(tags, k=random.randint(0, 5)))
        assert _is_ambiguous(source) == (APART.search(source) is not None), source


def test_long_versions_are_compared_as_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(3)

    def version() -> str:
        return "".join(random.choices("10ab-._é", k=random.randint(0, 8)))

    pairs = [(version(), version()) for _ in range(4000)]
    expected = [numbers._compare_versions(*pair) for pair in pairs]
    monkeypatch.setattr(numbers, "_SHORT", -1)
    monkeypatch.setattr(chunked, "CHUNK", 2)
    assert [numbers._compare_versions(*pair) for pair in pairs] == expected


@pytest.mark.parametrize("call", ["unix2dos", "dos2unix", "uriescape", "shell_escape", "powershell_escape"])
def test_long_texts_are_escaped_as_short_ones(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
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
