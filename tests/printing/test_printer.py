"""Source is printed in the layout of the style guide, with its tree and its comments."""

import time
from pathlib import Path

import pytest

from lexer_parser import PUPPET, SPEC, parse
from lexer_parser.printing.layout import format_program, format_source
from tests.fuzzing.inputs import MODULES, read_installed_corpus
from tests.printing.checks import check_printed

LAYOUTS = sorted(Path(__file__).parent.glob("*.txt"))
MARK = "\n===\n"
DEEP = 4_000

DIFFICULT = [
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
    "$x = @(A) <| |> -> 'x'\n  one\n  | A\n-> 'y\nz'",
    "f(@(A))\n  one\n  | A\n-> 'x\ny' -> File['a']",
    "f(@(A) <|\n  one\n  | A\na == 'x\ny' |>)",
    "[@(A),\n  one\n  | A\n'x'] -> 'x\ny'",
    '$x = "${@(A)} b"\n  one\n  | A\n$y = 1',
    "$t.type ; Foo { a => 1 }",
    "$a -> $t . /* c */type ; Foo { a => 1 } -> 1",
    "if A <| |> { } { 1 }",
    "f(1) |$x = g(1),| >> Integer { }",
    "class ::a { class ::b { define c { } } }",
    "# one\n\n# two\n\nclass a { }",
    "'two\nlines' = $v $a::_b = $name",
    "node 017 . 10 . 1e5, 1.a { 1 . f 1.f }",
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
    # The last line of a string is longer than its first line, and the tokens after it make that line too long.
    f"Notify['x\n{'k' * 60}'] -> notify {{ '{'l' * 60}': message => 'a' }} -> f('x\ny', \"${{[1,\n2]}}\")",
    f"f('x\n{'k' * 60}', '{'l' * 60}') -> notify {{ 'll': message => 'x\ny' }} -> $x -> $x",
    f"['x\n{'k' * 60}', '{'l' * 60}', f('{'m' * 20}')]",
]


@pytest.mark.parametrize("source", DIFFICULT)
def test_printing_preserves_the_tree_and_the_comments(source):
    check_printed(source)


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_a_source_is_printed_in_the_layout_of_the_style_guide(path):
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    assert check_printed(source) == expected


SPECIFIED = [
    "$x\n; [1]",
    "$x [1]",
    "$x\n[1]",
    "foo\n[1]",
    "foo [1]",
    "foo; [1]",
    "notice\n[1]",
    "$x = A -> B",
    "$x = [,] $y = {,}",
    "case $x { }",
    "$x { a => 1, b => 2 }",
    "a-b",
    "a { node b, c, inherits d {}: }",
    "a { node b, c, inherits d {}: x => 1, y => 2; 'c': }",
]


@pytest.mark.parametrize("source", SPECIFIED)
def test_a_source_that_the_specification_parses_otherwise_is_printed(source):
    check_printed(source, SPEC)


# The text before, the opening text, the innermost text, and the closing text.
NESTED = [
    ("$x = ", "[", "", "]"),
    ("$x = ", "[\n0, ", "1", "]"),
    ("", "if $a { ", "", "}"),
    ("$x = ", "(1 + ", "2", ")"),
    ("", "f(", "", ")"),
    ("$x = ", "{ # c\n a => ", "1", "}"),
    ("$x = 1", " + 1", "", ""),
    ("$x", ".f |$y| { $y", "", "}"),
    ("$x = 1 + ", "!", "1", ""),
    ("A", " -> A", "", ""),
    ("if 1 { 2 }", " elsif 1 { 2 }", "", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize("nested", NESTED, ids="…".join)
def test_printing_takes_linear_time_in_the_depth(nested):
    """Four times the depth takes about four times the time."""
    before, opening, middle, closing = nested

    def measure(depth):
        source = before + opening * depth + middle + closing * depth
        start = time.process_time()
        assert len(check_printed(source)) < 500 * depth
        return time.process_time() - start

    assert measure(DEEP) < 8 * measure(DEEP // 4) + 0.2


@pytest.mark.slow
def test_printing_takes_linear_time_in_the_number_of_statements():
    def measure(count):
        program = parse(
            "".join(f"notice('a', $x{i} + 1)\n" for i in range(count)), validate=False, dialect=PUPPET
        )
        start = time.process_time()
        format_program(program, PUPPET)
        return time.process_time() - start

    assert measure(20_000) < 10 * measure(5_000)


def test_a_method_named_type_is_no_keyword():
    source = "$t.type ; Foo { a => 1 }"
    assert format_source(source, PUPPET) == "$t.type\nFoo { a => 1 }\n"


@pytest.mark.slow
@pytest.mark.skipif(not MODULES.is_dir(), reason="no modules are installed")
def test_every_fifth_manifest_of_the_installed_modules_is_printed():
    sources = [source for source, epp in read_installed_corpus() if not epp][::5]
    printed = [check_printed(source, may_be_invalid=True) for source in sources]
    assert sum(text is not None for text in printed) > 0.9 * len(sources)


def test_a_source_without_a_layout_is_not_changed():
    """The text of this heredoc begins within a string; the printer has no layout for it."""
    source = 'node a, @(A) inherits "${b\nA\n.c} d" { }'
    assert format_source(source, PUPPET) == source
