"""Printing preserves comments between any tokens, their order, and the tree."""

from collections.abc import Iterator

import pytest

from lexer_parser import PUPPET, SPEC, tokenize
from tests.printing.checks import can_parse, check_printed

# Every construct of the language.
SOURCES = """
$x = 1
$x += [1, 'a', "b",]
$x = { 'a' => 1, b => [2, 3], }
$x = [{ a => 1 }, 2]
$x = []; $y = {}
[$a, [$b]] = [1, [2]]
$x = $a[1, 2][3]['b']
$x = -$a + 2 * (3 - $b) / -4 % 5
$x = !$a and ($b or $c) and !($d == 1)
$x = $a == 1 or $b != 2 and $c < 3 or $d >= 4
$x = $a =~ /b/ or $c !~ String and 1 in [1]
$x = 1 << 2 >> 3
f(*$a, *[1, 2])
$x = undef; $y = default; $z = true
$x = "a ${b} ${c[1]} ${f(1)} d"
$x = 'a
b'
notice(1, [2], { a => 1 })
notice 1, 'a', f(2)
notice -1
include a, b::c
notice; (1) + 2
notice; [1]
f()
f(1, a => 2, b => 3)
f(1).g.h(2, 3)[4]
f(1) |$x, Integer $y = 1, *$z| >> Integer { $x }
[1].each |$i| { notice($i) notice(2) }
[1].map || { }
$x.each |Integer[1, 2] $a| { $a }
type(1)
$x.type
Integer.new('1', 10)
if $a { 1 } elsif $b { 2 } else { 3 }
if ($a) { } else { if $b { 1 } }
if $a {
  1
  2
}
unless $a { 1 } else { 2 }
case $a { 1, 'b': { 1 } /c/, default: { } }
$x = $a ? { 1 => 'a', default => { b => 1 } }
$x = $a ? 1 => 2
class a { }
class a::b ($x, Integer $y = 1, Array[String] *$z) inherits c { notice(1) }
class a() inherits default { class b { define c { } } }
define a($x = [1]) { notice($x) }
function a::b($x, $y = 1) >> Array[Integer] { $x }
function a { }
node 'a', b.c.1, /d/, default inherits e { 1 }
type A = Variant[Integer, Array[String, 1]]
type A = Object { attributes => { a => Integer, b => [1] } }
type A = { a => 1 }
type A = [Integer, String]
type A inherits B { $x }
type Runtime[ruby, 'a'] = B
file { 'a': }
file { 'a': mode => 1 }
file { ['a', 'b']: mode => 1, owner => [1], * => $x, }
file { 'a': mode => 1; 'b': mode => 2, owner => 3; default: }
file {
  'a': mode => 1, owner => 2;
  'bc': mode => 3;
}
@file { 'a': mode => 1 } @@file { 'b': }
class { 'a': x => 1 }
$a { 'b': c => 1 }
File { mode => 1, owner => 2 }
File['a', 'b'] { mode => 1, owner +> 2 }
@File { mode => 1 }
File['a'] -> File['b'] ~> Class['c'] <- D <~ E
file { 'a': } -> file { 'b': x => 1, y => 2 }
File <| |>
File <| title == 'a' and (b != 2 or c == 3) |> { mode => 1, owner => 2 }
File <<| tag == 'a' |>> -> B { }
fail { a => 1 }
foo { a => 1 }
$x = if $a { 1 } else { 2 }
$x = case $a { default: { 1 } }
f(if $a { 1 }, { a => 1 })
f({ a => 1,
  b => 2 })
f('a', [
  1, 2])
[[[1, 2],
  3], 4]
(1) (foo)[1](2)
$x; -1
$x; { a => 1 }.f
$x; /a/
$x; *[1]
$x
-$y
private
if 1 { 1 } [1]
$x = @(A) + f(@("B"/t), 'c')
  one # no comment
  | A
  two ${x} ${y.map |$z| { $z }}
  | B
$y = 1
$x = "${f(@(A))} b"
  one
  | A
$y = 1
@ (file) { 'a': }
""".strip().split("\n")
COMMENTS = ("# c\n", "/* c */", "\n\n# c\n/* d\n  e */ /* f */\n\n")


def join_lines() -> list[str]:
    """Return the sources: a line belongs to the source before it until that one parses."""
    sources: list[str] = []
    for line in SOURCES:
        if sources and not can_parse(sources[-1]):
            sources[-1] += f"\n{line}"
        else:
            sources.append(line)
    return sources


def list_boundaries(source: str) -> list[int]:
    """Return the offsets at which tokens begin or end."""
    return sorted({offset for _, _, *span in tokenize(source, PUPPET) for offset in span})


def insert_comment(source: str, comment: str) -> Iterator[str]:
    """Yield the source with the comment at each boundary of its tokens."""
    for offset in list_boundaries(source):
        yield source[:offset] + comment + source[offset:]


@pytest.mark.parametrize("source", join_lines())
def test_a_comment_between_any_two_tokens_is_preserved(source):
    for comment in COMMENTS:
        for text in insert_comment(source, comment):
            for dialect in (PUPPET, SPEC):
                check_printed(text, dialect, may_be_invalid=True)


@pytest.mark.parametrize("source", join_lines())
def test_comments_between_all_tokens_are_preserved(source):
    for comment in COMMENTS:
        text = source
        for offset in reversed(list_boundaries(source)):
            longer = text[:offset] + comment + text[offset:]
            if can_parse(longer):
                text = longer
        check_printed(text)
