"""The usual layout of code."""

from __future__ import annotations

import pytest

from lexer_parser import PuppetError, parse, to_pn
from puppet_kernel.formatting import format_source

CASES = {
    "class a{\n$x=1\n}\n": "class a {\n  $x = 1\n}\n",
    "file{'/a':\nensure=>file,\n   mode =>  '0644'\n}\n": "file {'/a':\n  ensure => file,\n  mode   => '0644'\n}\n",
    "service {\n'a':\nensure=>running;\n'b':\nenable => true\n}": (
        "service {\n  'a':\n    ensure => running;\n  'b':\n    enable => true\n}\n"
    ),
    "if $x{\n1\n}else{\n2\n}": "if $x {\n  1\n} else {\n  2\n}\n",
    "$h={\n'a'=>1,\n'bbb'=>[\n1,2,\n],\n}": "$h = {\n  'a'   => 1,\n  'bbb' => [\n    1, 2,\n  ],\n}\n",
    "class a(\n$x,\n$y = 2\n){\nnotice($x)\n}": "class a(\n  $x,\n  $y = 2\n) {\n  notice($x)\n}\n",
    "  # comment\n\n\n\n   1   # why\n": "# comment\n\n1   # why\n",
    "$x = @(END)\n     text\n   | END\nnotice( $x )\n": "$x = @(END)\n     text\n   | END\nnotice( $x )\n",
    "$x = $y ?{\n'a'=>1,\ndefault=>2,\n}": "$x = $y ? {\n  'a'     => 1,\n  default => 2,\n}\n",
    "$x = 1 +\n2\n": "$x = 1 +\n  2\n",
    "[1,2].map|$x|{ $x+1 }": "[1, 2].map|$x| { $x+1 }\n",
}


@pytest.mark.parametrize("source", CASES)
def test_layout(source: str) -> None:
    assert format_source(source) == CASES[source]


@pytest.mark.parametrize("source", CASES)
def test_the_meaning_stays_and_once_is_enough(source: str) -> None:
    formatted = format_source(source)
    assert to_pn(parse(formatted)) == to_pn(parse(source))
    assert format_source(formatted) == formatted


def test_strings_over_lines_stay() -> None:
    assert format_source("class a {\n$x = 'a\n   b'\n}") == "class a {\n  $x = 'a\n   b'\n}\n"


def test_a_mistake_is_told() -> None:
    with pytest.raises(PuppetError):
        format_source("class {")
