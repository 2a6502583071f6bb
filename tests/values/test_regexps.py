"""Regexps against Ruby: the table, the expressions of installed modules, limits."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import limits
from evaluator.issues import Failure
from evaluator.values import regexps
from evaluator.values.regexps import RegexpValue, escape_regexp, find_matches, split, substitute
from lexer_parser import PuppetError
from tests.effort import exceeds

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

ROWS = [json.loads(line) for line in (Path(__file__).parent / "regexps.jsonl").read_text().splitlines()]
# a level of recursion in a back reference, Turkish letters, the message for `\M-\C-a`
KNOWN_DIFFERENCES = 3
RUBY = r"""
require 'json'
STDIN.each_line do |line|
  pattern, flags, subject = JSON.parse(line)
  options = (flags.include?('i') ? 1 : 0) | (flags.include?('x') ? 2 : 0) | (flags.include?('m') ? 4 : 0)
  answer = begin
    regexp = Regexp.new(pattern, options)
    match = regexp.match(subject)
    scanned = []
    subject.scan(regexp) { scanned << $~.offset(0) }
    { match: match && (0...match.size).map { |i| match[i] && match.offset(i) }, scan: scanned,
      split: subject.split(regexp), gsub: subject.gsub(regexp, '<\\0>') }
  rescue RegexpError => e
    { error: e.message }
  end
  puts JSON.generate(answer)
end
"""


def answer(pattern: str, flags: str, subject: str) -> dict:
    regexp = RegexpValue(pattern, flags)
    try:
        match = regexp.search(subject)
    except Failure as failure:
        return {"error": str(failure)}
    return {
        "match": spans(match) if match else None,
        "scan": [list(found.span()) for found in find_matches(regexp, subject)],
        "split": split(subject, regexp),
        "gsub": substitute(regexp, subject, r"<\0>", everywhere=True),
    }


def spans(match):
    spans = [match.span(number) for number in range(len(match.groups()) + 1)]
    return [list(span) if span[0] >= 0 else None for span in spans]


def due(row: dict) -> dict:
    return {kind: row[kind] for kind in ("match", "scan", "split", "gsub", "error") if kind in row}


def test_table():
    differing = [
        row["pattern"] for row in ROWS if answer(row["pattern"], row["flags"], row["subject"]) != due(row)
    ]
    assert len(differing) <= KNOWN_DIFFERENCES, differing


def ruby_answers(cases):
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("Ruby is not installed")
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run(
        [ruby, "-W0", "-Ku", "-e", RUBY], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.released
def test_table_is_what_ruby_says():
    cases = [(row["pattern"], row["flags"], row["subject"]) for row in ROWS]
    assert ruby_answers(cases) == [due(row) for row in ROWS]


SUBJECTS = [
    *("", "a", "/etc/foo.conf", "10.0.0.1", "foo::bar", "present", "1.2.3-4", "tcp:80\n", "ABC def\nghi"),
    *("https://u:p@host.example.com:8080/p?q#f", "[::1]:80", "aa:bb:cc:dd:ee:ff", "  x = 1 # c", "é", "-1"),
]


@pytest.mark.released
def test_expressions_of_installed_modules(module_regexps):
    cases = [(pattern, "", subject) for pattern in module_regexps for subject in SUBJECTS]
    for case, expected in zip(cases, ruby_answers(cases), strict=True):
        assert answer(*case) == expected, case


# --- Values


def test_groups():
    match = RegexpValue("(a)|(b)").search("b")
    assert (match[0], match[1], match[2]) == ("b", None, "b")
    assert match.groups() == (None, "b")


def test_groups_with_names_turn_off_the_others():
    match = RegexpValue("(?<n>b)(c)").search("abc")
    assert (match[0], match.groups()) == ("bc", ("b",))


def test_equality_and_text():
    assert RegexpValue("a/b") == RegexpValue("a/b") != RegexpValue("a")
    assert hash(RegexpValue("a")) == hash(RegexpValue("a"))
    assert RegexpValue("a/b").text() == r"/a\/b/" == RegexpValue(r"a\/b").literal()


def test_compiled_at_first_use():
    regexp = RegexpValue("[")
    with pytest.raises(Failure, match="premature end of char-class: /\\[/"):
        _ = regexp.compiled


def test_substitution():
    def replaced(pattern, text, replacement, everywhere=True):
        return substitute(RegexpValue(pattern), text, replacement, everywhere)

    assert replaced("b", "abcabc", "X") == "aXcaXc"
    assert replaced("b", "abcabc", "X", everywhere=False) == "aXcabc"
    assert replaced("(b)", "abc", r"<\1\0\&\9\\>") == r"a<bbb\>c"
    assert replaced("b", "abc", r"\`\'") == "aacc"
    assert replaced("(?<n>b)", "abc", r"<\k<n>>") == "a<b>c"
    assert replaced("[bc]", "abc", {"b": "X"}) == "aX"
    assert replaced("", "aaa", "-") == "-a-a-a-"
    with pytest.raises(Failure, match="undefined group name reference: x"):
        replaced("(?<n>b)", "abc", r"\k<x>")


@given(st.text())
def test_escaped_text_matches_itself(text):
    match = RegexpValue(rf"\A{escape_regexp(text)}\z").search(text)
    assert match is not None
    assert match[0] == text


@given(st.text(alphabet="ab,\n", max_size=20))
def test_parts_and_separators_make_the_text(text):
    assert "".join(split(text, RegexpValue("(,)"))).rstrip(",") == text.rstrip(",")


# --- Limits

CATASTROPHIC = ("^(a|aa)+$", "a" * 60 + "!")


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr(limits.REGEXP, "value", 0.3)


def test_time_limit(short_limit):
    pattern, text = CATASTROPHIC
    with pytest.raises(PuppetError, match="max_regexp_seconds"):
        RegexpValue(pattern).search(text)


def test_interrupt_during_a_match():
    import ctypes

    seen: list[float] = []
    begun = threading.Event()

    def work():
        try:
            begun.set()
            RegexpValue(CATASTROPHIC[0]).search(CATASTROPHIC[1])
        except KeyboardInterrupt:
            seen.append(time.process_time())

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    time.sleep(0.4)
    sent = time.process_time()  # of CPU: others may use the processors
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt)
    )
    thread.join()
    assert seen
    assert not exceeds(seen[0] - sent, 0.25)


def test_the_engine_without_a_limit_is_not_asked_for_much():
    compiled = regexps.compile_ruby("a*a*b")
    assert compiled.search("a" * 100) is None
    assert compiled._engine is None
    assert compiled.search("a" * 10_000) is None
    assert compiled._engine is not None


def test_without_the_package_regex_what_needs_it_is_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regexps, "load_engine", lambda: None)
    monkeypatch.setattr(regexps, "compile_ruby", regexps.CompiledRegexp)  # which remembers nothing
    assert regexps.RegexpValue("b+").search("abb")[0] == "bb"
    assert (
        regexps.RegexpValue(".*b").search("a" * 10_000) is None
    )  # more than `re` gets where there is `regex`
    for source, text in (("(?<=a|bc)d", "bcd"), (".*.*b", "a" * 10_000)):
        with pytest.raises(Failure, match=r"needs the Python package `regex`") as caught:
            regexps.RegexpValue(source).search(text)
        assert caught.value.code == "REGEXP_ENGINE_MISSING"


@pytest.mark.parametrize("length", [10, 3_000, 30_000])
def test_short_and_long_texts_match_alike(length: int) -> None:
    found = RegexpValue(r"x(\d*)y").search("a" * length + "x12y")
    assert found is not None and (found.start(), found[1]) == (length, "12")
    assert RegexpValue(r"x\d*y").search("x1" * length) is None
