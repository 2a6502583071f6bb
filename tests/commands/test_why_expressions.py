"""`%why EXPRESSION` explains matches, cases, selectors, calls and node definitions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluator import Session
from evaluator.types.learner_wording import Explanation
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

PROGRAM = """type Port = Integer[1, 65535]
function plus(Integer $a, Integer $b = 1) >> Integer { $a + $b }
$web = { 'port' => 99999, 'hosts' => ['a', 1], 'z' => 1 }
"""


@pytest.fixture(scope="module")
def shell() -> Shell:
    """Return a shell with a type alias, a function and a variable."""
    shell = Shell({"dialect": "puppet", "node": "web01.x.org"})
    shell.submit(PROGRAM)
    return shell


def render_explanation(shell: Shell, expression: str) -> str:
    """Return the explanation of an expression as text."""
    element = shell.submit(f"%why {expression}").element
    assert element is not None
    return render_plain(element)


MATCHES = {
    "5 =~ Integer": ["✓ 5 =~ Integer is true", "✓ 5  is an Integer"],
    "5 !~ Integer": ["✗ 5 !~ Integer is false", "✓ 5  is an Integer"],
    "11 =~ Integer[1, 10]": ["✗ 11  is greater than 10, the maximum of Integer[1, 10]"],
    "5 =~ Variant[String, Integer[1, 3]]": [
        "✗ Integer[1, 3]  is greater than 3, the maximum of Integer[1, 3]"
    ],
    "1.5 =~ Float[2.0]": ["✗ 1.5  is less than 2.0, the minimum of Float[2.0]"],
    "'abc' =~ String[1, 2]": ["has 3 characters; 1 to 2 are required by String[1, 2]"],
    "'' =~ String[1]": ["has 0 characters; at least 1 is required by String[1]"],
    "'c' =~ Enum['a', 'b']": ["is none of 'a', 'b'"],
    "'c' =~ Pattern[/x/, /y/]": ["no part of it matches /x/ or /y/"],
    "'abc' =~ /b/": ["✓ 'abc'  /b/ matches it"],
    "'abc' =~ /z/": ["✗ 'abc'  /z/ does not match it"],
    "undef =~ Optional[String]": ["✓ undef  Optional[String] accepts undef"],
    "5 =~ Optional[String]": ["is not undef, and is an Integer, not a String"],
    "undef =~ NotUndef": ["is undef, which NotUndef does not accept"],
    "[1, 2, 3] =~ Array[Integer, 0, 2]": ["✗ size  has 3 elements; 0 to 2 are required"],
    "[1, 'a'] =~ Tuple[Integer, Integer]": ["✗ [1] = 'a'  is a String, not an Integer"],
    "{ 1 => 'a' } =~ Hash[String, String]": ["✗ key = 1  is an Integer, not a String"],
    "{ 'a' => 'b' } =~ Hash[String, Integer]": ["✗ ['a'] = 'b'  is a String, not an Integer"],
    "[{ 'a' => [1, 'x'] }] =~ Array[Hash[String, Array[Integer]]]": [
        "✗ [0] = {'a' => [1, 'x']}  is not an instance of Hash",
        "✗ ['a'] = [1, 'x']  is not an instance of Array[Integer]",
        "✗ [1] = 'x'  is a String, not an Integer",
    ],
    "$web =~ Struct[{ port => Port, hosts => Array[String], q => Integer }]": [
        "✗ ['port'] = 99999  Port is an alias of Integer[1, 65535]: is greater than 65535",
        "✗ ['hosts'] = ['a', 1]  is not an instance of Array[String]",
        "✗ [1] = 1  is an Integer, not a String",
        "✗ ['q']  is missing; 'q' => Integer is required",
        "✗ key = 'z'  is not a member",
    ],
    "[2, 'x'] =~ Variant[Integer, Array[Integer]]": [
        "matches none of 2 alternatives",
        "✗ Integer  is an Array[ScalarData], not an Integer",
        "✗ [1] = 'x'  is a String, not an Integer",
    ],
    "5 =~ Variant[String, Integer, Float]": [
        "✓ 5  matches the alternative Integer",
        "✓ Integer  is an Integer",
    ],
    "[/a/] =~ Data": ["✗ [0] = /a/  is a Regexp[/a/], not a Data"],
    "(5 =~ String)": ["✗ 5  is an Integer, not a String"],
}

OTHER_EXPRESSIONS = {
    "Integer[1, 5] < Integer": ["✓", "every instance of Integer[1, 5] is an instance of Integer"],
    "Integer < Integer": ["✗ Integer < Integer is false  they are the same type"],
    "Integer <= Integer": ["✓ Integer <= Integer is true  they are the same type"],
    "String > Integer": ["✗ String > Integer is false  Integer has instances that String does not accept"],
    "plus(1)": [
        "✓ plus(1)  plus accepts the call",
        "✓ plus(Integer $a, Integer $b?) >> Integer  accepts the call",
    ],
    "plus('a')": ["plus has no signature for these arguments", "✗ $a = 'a'  is a String, not an Integer"],
    "plus(1, 2, 3)": ["expects between 1 and 2 arguments, got 3"],
    "join('a', 2)": [
        "✗ arg = 'a'  is a String, not an Array",
        "✗ delimiter = 2  is an Integer, not a String",
    ],
    "plus(*[1, 2])": ["plus accepts the call"],
    "[1].each |$x| { 1 }": [
        "✗ hash = [1]  is an Array[Integer], not a Hash",
        "block expects 2 arguments, got 1",
        "✓ each(Iterable enumerable, Callable[1, 1] block)  accepts the call",
    ],
    "[1].map": ["expects a block"],
    "case 5 { 'a': {1} Integer[6]: {2} /x/: {3} 4, 5: {7} default: {4} 6: {8} }": [
        "✓ 5  matches the option 5",
        "✗ 'a'  5 is not 'a'",
        "✗ Integer[6]  is less than 6, the minimum of Integer[6]",
        "✗ /x/  matches Strings only, and this is an Integer",
        "✗ 4  5 is not 4",
        "✓ 5  5 == 5",
        "· default  is used if no other option matches",
        "· 6  is not tested: an option before it matches",
    ],
    "case 'x' { 'y': {1} }": ["✗ 'x'  no option matches it"],
    "case 5 { *[4, 5]: {1} }": ["✓ *[4, 5]  one of its elements matches"],
    "$web['port'] ? { String => 1, default => 2 }": [
        "✓ $web['port'] = 99999  matches the option default",
        "✗ String  is an Integer, not a String",
        "✓ default  matches, because no other option does",
    ],
    "'Abc' ? { /b/ => 1, 'abc' => 2 }": ["✓ /b/  matches it", "· 'abc'  is not tested"],
    "node": ["there are no node definitions"],
}


@pytest.mark.parametrize("expression", [*MATCHES, *OTHER_EXPRESSIONS])
def test_an_expression_has_its_reasons(shell: Shell, expression: str) -> None:
    output = render_explanation(shell, expression)
    for part in {**MATCHES, **OTHER_EXPRESSIONS}[expression]:
        assert part in output, output


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1 + 1", "%why takes a reference, or an expression with a decision"),
        ("5 < 6", "%why takes a reference, or an expression with a decision"),
        ("", "%why takes a reference, or an expression with a decision"),
        ("nosuch(1)", "Unknown function"),
        ("5 =~", "Something is missing after `=~`"),
        ("fail('no') =~ String", "error: Error while evaluating a Function Call, no"),
    ],
)
def test_an_expression_without_reasons_is_an_error(shell: Shell, expression: str, message: str) -> None:
    assert message in render_explanation(shell, expression)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("db", ["✓ node 'db'  is the node's name", "✗ node default  is used if no other definition matches"]),
        ("web1", ["✗ node 'db'  'db' is another name", "✓ node /^web/  /^web/ matches  [1], line 2"]),
        (
            "other",
            ["✗ node /^web/  /^web/ does not match 'other'", "✓ node default  matches, because no other"],
        ),
        (
            "web2",
            [
                "✓ node 'web2'  is the node's name",
                "✗ node /^web/  /^web/ matches, but another definition takes precedence",
            ],
        ),
    ],
)
def test_the_choice_of_a_node_definition_is_explained(name: str, lines: list[str]) -> None:
    shell = Shell({"node": name})
    shell.submit("node 'db' {}\nnode /^web/ {}\nnode default {}\nnode 'web2' {}")
    output = render_explanation(shell, "node")
    for part in lines:
        assert part in output, output


def test_a_number_out_of_range_is_explained_in_both_dialects() -> None:
    specification = Shell({"dialect": "spec"})
    assert "42  is greater than 9, the maximum of Integer[1, 9]" in render_explanation(
        specification, "42 =~ Integer[1, 9]"
    )
    assert "5  is less than 6, the minimum of Integer[6, 6]" in render_explanation(
        specification, "5 =~ Integer[6]"
    )
    assert "42  is an Integer, not an Integer[9, 1]" in render_explanation(
        specification, "42 =~ Integer[9, 1]"
    )


def test_sensitive_values_are_hidden(shell: Shell) -> None:
    assert "geheim" not in render_explanation(shell, "$s =~ Sensitive[Integer]")
    shell.submit("$s = Sensitive('geheim')")
    assert "redacted" in render_explanation(shell, "$s =~ Sensitive[Integer]")
    assert "geheim" not in render_explanation(shell, "[$s] =~ Array[String]")


VALUES = [
    "1",
    "99",
    "-1.5",
    "'a'",
    "''",
    "undef",
    "true",
    "default",
    "/a/",
    "[]",
    "{}",
    "[1,2]",
    "['a',[1]]",
    "{'a'=>1}",
    "{1=>'b'}",
    "{'a'=>[1,'x']}",
    "String",
]
TYPES = [
    "Any",
    "Integer",
    "Integer[0,5]",
    "String[1]",
    "Enum['a','b']",
    "Pattern[/a/]",
    "Optional[Integer]",
    "NotUndef[String]",
    "Data",
    "RichData",
    "Array",
    "Array[Integer]",
    "Array[Data,1]",
    "Tuple[Integer,Integer]",
    "Tuple[Integer,1,3]",
    "Hash",
    "Hash[String,Integer]",
    "Struct[{'a'=>Integer}]",
    "Struct[{Optional['a']=>Variant[Integer,Array[Integer]]}]",
    "Collection[1,1]",
    "Variant[Integer,Array[Variant[String,Array[String]]]]",
    "Type[String]",
    "Scalar",
    "Iterable[Integer]",
]


def iterate_leaves(explanation: Explanation) -> Iterator[Explanation]:
    """Yield the parts of an explanation that have no parts."""
    if not explanation.parts:
        yield explanation
    for part in explanation.parts:
        yield from iterate_leaves(part)


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_an_explanation_agrees_with_the_result_of_the_match(dialect: str) -> None:
    session = Session(dialect)
    for value in VALUES:
        for kind in TYPES:
            source = f"{value} =~ {kind}"
            explanation = session.assistant.explain(source)
            assert explanation.holds is session.run(source).value, source
            assert all(leaf.words for leaf in iterate_leaves(explanation)), source
            assert explanation.holds or not all(leaf.holds for leaf in iterate_leaves(explanation)), source
