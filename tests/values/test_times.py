"""Timestamp and Timespan: `strftime` as in Ruby, the calendar, order, time zones, parsing."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.issues import Failure
from evaluator.values import Timespan, Timestamp
from evaluator.values.times.timestamps import count_days, find_zone_offset, split_days

CASES = 1500
LETTERS = "YCymBbhdejHkIlPpMSLNzZAauwGgVUWsntcDFvxXrRT%+"
RUBY = r"""
require 'json'
STDIN.each_line do |line|
  nanoseconds, format = JSON.parse(line)
  time = Time.at(nanoseconds.div(10**9), nanoseconds % 10**9, :nsec).utc
  puts JSON.generate([time.strftime(format)])
end
"""


@pytest.mark.released
def test_random_formats_are_as_in_ruby():
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("Ruby is not installed")
    chance = random.Random(7)

    def make_directive() -> str:
        flags = chance.choice(["", "", "-", "_", "0", "^", "#"])
        return f"%{flags}{chance.choice(['', '', '3', '12'])}{chance.choice(LETTERS)}"

    cases = [
        (chance.randrange(-(10**20), 10**20), "|".join(make_directive() for _ in range(4)))
        for _ in range(CASES)
    ]
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    process = subprocess.run([ruby, "-e", RUBY], input=lines, capture_output=True, text=True, check=True)
    for (nanoseconds, format), line in zip(cases, process.stdout.splitlines(), strict=True):
        assert [Timestamp(nanoseconds).strftime(format)] == json.loads(line), (nanoseconds, format)


@given(st.dates())
def test_the_days_of_a_date_are_counted_since_1970(day):
    number = (day - date(1970, 1, 1)).days
    assert count_days(day.year, day.month, day.day) == number
    former_years, split = split_days(number)
    assert (former_years + split.year, split.month, split.day) == (day.year, day.month, day.day)


@given(st.dates(max_value=date(9990, 1, 1)))
def test_weeks_and_weekdays_are_those_of_the_calendar(day):
    text = Timestamp((day - date(1970, 1, 1)).days * 86400 * 10**9).strftime("%G-%V-%u %j %U %W")
    assert text == day.strftime("%G").zfill(4) + day.strftime("-%V-%u %j %U %W")


@given(st.integers(-(10**19), 10**19), st.integers(-(10**19), 10**19))
def test_times_are_ordered_by_their_nanoseconds(left, right):
    for kind in (Timespan, Timestamp):
        assert (kind(left) < kind(right)) == (left < right)
        assert (kind(left) == kind(right)) == (left == right)
    assert Timespan(left) != Timestamp(left)


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(10**5)))
def test_a_timespan_is_the_sum_of_its_fields(span):
    value = Timespan.of_fields(days=span.days, seconds=span.seconds, microseconds=span.microseconds)
    assert value.nanoseconds == span // timedelta(microseconds=1) * 1000
    assert value.strftime("%D %H:%M:%S").split()[0] == str(span.days)


@pytest.mark.parametrize(
    ("zone", "offset"),
    [
        ("UTC", 0),
        ("+02:00", 7200),
        ("-0530", -19800),
        ("+2", 7200),
        ("PST", -28800),
        ("GMT+2", 7200),
        ("Eastern Standard Time", -18000),
        ("est dst", -14400),
        ("X", -39600),
        ("+5.5", 19800),
        ("Europe/Berlin", None),
        ("bogus", None),
    ],
)
def test_a_zone_has_an_offset(zone, offset):
    assert find_zone_offset(zone) == offset


def test_a_text_that_does_not_match_a_format_is_reported():
    with pytest.raises(Failure, match="Unable to parse 'x' using format '%F'"):
        Timestamp.parse("x", "%F")
    with pytest.raises(Failure, match="Unable to parse 'x' using any of the formats %F, %T"):
        Timestamp.parse("x", ["%F", "%T"])
    with pytest.raises(Failure, match="Illegal timezone 'Foo'"):
        Timestamp.parse("2020-01-01", "%F", "Foo")
    with pytest.raises(Failure, match="Bad format specifier '%' in '%x', at position 1"):
        Timespan(0).strftime("%x")
