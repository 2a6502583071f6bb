"""Printing source in the style guide's layout: the tree stays, comments stay, and printing twice changes nothing."""

from pathlib import Path

import pytest

from lexer_parser import SPEC, PuppetError, comments, parse
from lexer_parser.printer import format_source

LAYOUTS = sorted(Path(__file__).parent.glob("*.txt"))
MARK = "\n===\n"

TORTURE = [
    "",
    "# only a comment",
    "/* one */ /* two */",
    "$x = 1; -1",
    "$x; *[1]",
    "$x; /a/",
    "$x ; { 'a' => 1 }.each |$k, $v| { notice($k) }",
    "$x = 'a\nb' # c",
    "$x = [@(A), @(B)] # after\n  one\n  | A\n  two\n  | B\n$y = 2",
    'notice("${x[1]} ${y.map |$z| { "${z}" }} # no comment")',
    '$x = @("A")\n  ${y.map |$z| { $z }} # text\n  | A\n# comment',
    "[1, a => 2, b => 3, [4], { c => 5 }]",
    "f(1, a => 2) |$x| { }",
    "$x.f.g(1).h |*$y| >> Integer { 1 }",
    "$a ? 1 => 2",
    "$a ? { 1 => 2, default => { a => 1 } }",
    "if $a { } else { if $b { } }",
    "if $a { } elsif $b { } else { 1 }",
    "unless $a { 1 } else { 2 }",
    "case $a { 1, 2: { } default: { 3 } }",
    "class a inherits b { class c { define d { } } }",
    "class a($x, Integer[1, 2] *$y = 1) { }",
    "function f >> Integer { 1 }",
    "type A = Object { attributes => { a => Integer } }",
    "type A = Variant[Integer, String]",
    "type Runtime[ruby, 'a'] = B",
    "node a.b.1, 'c', /d/, default { }",
    "@@file { 'a': * => $x; default: mode => 1; [b, c]: }",
    "File { } File['a'] { x +> 1 } File <| a == 1 and (b != 2) |> { x => 1 } File <<| |>>",
    "File['a'] -> @file { 'b': } ~> Class['c'] <- D <| |>",
    "notice 1, [2]\ninclude a, b\nfail('x')",
    "notice (1) + 2",
    "notice\n(1) + 2",
    "notice; -1",
    "include # one\n\nclass { 'a': }",
    "file { 'a':; 'b' # one\n: }",
    "$x # one\n; -1",
    '$x = "${@(A)} b"\n  one\n  | A\n$y = 1',
    "if A <| |> { } { 1 }",
    "f(1) |$x = g(1),| >> Integer { }",
    "class ::a { class ::b { define c { } } }",
    "# one\n\n# two\n\nclass a { }",
    "'\x01' + '\x02'",
    "$x = @(A)\n  one\n\n  # two\n  | A\n$y = 1",
    "fail { a => 1 } -> B",
    "$x = !(-1 + 2 * -$y == *$z)",
    "1 + 2 - 3 * 4 / 5 % 6 << 7 >> 8 == 9 != 1 < 2 <= 3 > 4 >= 5 and 1 or 2 in 3",
    "$x =~ /a\\/b/ and $y !~ Integer",
    "0x1F + 0777 + 1.50 + 1e-5",
    "{ type => function, 'a' => undef, default => true }",
    "class { 'a': x => 1 }",
    "$x = if true { 1 } else { 2 }",
    "f(if $a { 1 })",
    "foo(1)(2)",
    "(foo)[1](2).bar",
    "file { 'a': # one\n  # two\n  x => 1, # three\n  # four\n}",
    "$x = { # one\n  a => 1, # two\n  # three\n}",
    "f( # one\n  1, # two\n)",
    "if $a { # one\n  1\n  # two\n} # three\n# four\nelse {\n  # five\n}",
    "case $a { # one\n  1: { # two\n  }\n\n  # three\n  default: { }\n  # four\n}",
    "class a ( # one\n  $x, # two\n  # three\n) { # four\n}",
    "$x = 1 + # one\n  2",
    "$x # one\n  .f # two\n  .g",
    "if $a { file { b => 1 } 2 }",
    "notice('é', \"日本\") # ü",
]


def check(source: str) -> str:
    printed = format_source(source)
    assert parse(printed, validate=False) == parse(source, validate=False)
    assert sorted(text.rstrip() for *_, text in comments(printed)) == sorted(
        text.rstrip() for *_, text in comments(source)
    )
    assert format_source(printed) == printed
    return printed


@pytest.mark.parametrize("source", TORTURE)
def test_the_tree_and_the_comments_stay(source):
    check(source)


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_layout(path):
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    assert check(source) == expected


def test_the_specification_reads_on_at_a_bracket():
    source = "$x\n; [1]"
    assert parse(format_source(source, SPEC), dialect=SPEC, validate=False) == parse(
        source, dialect=SPEC, validate=False
    )


def test_what_is_nested_too_deeply_is_refused():
    with pytest.raises(PuppetError, match="nested too deeply"):
        format_source("[" * 5000 + "]" * 5000)


def test_nested_lists_take_linear_time():
    depth = 60
    source = "$x = " + "[\n0, " * depth + "1" + "]" * depth
    assert check(source).count("\n") > depth
