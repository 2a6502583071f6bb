"""Limits are checked before the work, and work in windows has the same result as work at once."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from unittest import mock

import pytest

from evaluator import Session
from evaluator.functions.digests import RubyRandom
from evaluator.functions.stdlib import removal
from evaluator.issues import Failure
from evaluator.limits import REGEXP
from evaluator.values import regexps
from evaluator.values.regexps import CompiledRegexp, RegexpValue, find_matches, split, substitute
from lexer_parser.errors import PuppetError

CHARACTERS_OF_STRINGS = "01289abyzABYZ"


def test_counted_strings_are_those_of_the_successors() -> None:
    chance = random.Random(26)
    for _ in range(600):
        # few of them have three characters: up to 200,000 strings can be between two such strings
        first, last = (
            "".join(chance.choices(CHARACTERS_OF_STRINGS, k=chance.choice((1, 1, 2, 2, 2, 3))))
            for _ in range(2)
        )
        for inclusive in (True, False):
            found = removal._iterate_strings(first, last, inclusive)
            if isinstance(found, removal.CountedStrings):
                expected = list(removal._iterate_successors(first, last, inclusive))
                assert (list(found), found.count) == (expected, len(expected)), (first, last, inclusive)


@pytest.mark.parametrize(
    "characters", ["ab", "abc", "0123456789abcdef", "é€" * 40, "a" * 256, "ab" * 129, "Ā" * 17]
)
def test_a_random_string_equals_single_draws(characters: str) -> None:
    for length in (1, 2, 300, 5000):
        one = RubyRandom(26)
        drawn = "".join([characters[one.draw_below(len(characters))] for _ in range(length)])
        assert RubyRandom(26).draw_string(length, characters) == drawn


TEXTS = (
    *(
        "",
        "a",
        "aab  aab ab abab aaa",
        "xyz" * 40,
        " " * 50,
        "line one\nline two\n\nthree\n" * 8,
        "é€ab1" * 20,
    ),
)
PATTERNS = (
    *("a", "[a-x]", "[^a ]", ".", "ab", "b|ab", "a.", "[ab]b?", "^l", "e$", "\\b\\w", "a{2,3}", "(a)(b)"),
    *("a+", "\\s+", "(\\w+)@?", "(a|b)*c?", "aa?b", "\\d", "x(?=y)", "(?<=a)b", "\\Al", "e\\z", "\\n", "a*"),
    *("([ab])", "((a))", "one\\Z", "(?i)LINE", "\\G.", "()", "(?:a|)b"),
    *("a?", "(?: ?){2}", "(a?)(b*)", "[^ ]*", "[a-z]{2,}", "b*a*", "(?=[a-c])", "a??", "(a|)", "(|a)"),
    *("( +)", "(\\w)(\\1?)", "x{0,2}y?", "(?<n>a?)", "a*+", "(?>a*)b?", "\\b", "^", "$", "\\z", "(?~ab)"),
    *(
        "(a|b?)",
        "(?!a)",
        "a{0}",
        ".{3}",
        "(?:ab)+",
        "(?:a|b){2,}",
        "(?i)aB",
        "a{0,9}b",
        "(?:a$|b)*",
        "\\w+\\s?",
    ),
)
REPLACEMENTS = (
    "",
    "<>",
    "\\0\\0",
    "<\\1>",
    "\\2\\1-",
    "\\9<\\1>",
    "\\1" * 12,
    "\\&",
    "\\\\",
    "[\\`|\\']",
    {"a": "1", "ab": "2"},
)


def find_one_by_one(regexp: RegexpValue, text: str) -> list[tuple[int, int]]:
    """Return the spans of all matches, by one search for each."""
    found, position = list[tuple[int, int]](), 0
    while position <= len(text) and (match := regexp.search(text, position)) is not None:
        found.append(match.span())
        position = match.end() + (match.end() == match.start())
    return found


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows have few characters."""
    monkeypatch.setattr(regexps, "WINDOW", 7)
    monkeypatch.setattr("evaluator.values.chunked.CHUNK", 5)
    monkeypatch.setattr(REGEXP, "value", 0.1)


def find_all(regexp: RegexpValue, text: str) -> list[Any]:
    """Return the results of all functions that match a text."""
    found: list[Any] = [
        [match.span() for match in find_matches(regexp, text)],
        split(text, regexp),
    ]
    return found + [substitute(regexp, text, new, every) for new in REPLACEMENTS for every in (True, False)]


def compare_with_single_searches(pattern: str, texts: Sequence[str]) -> None:
    """Check that matching in windows has the same results as single searches."""
    regexp = RegexpValue(pattern)
    windows = [find_all(regexp, text) for text in texts]
    assert [found[0] for found in windows] == [find_one_by_one(regexp, text) for text in texts]
    with (
        mock.patch.object(CompiledRegexp, "can_iterate", lambda *_: False),
        mock.patch.object(CompiledRegexp, "split", lambda *_: None),
    ):
        assert windows == [find_all(regexp, text) for text in texts], pattern


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_matches_are_the_same_in_windows(pattern: str) -> None:
    compare_with_single_searches(pattern, TEXTS)


def test_characters_are_escaped_by_their_definition() -> None:
    text = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x10100), 0x1F600]))
    session = Session(interactive=True, facts={"text": text})
    escaped = re.sub(r"[^A-Za-z0-9_.,:+/@\n-]", r"\\\g<0>", text).replace("\n", "'\n'")
    assert session.run("shell_escape($text)").value == escaped
    escaped = re.sub(r"[ $'`|\n]", r"`\g<0>", text).replace('"', '\\`"')
    assert session.run("powershell_escape($text)").value == escaped
    assert session.run("shellquote($text)").value == '"' + re.sub(r'(["`$\\!])', r"\\\1", text) + '"'


CHARACTERS = ("a", "b", "c", " ", ".", "[ab]", "[^a]", "\\w", "\\s", "(?i)B", "\\1")
POSITIONS = ("^", "$", "\\b", "\\A", "\\z")
REPEATED = ("", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "??", "{1,2}?", "*+")


def make_pattern(chance: random.Random, depth: int) -> str:
    """Return a random regular expression."""
    parts = []
    for _ in range(chance.randint(0 if chance.random() < 0.1 else 1, 3)):
        if depth and chance.random() < 0.35:
            opening = chance.choice(["(", "(", "(?:", "(?:", "(?=", "(?!", "(?>", "(?<!"])
            simple = opening == "(?<!"
            parts.append(f"{opening}{'ab'[:simple] or make_pattern(chance, depth - 1)})")
        elif chance.random() < 0.15:
            parts.append(chance.choice(POSITIONS))
            continue
        else:
            parts.append(chance.choice(CHARACTERS))
        parts.append(chance.choice(REPEATED) if chance.random() < 0.5 else "")
    found = "".join(parts)
    return f"{found}|{make_pattern(chance, depth)}" if chance.random() < 0.2 else found


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("seed", range(2))
def test_matches_of_random_expressions_are_the_same_in_windows(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(150):
        pattern = make_pattern(chance, 2)
        with suppress(Failure, PuppetError):  # Ruby refuses the pattern, or it is too slow
            assert RegexpValue(pattern).compiled
            texts = ["".join(chance.choices("aab c\n", k=length)) for length in (0, 7, 8, 40)]
            compare_with_single_searches(pattern, texts)


TOO_LARGE = {
    "Array(Integer[0, 10000000])": "max_collection_size",
    "range('a', 'zzzzzz')": "max_collection_size",
    "range('A', 'ZZZZZZ', 1000)": "max_collection_size",
    "range('a0', 'zzzzz0')": "max_collection_size",
    "to_json_pretty([[[1]]], false, { 'indent' => $long })": "max_string_length",
    "to_json_pretty({ 'a' => { 'b' => 1 } }, false, { 'indent' => $long })": "max_string_length",
    "to_json_pretty([1, 2, 3], false, { 'array_nl' => $long })": "max_string_length",
    "to_json_pretty({ 'a' => 1, 'b' => 2 }, false, { 'space' => $long })": "max_string_length",
    "seeded_rand_string(100000000, 'x')": "max_string_length",
    "shell_escape($long)": "max_string_length",
    "powershell_escape($long)": "max_string_length",
}
PROGRAM = """
import json, sys
from evaluator import Session
def measure(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith(name))
session = Session(interactive=True)
session.run("$long = String('', '%60000000s')")
for source in json.load(sys.stdin):
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # reset the peak
    before = measure("VmRSS")
    error = session.run(source).error
    print(json.dumps([source, str(error), measure("VmHWM") - before]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are Linux's")
def test_a_result_that_would_be_too_large_is_not_built() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([*TOO_LARGE]), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [source for source, *_ in found] == [*TOO_LARGE]
    assert [one for one in found if f"'{TOO_LARGE[one[0]]}'" not in one[1]] == []
    assert [one for one in found if one[2] >= 200] == [], "at most a part of the layout and its copy"


@pytest.mark.slow
def test_time_grows_steadily_with_the_number_of_matches() -> None:
    session, seconds = Session(interactive=True, limits={"max_seconds": 300}), {}
    for length in (9_500_000, 10_400_000, 20_000_000):
        begun = time.process_time()
        outcome = session.run(f"regsubst(String('', '%{length}s'), ' ', 'x', 'G').length")
        seconds[length] = time.process_time() - begun
        assert outcome.error is None and outcome.value == length
    assert seconds[10_400_000] < 4 * seconds[9_500_000] and seconds[20_000_000] < 10 * seconds[9_500_000]
    outcome = session.run("regsubst(String('', '%1000000s'), '( )', '\\1x', 'G').length")
    assert outcome.value == 2_000_000
