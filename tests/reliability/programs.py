"""Hostile and oversized programs: none may hang, crash, or exhaust the machine's memory."""

from __future__ import annotations

from collections.abc import Iterator

WIDTHS = (10**4, 10**8, 10**9, 2**63)
DEPTHS = (1_000, 9_990)


def _formats() -> Iterator[tuple[str, str]]:
    for directive in "dxobegs":
        for width in WIDTHS:
            yield f"sprintf %{width}{directive}", f"sprintf('%{width}{directive}', 1).length"
            yield f"sprintf %.{width}{directive}", f"sprintf('%.{width}{directive}', 1).length"
    for width in WIDTHS:
        yield f"sprintf %*d {width}", f"sprintf('%*d', {min(width, 2**62)}, 1).length"
        yield f"String %{width}s", f"String('x', '%{width}s').length"
        yield f"String %{width}d", f"String(1, '%{width}d').length"
        yield f"String array %{width}a", f"String([1], '%{width}a').length"
        yield f"strftime %{width}N", f"Timestamp(0).strftime('%{width}N').length"
        yield f"Timespan %{width}S", f"Timespan(1).strftime('%{width}S').length"


def _shifts() -> Iterator[tuple[str, str]]:
    for amount in (64, 10**6, 10**9, 2**62):
        yield f"1 << {amount}", f"1 << {amount}"
        yield f"-1 << {amount}", f"-1 << {amount}"
        yield f"1 >> -{amount}", f"1 >> -{amount}"
        yield f"1 >> {amount}", f"1 >> {amount}"


def _growth() -> Iterator[tuple[str, str]]:
    yield "doubling a string", "Integer[1, 60].reduce('ab') |$m, $x| { \"${m}${m}\" }.length"
    yield "doubling an array", "Integer[1, 60].reduce([1]) |$m, $x| { $m + $m }.length"
    yield "doubling by flatten", "Integer[1, 60].reduce([1]) |$m, $x| { [$m, $m].flatten }.length"
    yield "shared structure printed", "Integer[1, 40].reduce([1]) |$m, $x| { [$m, $m] }"
    yield "shared structure as text", '"${Integer[1, 40].reduce([1]) |$m, $x| { [$m, $m] }}".length'
    yield "shared structure compared", "$x = Integer[1, 30].reduce([1]) |$m, $x| { [$m, $m] } $x == $x"
    yield "shared hash printed", "Integer[1, 40].reduce({}) |$m, $x| { { 'a' => $m, 'b' => $m } }"
    yield "squaring", "Integer[1, 40].reduce(3) |$m, $x| { $m * $m }"
    yield "range to array", "Array(Integer[1, 1000000000]).length"
    yield "integer to array", "Array(1000000000).length"
    yield "huge range mapped", "Integer[0, 9223372036854775807].map |$x| { $x }.length"
    yield "huge join", "Array(Integer[1, 9000000]).join('xxxxxxxxxxxxxxxx').length"
    yield "upcase of much", "Integer[1, 30].reduce('abc') |$m, $x| { \"${m}${m}\" }.upcase.length"
    yield "split of much", "Integer[1, 21].reduce('a,b,c,d') |$m, $x| { \"${m}${m}\" }.split(',').length"
    yield (
        "regsubst growth",
        "regsubst('aaaaaaaaaaaaaaaaaaaaaaaa', 'a', sprintf('%9000000s', 'b'), 'G').length",
    )
    yield "range function", "range(1, 1000000000).length"
    yield "many digits", "Integer(sprintf('%0100000d', 7))"
    yield "int of text", f"Integer('{'9' * 5000}') > 0"
    yield "float of text", f"Float('{'9' * 5000}')"
    yield "timespan of much", "Timespan(9223372036854775807) > Timespan(0)"
    yield "slice of one", "Array(1000000).slice(1).length"


def _regexps() -> Iterator[tuple[str, str]]:
    victim = "a" * 40 + "!"
    for pattern in (
        "(a+)+$",
        "(a|aa)+$",
        "(a|a?)+$",
        "(.*a){25}$",
        "(a*)*b",
        "((a+)+)+$",
        "^(?:a|b|c|ab|bc|abc)+$",
        "(a+)+\\1$",
        "(?=(a+)+$)b",
        "(\\w+\\s?)*$!",
    ):
        yield f"match {pattern}", f"'{victim}' =~ /{pattern}/"
        yield f"regsubst {pattern}", f"regsubst('{victim}', '{pattern}', 'x', 'G')"
    yield "split by a slow pattern", f"split('{victim}', '(a+)+b')"
    yield "huge repetition", "'a' =~ Regexp('a{100000}{100000}')"
    yield "repetition in repetition", "'a' =~ Regexp('(((a{1000}){1000}){1000})')"


def _depths() -> Iterator[tuple[str, str]]:
    for depth in DEPTHS:
        yield f"{depth} parentheses", "(" * depth + "1" + ")" * depth
        yield f"{depth} arrays", "[" * depth + "]" * depth
        yield f"{depth} arrays as text", '"${' + "[" * depth + "1" + "]" * depth + '}".length'
        yield f"{depth} arrays compared", f"$x = {'[' * depth}{']' * depth} $x == {'[' * depth}{']' * depth}"
        yield f"{depth} hashes", "{a=>" * depth + "1" + "}" * depth
        yield f"{depth} not", "!" * depth + "true"
        yield f"{depth} minus", "-" * depth + "1"
        yield f"{depth} plus", "+".join(["1"] * depth)
        yield f"{depth} and", " and ".join(["true"] * depth)
        yield f"{depth} if", "if true {" * depth + "1" + "}" * depth
        yield f"{depth} elsif", "if false {1}" + " elsif false {1}" * depth + " else {2}"
        yield f"{depth} selectors", "1 ? { 1 => " * depth + "1" + "}" * depth
        yield f"{depth} methods", "[1]" + ".flatten" * depth
        yield f"{depth} types", "[1] =~ " + "Array[" * depth + "Integer" + "]" * depth
        yield f"{depth} accesses", "$x = [[1]] $x" + "[0]" * depth
    yield "1000 lambdas", "with(1) |$x| {" * 1000 + "1" + "}" * 1000
    yield "1000 interpolations", '"${' * 1000 + "1" + '}"' * 1000
    yield "1000 arrows", " -> ".join(f"notify {{'n{i}':}}" for i in range(1000))
    yield "unclosed brackets", "[" * 100_000
    yield "unclosed braces", "{" * 100_000
    yield "only closers", ")" * 100_000


def _recursion() -> Iterator[tuple[str, str]]:
    yield "a function calls itself", "function f($x) { f($x) } f(1)"
    yield "two functions call each other", "function f($x) { g($x) } function g($x) { f($x) } f(1)"
    yield "through a lambda", "function f($x) { [1].map |$y| { f($x) } } f(1)"
    yield "through a default", "function f($x = f()) { $x } f()"
    yield "through call", "function f($x) { call('f', $x) } f(1)"
    yield "through sort", "function f($x) { [2, 1].sort |$a, $b| { f($x) } } f(1)"
    yield "through a template", "function f($x) { inline_epp('<%= f(1) %>') } f(1)"
    yield "classes include each other", "class a { include b } class b { include a } include a"
    yield "a class inherits itself", "class a inherits a { } include a"
    yield "a circle of inheritance", "class a inherits b { } class b inherits a { } include a"
    yield "a define declares itself", "define d() { d { \"${title}x\": } } d { 'x': }"
    yield "an alias of itself", "type A = A\nA"
    yield "a recursive alias", "type A = Variant[Integer, Array[A]]\n[[[[1]]]] =~ A"
    yield "a circle of aliases", "type A = B\ntype B = A\n1 =~ A"
    yield "exponential types", "$t = Integer[1, 25].reduce(Integer) |$m, $x| { Tuple[$m, $m] } $t >= $t"
    yield (
        "exponential structs",
        "$t = Integer[1, 25].reduce(Integer) |$m, $x| { Struct[{a => $m, b => $m}] } $t >= $t",
    )
    yield (
        "exponential text of a type",
        '$t = Integer[1, 40].reduce(Integer) |$m, $x| { Tuple[$m, $m] } "${t}".length',
    )


def _catalogs() -> Iterator[tuple[str, str]]:
    ring = " ".join(f"Notify['{i}'] -> Notify['{(i + 1) % 1000}']" for i in range(1000))
    yield "a ring of 1000", 'Integer[0, 999].each |$i| { notify { "${i}": } } ' + ring
    yield (
        "a complete graph",
        (
            '$n = Array(Integer[1, 20]).map |$i| { "n${i}" } notify { $n: } '
            "$n.each |$a| { $n.each |$b| { if $a < $b { Notify[$a] -> Notify[$b] } } }"
        ),
    )
    yield "many resources", 'Integer[1, 20000].each |$i| { notify { "n${i}": } }'
    yield "a long title", "notify { sprintf('%1000000s', 'x'): }"
    yield "too many resources", 'Integer[1, 1000000].each |$i| { notify { "n${i}": } }'


# values that double forty times; no machine could print them
DOUBLINGS = {
    "arrays": "Integer[1, 40].reduce([1]) |$m, $x| { [$m, $m] }",
    "hashes": "Integer[1, 40].reduce({}) |$m, $x| { { 'a' => $m, 'b' => $m } }",
    "secrets": "Integer[1, 40].reduce(Sensitive(1)) |$m, $x| { [$m, $m] }",
    "keys": "Integer[1, 40].reduce([1]) |$m, $x| { { $m => $m } }",
    "Tuples": "Integer[1, 40].reduce(Integer) |$m, $x| { Tuple[$m, $m] }",
    "Structs": "Integer[1, 40].reduce(Integer) |$m, $x| { Struct[{ a => $m, b => Optional[$m] }] }",
}
# operations on such a value and on an equal one
WALKS = (
    *(
        "$m == $n",
        "$m in [$n]",
        "[$m, $n].unique",
        "$h = { $m => 1, $n => 2 }",
        "[$m, 1] - [$n]",
        "[$m, $n].sort",
    ),
    *("$m =~ Data", "$m =~ RichData", "$m =~ Array[Array[Array[Data]]]", "$m =~ type($n)"),
    *("type($m)", "type($m, 'generalized')", "type($m) < type($n)", "case $m { $n: { 1 } default: { 2 } }"),
    *(
        '"${m}".length',
        "String($m).length",
        "String($m, '%#p').length",
        "sprintf('%p', $m).length",
        "notice($m)",
    ),
    *("to_json($m)", "to_json_pretty([$m])", "to_yaml($m)", "to_python($m)", "to_toml({ 'a' => $m })"),
    *(
        "$m.flatten.length",
        "join([$m])",
        "deep_merge({ 'a' => $m }, { 'a' => $n })",
        "md5($m)",
        "fqdn_rand(10, $m)",
    ),
    *(
        "fail($m)",
        "Integer($m)",
        "assert_type(Integer, $m)",
        "function f(Data $p) { 1 } f($m)",
        "$m.downcase",
    ),
    *(
        "define d($p) { } d { 'a': p => $m }",
        "notify { 'a': message => $m }",
        "notify { $m: }",
        "realize($m)",
    ),
    *("notify { 'a': tag => $m }", "Notify { message => $m } notify { 'a': }", "Enum[$m]", "dig44([1], $m)"),
    "type A = Variant[Integer, Tuple[A, A]]\n$m =~ A",
)


def _walks() -> Iterator[tuple[str, str]]:
    for kind, doubling in DOUBLINGS.items():
        for walk in WALKS:
            yield f"{kind}: {walk}", f"$m = {doubling} $n = {doubling} {walk}"


def _texts() -> Iterator[tuple[str, str]]:
    yield "a long line", "$x = '" + "a" * 1_000_000 + "' $x.length"
    yield "a long comment", "# " + "c" * 2_000_000 + "\n1"
    yield "a long heredoc", "@(END).length\n" + "line\n" * 100_000 + "| END"
    yield "many statements", "\n".join(f"$v{i} = {i}" for i in range(20_000))
    yield "a dense array", f"[{'1,' * 400_000}1].length"
    yield "NUL in code", "1 \0 2"
    yield "NUL in a string", "'a\0b'.length"
    yield "a lone surrogate", "'\ud800'.length"
    yield "a byte order mark", "\ufeff1"
    yield "bidi controls", "'a\u202eb'.length"
    yield "every blank", "1 +\u00a0\u3000\u20022"
    yield "homoglyphs", "$\u0430 = 1"
    yield "an unclosed quote", "'" + "a" * 1_000_000
    yield "unclosed interpolation", '"${' * 5_000


FAMILIES = (_formats, _shifts, _growth, _walks, _regexps, _depths, _recursion, _catalogs, _texts)


def programs() -> list[tuple[str, str]]:
    """Return the name and the source of every program."""
    return [program for family in FAMILIES for program in family()]


# Only an interrupt ends these programs.
ENDLESS = [
    "Integer[1, 1000000000000].each |$x| { }",
    "Integer[1, 1000000000000].map |$x| { 1 }",
    "Integer[1, 1000000000000].reduce |$a, $b| { $a }",
    "Integer[1, 1000000000000].filter |$x| { false }",
    "Integer[1, 1000000000000].any |$x| { false }",
    "Integer[1, 1000000000000].reverse_each |$x| { }",
    "Integer[1, 1000000000000].step(2) |$x| { }",
    "Integer[1, 1000000000000].slice(2) |$x| { }",
    "Integer[1, 1000000].each |$x| { Integer[1, 1000000].each |$y| { } }",
    "function f($n) { if $n > 0 { f($n - 1) f($n - 1) } } f(60)",
    'Integer[1, 1000000000000].each |$x| { "a${x}" =~ /^(b|c)+$/ }',
    "Integer[1, 1000000000000].each |$x| { $y = $x + 1 }",
    "Integer[1, 40].reduce([1]) |$m, $x| { [$m, $m] }.tree_each |$x| { }",
]
