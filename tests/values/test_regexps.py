"""Regular expressions match as in Ruby, and have limits."""

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

pytestmark = pytest.mark.usefixtures("fresh_heap")  # some tests measure time

ROWS = [json.loads(line) for line in (Path(__file__).parent / "regexps.jsonl").read_text().splitlines()]
# A level of recursion in a back reference, Turkish letters, the message for `\M-\C-a`.
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


def compute_results(pattern: str, flags: str, subject: str) -> dict:
    """Return the results of all operations with a regular expression on a text.

    They have the form in which the script for Ruby writes them.
    """
    regexp = RegexpValue(pattern, flags)
    try:
        match = regexp.search(subject)
    except Failure as failure:
        return {"error": str(failure)}
    return {
        "match": list_spans(match) if match else None,
        "scan": [list(each.span()) for each in find_matches(regexp, subject)],
        "split": split(subject, regexp),
        "gsub": substitute(regexp, subject, r"<\0>", everywhere=True),
    }


def list_spans(match):
    """Return the span of a match and of each group; None for a group that does not take part."""
    spans = [match.span(number) for number in range(len(match.groups()) + 1)]
    return [list(span) if span[0] >= 0 else None for span in spans]


def select_results(row: dict) -> dict:
    """Return the expected results in a row of the table."""
    return {kind: row[kind] for kind in ("match", "scan", "split", "gsub", "error") if kind in row}


def test_the_results_are_those_of_the_table():
    differing = [
        row["pattern"]
        for row in ROWS
        if compute_results(row["pattern"], row["flags"], row["subject"]) != select_results(row)
    ]
    assert len(differing) <= KNOWN_DIFFERENCES, differing


def run_ruby(cases):
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("Ruby is not installed")
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    process = subprocess.run(
        [ruby, "-W0", "-Ku", "-e", RUBY], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in process.stdout.splitlines()]


@pytest.mark.released
def test_the_table_has_the_results_of_ruby():
    cases = [(row["pattern"], row["flags"], row["subject"]) for row in ROWS]
    assert run_ruby(cases) == [select_results(row) for row in ROWS]


SUBJECTS = [
    *("", "a", "/etc/foo.conf", "10.0.0.1", "foo::bar", "present", "1.2.3-4", "tcp:80\n", "ABC def\nghi"),
    *("https://u:p@host.example.com:8080/p?q#f", "[::1]:80", "aa:bb:cc:dd:ee:ff", "  x = 1 # c", "é", "-1"),
]


@pytest.mark.released
def test_the_expressions_of_installed_modules_match_as_in_ruby(module_regexps):
    cases = [(pattern, "", subject) for pattern in module_regexps for subject in SUBJECTS]
    for case, expected in zip(cases, run_ruby(cases), strict=True):
        assert compute_results(*case) == expected, case


# --- Values


def test_a_match_has_its_groups():
    match = RegexpValue("(a)|(b)").search("b")
    assert (match[0], match[1], match[2]) == ("b", None, "b")
    assert match.groups() == (None, "b")


def test_an_expression_with_named_groups_captures_no_other_groups():
    match = RegexpValue("(?<n>b)(c)").search("abc")
    assert (match[0], match.groups()) == ("bc", ("b",))


def test_equal_patterns_make_equal_values_with_the_same_text():
    assert RegexpValue("a/b") == RegexpValue("a/b") != RegexpValue("a")
    assert hash(RegexpValue("a")) == hash(RegexpValue("a"))
    assert RegexpValue("a/b").text() == r"/a\/b/" == RegexpValue(r"a\/b").literal()


def test_an_expression_is_compiled_when_it_is_first_used():
    regexp = RegexpValue("[")
    with pytest.raises(Failure, match="premature end of char-class: /\\[/"):
        _ = regexp.compiled


def test_a_substitution_inserts_groups():
    def replace(pattern, text, replacement, everywhere=True):
        return substitute(RegexpValue(pattern), text, replacement, everywhere)

    assert replace("b", "abcabc", "X") == "aXcaXc"
    assert replace("b", "abcabc", "X", everywhere=False) == "aXcabc"
    assert replace("(b)", "abc", r"<\1\0\&\9\\>") == r"a<bbb\>c"
    assert replace("b", "abc", r"\`\'") == "aacc"
    assert replace("(?<n>b)", "abc", r"<\k<n>>") == "a<b>c"
    assert replace("[bc]", "abc", {"b": "X"}) == "aX"
    assert replace("", "aaa", "-") == "-a-a-a-"
    with pytest.raises(Failure, match="undefined group name reference: x"):
        replace("(?<n>b)", "abc", r"\k<x>")


@given(st.text())
def test_escaped_text_matches_itself(text):
    match = RegexpValue(rf"\A{escape_regexp(text)}\z").search(text)
    assert match is not None
    assert match[0] == text


@given(st.text(alphabet="ab,\n", max_size=20))
def test_the_parts_and_separators_of_a_split_join_to_the_text(text):
    assert "".join(split(text, RegexpValue("(,)"))).rstrip(",") == text.rstrip(",")


# --- Limits

CATASTROPHIC = ("^(a|aa)+$", "a" * 60 + "!")


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr(limits.REGEXP, "value", 0.3)


def test_a_match_stops_at_the_time_limit(short_limit):
    pattern, text = CATASTROPHIC
    with pytest.raises(PuppetError, match="max_regexp_seconds"):
        RegexpValue(pattern).search(text)


def test_a_match_can_be_interrupted():
    import ctypes

    interrupted: list[float] = []  # the CPU time, since other processes may use the processors
    started = threading.Event()

    def search():
        try:
            started.set()
            RegexpValue(CATASTROPHIC[0]).search(CATASTROPHIC[1])
        except KeyboardInterrupt:
            interrupted.append(time.process_time())

    thread = threading.Thread(target=search)
    thread.start()
    started.wait()
    time.sleep(0.4)
    sent = time.process_time()
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt)
    )
    thread.join()
    assert interrupted
    assert not exceeds(interrupted[0] - sent, 0.25)


def test_a_long_match_uses_the_engine_with_a_time_limit():
    compiled = regexps.compile_ruby("a*a*b")
    assert compiled.search("a" * 100) is None
    assert compiled._engine is None
    assert compiled.search("a" * 10_000) is None
    assert compiled._engine is not None


def test_an_error_names_the_package_regex_if_it_is_needed_and_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(regexps, "load_engine", lambda: None)
    monkeypatch.setattr(regexps, "compile_ruby", regexps.CompiledRegexp)  # which caches nothing
    assert regexps.RegexpValue("b+").search("abb")[0] == "bb"
    # With `regex` installed, so long a text would not be matched by `re`.
    assert regexps.RegexpValue(".*b").search("a" * 10_000) is None
    for source, text in (("(?<=a|bc)d", "bcd"), (".*.*b", "a" * 10_000)):
        with pytest.raises(Failure, match=r"needs the Python package `regex`") as caught:
            regexps.RegexpValue(source).search(text)
        assert caught.value.code == "REGEXP_ENGINE_MISSING"


@pytest.mark.parametrize("length", [10, 3_000, 30_000])
def test_the_length_of_a_text_does_not_change_its_match(length: int) -> None:
    match = RegexpValue(r"x(\d*)y").search("a" * length + "x12y")
    assert match is not None and (match.start(), match[1]) == (length, "12")
    assert RegexpValue(r"x\d*y").search("x1" * length) is None
