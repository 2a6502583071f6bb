"""Commands that show how the language works: `%step`, `%types`, `%both` and `%diff`."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evaluator.assistance.words import UNIONS, find_type, read_hierarchy
from evaluator.session import dialect_notes
from evaluator.types import find_builtin_type
from lexer_parser.dialect import DIALECTS
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

Say = Callable[..., str]


REDACTED = "[Sensitive('[value redacted]'), 2]"
STEPS = {
    "1 + 2 * 3": ["1 + 2 * 3", "1 + 6", "7"],
    "-(2 + 3) * 4": ["-(2 + 3) * 4", "-5 * 4", "-20"],
    "1 - (2 - 5)": ["1 - (2 - 5)", "1 - (-3)", "4"],
    "((1))": ["((1))", "1"],
    "[1, 1 + 1].map |$n| { $n * 2 }": [
        "[1, 1 + 1].map |$n| { $n * 2 }",
        "[1, 2].map |$n| { $n * 2 }",
        "  $n = 1:  $n * 2  ⇒  1 * 2  ⇒  2",
        "  $n = 2:  $n * 2  ⇒  2 * 2  ⇒  4",
        "[2, 4]",
    ],
    "[3, 4].reduce(0) |$m, $n| { $m + $n }": [
        "[3, 4].reduce(0) |$m, $n| { $m + $n }",
        "  $m = 0, $n = 3:  $m + $n  ⇒  0 + $n  ⇒  0 + 3  ⇒  3",
        "  $m = 3, $n = 4:  $m + $n  ⇒  3 + $n  ⇒  3 + 4  ⇒  7",
        "7",
    ],
    '{ a => 1 }.map |$k, $v| { "${k}${v}" }': [
        '{ a => 1 }.map |$k, $v| { "${k}${v}" }',
        "  $k = 'a', $v = 1:  \"${k}${v}\"  ⇒  'a1'",
        "['a1']",
    ],
    "{ a => 1 }.each |$pair| { $pair }": [
        "{ a => 1 }.each |$pair| { $pair }",
        "  $pair = ['a', 1]:  $pair  ⇒  ['a', 1]",
        "{'a' => 1}",
    ],
    "Integer[7, 8].filter |$i, $n| { $n > $i + 7 }": [
        "Integer[7, 8].filter |$i, $n| { $n > $i + 7 }",
        "  $i = 0, $n = 7:  $n > $i + 7  ⇒  7 > $i + 7  ⇒  7 > 0 + 7  ⇒  7 > 7  ⇒  false",
        "  $i = 1, $n = 8:  $n > $i + 7  ⇒  8 > $i + 7  ⇒  8 > 1 + 7  ⇒  8 > 8  ⇒  false",
        "[]",
    ],
    "([1].map |$n| { $m = $n $m + 1 })[0]": [
        "([1].map |$n| { $m = $n $m + 1 })[0]",
        "  $n = 1:  $m = $n $m + 1  ⇒  2",
        "[2][0]",
        "2",
    ],
    "with(1, 2) |$a, $b| { $a }": ["with(1, 2) |$a, $b| { $a }", "  $a = 1, $b = 2:  $a  ⇒  1", "1"],
    "[1, 2].map |$n| { next(3) }": ["[1, 2].map |$n| { next(3) }", "[3, 3]"],
    "[1].map |*$n| { 3 }": ["[1].map |*$n| { 3 }", "[3]"],
    "[2, 1].sort |$a, $b| { compare($a, $b) }": ["[2, 1].sort |$a, $b| { compare($a, $b) }", "[1, 2]"],
    "true and (1 == 1 or fail('no'))": [
        "true and (1 == 1 or fail('no'))",
        "true and (true or fail('no'))",
        "true and true",
        "true",
    ],
    "false and fail('no')": ["false and fail('no')", "false"],
    "if 1 > 2 { 'a' } else { 1 + 1 }": [
        "if 1 > 2 { 'a' } else { 1 + 1 }",
        "if false { 'a' } else { 1 + 1 }",
        "1 + 1",
        "2",
    ],
    "unless true { 1 }": ["unless true { 1 }", "undef"],
    "case 1 + 1 { 2: { 'two' } }": ["case 1 + 1 { 2: { 'two' } }", "case 2 { 2: { 'two' } }", "'two'"],
    "$facts['os']['family'] == 'Debian'": [
        "$facts['os']['family'] == 'Debian'",
        "'Debian' == 'Debian'",
        "true",
    ],
    "{a => 1 + 1}['a'] ? { 2 => 'x' }": [
        "{a => 1 + 1}['a'] ? { 2 => 'x' }",
        "{a => 2}['a'] ? { 2 => 'x' }",
        "2 ? { 2 => 'x' }",
        "'x'",
    ],
    '"a${1 + 1}".length': ['"a${1 + 1}".length', "'a2'.length", "2"],
    "Integer[1, 2 + 3]": ["Integer[1, 2 + 3]", "Integer[1, 5]"],
    "$x = 1 + 2": ["$x = 1 + 2", "$x = 3", "3"],
    "5": ["5"],
    # A value without a literal leaves its expression unchanged.
    "[Sensitive('a'), 1 + 1]": ["[Sensitive('a'), 1 + 1]", "[Sensitive('a'), 2]", REDACTED],
    "Sensitive('a').unwrap.length": ["Sensitive('a').unwrap.length", "'a'.length", "1"],
    "if Timestamp(0) < Timestamp(1 + 1) { 1 }": [
        "if Timestamp(0) < Timestamp(1 + 1) { 1 }",
        "if Timestamp(0) < Timestamp(2) { 1 }",
        "if true { 1 }",
        "1",
    ],
    "Array(Integer[1, 2000]).length + 1": [
        "Array(Integer[1, 2000]).length + 1",
        "2000 + 1",
        "2001",
    ],
}


@pytest.mark.parametrize("source", STEPS)
def test_each_step_of_an_evaluation_is_shown(run_inputs: Say, source: str) -> None:
    lines = [row[3:] for row in run_inputs(f"%step {source}").split("\n")]
    assert lines == STEPS[source]


def test_steps_of_a_large_value_are_short(shell: Shell, run_inputs: Say) -> None:
    shell.submit("$v = Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] } notice(1)")
    shell.submit("$d = Integer[1, 990].reduce([]) |$m, $i| { [$m] } notice(1)")
    shell.submit("$t = Integer[1, 3000].reduce(Integer) |$m, $i| { Optional[Array[$m]] } notice(1)")
    for source in ("$v", "[$v, 1 + 1]", "$v.length + 1", "$d", "[$d, 1 + 1]", "$t", "[$t, 1 + 1]"):
        output = run_inputs(f"%step {source}")
        assert "error" not in output and len(output) < 10_000


def test_many_iterations_are_folded(run_inputs: Say) -> None:
    lines = run_inputs("%step Integer[1, 9].map |$n| { $n * 2 }").split("\n")
    assert len(lines) == 6
    assert lines[4] == "▸    … 6 more iterations"
    assert lines[-1].endswith("[2, 4, 6, 8, 10, 12, 14, 16, 18]")


def test_a_failed_iteration_is_the_last_one(run_inputs: Say) -> None:
    output = run_inputs("%step [1, 'a', 3].map |$n| { $n + 1 }")
    assert "     $n = 'a':  $n + 1  ⇒  'a' + 1  ⇒  NOT_NUMERIC\nerror[NOT_NUMERIC]: " in output
    assert "$n = 3" not in output
    assert "NO_SUCH_CALL" in run_inputs("%step 1.5.map |$n| { $n }")


def test_steps_have_no_side_effects_and_end_at_an_error(shell: Shell, run_inputs: Say) -> None:
    output = run_inputs("%step $y = 1 + 'x'")
    assert "NOT_NUMERIC" in output
    assert "Syntax error" in run_inputs("%step 1 +")
    assert "takes an expression" in run_inputs("%step")
    assert "at most 2,000 characters" in run_inputs("%step " + "1 + " * 1000 + "1")
    assert shell.session.cells == []
    run_inputs("%step $y = 1")
    assert "y" not in dict(shell.session.assistant.iterate_variables())


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=list(DIALECTS))
def test_every_type_is_assignable_to_its_parent(dialect: object) -> None:
    for parent, children in read_hierarchy().items():
        for child in children:
            outer, inner = find_builtin_type(parent, dialect), find_builtin_type(child, dialect)  # type: ignore[arg-type]
            assert outer is not None, parent
            assert inner is not None, child
            assert outer.assignable(inner), (parent, child)


def test_the_tree_matches_the_parents_in_the_help_of_types() -> None:
    parents = {child: parent for parent, children in read_hierarchy().items() for child in children}
    for name in parents:
        entry = find_type(name)
        assert entry is not None
        path = [name]
        while path[-1] in parents:
            path.append(parents[path[-1]])
        assert path[-1] == "Any"
        supertypes = [supertype for supertype in entry.supertypes if supertype not in {*UNIONS, "Any"}]
        assert supertypes == path[1:-1], name
    assert {"Any", *parents, *UNIONS} >= set(COMMON_TYPES)


# Types that every course teaches: the tree must contain them.
COMMON_TYPES = (
    *(
        "Undef",
        "Default",
        "Integer",
        "Float",
        "String",
        "Boolean",
        "Regexp",
        "Array",
        "Hash",
        "Tuple",
        "Struct",
    ),
    *("Enum", "Pattern", "Numeric", "Scalar", "Collection", "CatalogEntry", "Resource", "Class", "Type"),
    *("Callable", "Sensitive", "Binary", "URI", "SemVer", "SemVerRange", "Timestamp", "Timespan", "Iterator"),
    *("Error", "Deferred", "TypeSet", "Runtime"),
)


def list_marked_types(output: str) -> list[str]:
    """Return the types of a tree that have a mark."""
    return [row.strip("│├└─ ").removesuffix(" ●") for row in output.split("\n") if row.endswith("●")]


def test_the_types_of_a_value_are_marked(run_inputs: Say) -> None:
    output = run_inputs("%types 42")
    assert list_marked_types(output) == ["Any", "Scalar", "ScalarData", "Numeric", "Integer"]
    assert output.startswith("● 42\n")
    assert "and in Data, RichData, NotUndef" in output.replace("Iterable, ", "")
    assert run_inputs("'a'", "%types").startswith("● 'a'\n")


MARKED_TYPES = {
    "Integer": ["Any", "Scalar", "ScalarData", "Numeric", "Integer"],
    "Integer[1, 10]": ["Any", "Scalar", "ScalarData", "Numeric", "Integer"],
    "Pattern[/a/]": ["Any", "Scalar", "ScalarData", "String", "Pattern"],
    "Enum['a', 'b']": ["Any", "Scalar", "ScalarData", "String", "Enum"],
    "String[1]": ["Any", "Scalar", "ScalarData", "String"],
    "Numeric": ["Any", "Scalar", "ScalarData", "Numeric"],
    "Array[String]": ["Any", "Collection", "Array"],
    "Variant[String, Integer]": ["Any", "Scalar", "ScalarData"],
    "File": ["Any", "CatalogEntry", "Resource"],
    "Any": ["Any"],
}


@pytest.mark.parametrize(("source", "marked"), MARKED_TYPES.items())
def test_the_parents_of_a_type_are_marked(run_inputs: Say, source: str, marked: list[str]) -> None:
    output = run_inputs(f"%types {source}")
    assert list_marked_types(output) == marked
    assert "the type itself is a value of Type" in output


def test_a_type_in_lower_case_is_a_string(run_inputs: Say) -> None:
    assert "A bare word is a String; the type is `Integer`." in run_inputs("%types integer")
    assert "bare word" not in run_inputs("%types 'integer'") + run_inputs("%types web") + run_inputs(
        "%types Integer"
    )


def test_branches_without_marks_are_closed_in_html(shell: Shell) -> None:
    def list_branches(source: str) -> list[str]:
        element = shell.submit(source).element
        assert element is not None
        return re.findall(r"<details( open)?", render_html(element).replace('open="open"', "open"))

    marked = list_branches("%types 42")
    assert marked.count(" open") == 4 < len(marked)  # Any, Scalar, ScalarData, Numeric
    shell.submit("%reset")
    assert set(list_branches("%types")) == {" open"}


def test_without_a_value_all_types_are_listed(run_inputs: Say) -> None:
    output = run_inputs("%types")
    assert "●" not in output
    assert all(name in output for names in read_hierarchy().values() for name in names)
    assert "UNKNOWN" in run_inputs("%types nosuch()").upper()


def test_code_is_evaluated_in_both_dialects(run_inputs: Say) -> None:
    rule = "rule    string_numbers  ?string_numbers explains it"
    assert run_inputs("%both '10' < '9'") == f"spec    false\npuppet  true\n{rule}"
    assert "COMPARISON_NOT_POSSIBLE" in run_inputs("%both 1 < 'a'")
    assert run_inputs("$a = ['1']", "%both 1 in $a") == f"spec    true\npuppet  false\n{rule}"
    assert run_inputs("%both notice('said')").count("notice: said") == 2
    assert "takes the code" in run_inputs("%both")


RULES = {
    "1 < 'a'": "string_numbers",
    "foo-bar": "strict_names",
    "{ 1 => 2 } =~ Data": "data_model",
    "notice(-8 >> 1)": "shift",
    "[1 == '1', -8 >> 1]": "string_numbers and shift",
    "file { '/m': } File['/m'] { tag +> 'x' }": "override_append",
}


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize(("source", "rule"), RULES.items())
def test_both_names_the_rule_in_each_dialect(run_inputs: Say, dialect: str, source: str, rule: str) -> None:
    run_inputs(f"%dialect {dialect}")
    assert f"\nrule    {rule}  ?" in run_inputs(f"%both {source}")


def test_the_search_for_rules_does_not_change_the_session(shell: Shell) -> None:
    source = "$x = notify { 'a': } foo-bar"
    assert shell.session.find_switches(source) == [("strict_names", "catalog_precedence")]
    assert shell.session.cells == [] and not shell.session.catalog().summary()
    assert shell.session.run("$x = 1").error is None


@pytest.mark.parametrize("source", ["1 + 1", "notice('said')", "1 + undef", "{}["])
def test_both_names_no_rule_if_the_results_are_equal(run_inputs: Say, source: str) -> None:
    assert "rule" not in run_inputs(f"%both {source}")


def test_both_reports_that_earlier_cells_differ(run_inputs: Say) -> None:
    assert run_inputs("$w = 1 == '1'", "%both $w").endswith("\n\nthe cells above differ, too: %diff dialect")
    assert "rule    range_to and int_range" in run_inputs("%both [$w, [1, 2, 3][2, 1], 6 =~ Integer[5]]")


def test_a_search_for_rules_that_takes_too_long_is_stopped(
    run_inputs: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect_notes, "REQUEST_SECONDS", 0.0)
    assert run_inputs("%both '10' < '9'") == "spec    false\npuppet  true"


NODE = "notify { \"on ${trusted['certname']} of ${facts['os']['family']}\": }"


def test_cells_are_compared(run_inputs: Say) -> None:
    run_inputs("$a = 1", "notify { 'x': }", "$b = $a + 1")
    assert run_inputs("%diff [1] [3]") == (
        "from [1] to [3]\n\n+ notify { 'x': }\n\nvariable  [1]    [3]\n$b        undef  2"
    )
    assert run_inputs("%diff 3").startswith("from [3] to now\n\nnothing differs")
    assert "There is no cell [9]" in run_inputs("%diff [9]")


def test_nodes_facts_and_dialects_are_compared(run_inputs: Say) -> None:
    run_inputs(NODE, "$d = 1 == '1'")
    assert run_inputs("%diff node web01") == (
        "from localhost to web01\n\n- notify { 'on localhost of Debian': }\n+ notify { 'on web01 of Debian': }"
    )
    assert "+ notify { 'on localhost of RedHat': }" in run_inputs("%diff facts rocky-9")
    assert "+ notify { 'on localhost of RedHat': }" in run_inputs("%diff debian-12 rocky-9")
    assert run_inputs("%diff node web01 db01").startswith("from web01 to db01")
    assert run_inputs("%diff dialect").endswith("variable  spec  puppet\n$d        true  false")
    assert "takes two cells" in run_inputs("%diff")
    assert "takes two cells" in run_inputs("%diff node")


def test_a_changed_attribute_shows_its_former_value(run_inputs: Say) -> None:
    run_inputs("file { '/a': content => $trusted['certname'], mode => '0644' }")
    assert "    content => 'web01',  # was 'localhost'" in run_inputs("%diff node web01")
    run_inputs("%reset", "file { '/a': content => Sensitive($trusted['certname']) }")
    output = run_inputs("%diff node web01")
    assert "# was" in output and "localhost'" not in output


def test_a_changed_relationship_shows_its_former_kind(run_inputs: Say) -> None:
    run_inputs("notify { ['x', 'y']: }", "$c = $trusted['certname']")
    run_inputs("$r = $c ? { 'web01' => Notify['x'], default => Notify['y'] }", "file { '/a': require => $r }")
    run_inputs("if $c == 'web01' { Notify['x'] ~> Notify['y'] } else { Notify['x'] -> Notify['y'] }")
    output = run_inputs("%diff node web01")
    assert "    require => Notify['x'],  # was Notify['y']" in output
    assert "~ Notify[x] ~> Notify[y]  # was ->" in output and "- Notify[x]" not in output


def test_an_arrow_that_replaces_an_attribute_is_reported(run_inputs: Say) -> None:
    run_inputs("notify { 'x': }", "$c = $trusted['certname']")
    run_inputs("$r = $c ? { 'web01' => undef, default => Notify['x'] }", "file { '/a': require => $r }")
    run_inputs("if $c == 'web01' { Notify['x'] ~> File['/a'] }")
    assert "~ Notify[x] ~> File[/a]  # was require" in run_inputs("%diff node web01")


def test_a_new_arrow_is_not_a_change_of_attributes(run_inputs: Say) -> None:
    run_inputs("notify { ['x', 'y']: }", "file { '/a': before => Notify['x'] }", "File['/a'] -> Notify['y']")
    output = run_inputs("%diff [2] [3]")
    assert output.endswith("+ File[/a] -> Notify[y]") and "before =>" not in output


def test_a_cell_that_fails_on_one_side_is_reported(run_inputs: Say) -> None:
    run_inputs("$c = 1 < 'a'")
    assert "[1] fail with puppet" in run_inputs("%diff dialect")


@pytest.mark.parametrize(("source", "expected"), [("help", "%undo"), (" help ", "%undo"), ("help", "?NAME")])
def test_the_word_help_alone_is_the_command(source: str, expected: str) -> None:
    reply = Shell({}).submit(source)
    assert expected in render_plain(reply.element)


@pytest.mark.parametrize("source", ["exit", "quit", "quit\n"])
def test_the_words_exit_and_quit_alone_are_the_command(source: str) -> None:
    assert Shell({}).submit(source).action == "quit"


def test_the_word_exit_within_code_is_a_string() -> None:
    assert render_plain(Shell({}).submit("$x = 'a'\nexit").element) == "'exit'"


def test_attributes_have_help() -> None:
    ensure = render_plain(Shell({}).submit("?ensure").element)
    assert "service" in ensure
    assert "stopped" in ensure
    of_file = render_plain(Shell({}).submit("?file.ensure").element)
    assert "directory" in of_file
    assert "attribute of file" in of_file
    assert Shell({}).submit("?file.nothing").error is not None
