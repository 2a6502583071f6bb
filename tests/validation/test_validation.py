"""Static validation: results of the released Puppet, modules, and the specification."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from lexer_parser import PUPPET, SPEC, PuppetError, parse
from lexer_parser.dialect import PUPPET7
from lexer_parser.issues import load_rows
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import NAMES, make_label
from lexer_parser.validation import summarize_errors, validate
from lexer_parser.validation.names import is_lower_word
from lexer_parser.validation.walk import Diagnostic

CASES = [json.loads(line) for line in Path(__file__).with_name("released.jsonl").read_text().splitlines()]


def diagnose(source: str, dialect=PUPPET, epp=False, **options) -> list[Diagnostic]:
    return validate(parse(source, epp=epp, dialect=dialect, validate=False), dialect, parse, **options)


def list_codes(source: str, dialect=PUPPET, **options) -> list[str]:
    return [diagnostic.error.code for diagnostic in diagnose(source, dialect, **options)]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(len(CASES))])
def test_a_source_has_the_errors_of_the_released_puppet(case):
    """The messages and their order are the same, and the position if there is only one."""
    diagnostics = diagnose(
        case["source"], PUPPET7, epp=case.get("epp", False), strict=case.get("strict", "warning")
    )
    errors = [each.error for each in diagnostics if each.severity == "error"]
    assert [error.message for error in errors] == case["errors"], case["source"]
    if "place" in case:
        assert [errors[0].span.line, errors[0].span.column] == case["place"], case["source"]
    if not any("syntax checker" in message for message in case["errors"]):
        warnings = [each.error.message for each in diagnostics if each.severity != "error"]
        assert warnings == case.get("warnings", []), case["source"]


def test_several_errors_are_summarized_in_one():
    """The summary has no position; it counts the errors and the warnings."""
    error = summarize_errors(diagnose("class plan($A, $B) { }"))
    assert str(error) == "Language validation logged 2 errors, and 1 warnings. Giving up"
    assert [each.code for each in error.related] == ["ILLEGAL_PARAM_NAME", "ILLEGAL_PARAM_NAME"]
    assert summarize_errors(diagnose("class plan { }")) is None


def test_parse_raises_an_error_of_validation():
    with pytest.raises(PuppetError, match=r"Illegal variable name.*\(line: 2, column: 1\)"):
        parse("\n$A", dialect=PUPPET)


@pytest.mark.parametrize(
    ("strict", "severity"), [("off", []), ("warning", ["warning"]), ("error", ["error"])]
)
def test_the_setting_strict_decides_the_severity_of_duplicate_keys(strict, severity):
    diagnostics = diagnose("{ a => 1, 'a' => 2 }", strict=strict)
    assert [each.severity for each in diagnostics] == severity


def test_a_duplicate_has_a_note_at_the_first_declaration():
    for source in ("class a($x, $x) { }", "{ a => 1, a => 2 }", "file { 'a': * => {}, * => {} }"):
        (diagnostic,) = diagnose(source)
        assert diagnostic.error.notes[0].text == "first declared here"
        assert diagnostic.error.notes[0].span.start < diagnostic.error.span.start


def test_interactive_input_may_end_in_a_value():
    assert list_codes("$x\n1\n'a'") == ["IDEM_EXPRESSION_NOT_LAST"]
    assert list_codes("$x\n1\n'a'", interactive=True) == []
    assert list_codes("class a { 1 }", interactive=True) == []
    assert list_codes("file { mode => 1 }", interactive=True) == ["RESOURCE_WITHOUT_TITLE"]


MODULE_CASES = [
    ("mod/manifests/init.pp", "class mod { notice(1) }", []),
    ("mod/manifests/init.pp", "class mod { class foo { } }", []),
    ("mod/manifests/init.pp", "class foo { }", ["ILLEGAL_DEFINITION_LOCATION"]),
    ("mod/manifests/init.pp", "class mod { } notice(1)", ["ILLEGAL_TOP_CONSTRUCT_LOCATION"]),
    ("mod/manifests/init.pp", "class mod { } node a { }", ["ILLEGAL_TOP_CONSTRUCT_LOCATION"]),
    ("mod/manifests/init.pp", "class mod { } type A = Integer", []),
    ("mod/manifests/init.pp", "", []),
    ("mod/manifests/a/b.pp", "class mod::a::b { } class mod::a::bc { }", []),
    ("mod/manifests/a/b.pp", "class mod::a::c { }", ["ILLEGAL_DEFINITION_LOCATION"]),
    ("mod/manifests/a.pp", "define a { }", ["ILLEGAL_DEFINITION_LOCATION"]),
    ("mod/functions/f.pp", "function mod::f() { 1 }", []),
    ("mod/functions/f.pp", "function mod::g() { 1 }", ["ILLEGAL_DEFINITION_LOCATION"]),
    ("mod/types/a.pp", "type Mod::B = Integer", []),
    ("mod/examples/init.pp", "class mod::x { }", ["ILLEGAL_DEFINITION_LOCATION"]),
    ("mod/examples/init.pp", "include mod", ["ILLEGAL_TOP_CONSTRUCT_LOCATION"]),
    ("mod/manifests/init.pp", "class mod { } foo bar", 2 * ["ILLEGAL_TOP_CONSTRUCT_LOCATION"]),
]


@pytest.mark.parametrize(("path", "source", "expected"), MODULE_CASES)
def test_a_file_of_a_module_defines_the_names_of_its_path(path, source, expected):
    assert list_codes(source, file=f"/etc/puppet/code/modules/{path}", interactive=True) == expected
    options = {"file": f"/srv/code/{path}", "modulepath": ["/srv/code"]}
    assert list_codes(source, **options, interactive=True) == expected


def test_a_file_outside_of_modules_defines_any_names():
    for file in ("/etc/puppet/manifests/site.pp", "site.pp", "<cell 1>", "/srv/modules/mod/templates/a.epp"):
        assert list_codes("class a { } notice(1)", file=file) == []


SPEC_CASES = [
    ("$x += [1]", "$x += [1]", ["APPENDS_DELETES_NO_LONGER_SUPPORTED"], []),
    ("unbounded integers", "99999999999999999999", ["NUMERIC_OVERFLOW"], []),
    ("interpolated host", 'node "${x}" { }', ["ILLEGAL_HOSTNAME_INTERPOLATION"], []),
    ("append in defaults", "File { mode +> 1 }", ["ILLEGAL_ATTRIBUTE_APPEND"], []),
    (
        "append in a body",
        "file { 'a': mode +> 1 }",
        1 * ["ILLEGAL_ATTRIBUTE_APPEND"],
        ["ILLEGAL_ATTRIBUTE_APPEND"],
    ),
    ("nothing but values", "1\n2", ["IDEM_EXPRESSION_NOT_LAST"], []),
    ("values on one line", "1 2", *2 * [["IDEM_EXPRESSION_NOT_LAST"]]),
    ("a value among statements", "1\nnotice(2)", *2 * [["IDEM_EXPRESSION_NOT_LAST"]]),
    ("underscored segment", "$a::_b", [], ["ILLEGAL_VAR_NAME"]),
    ("keyword as segment", "$x = foo::class", [], ["ILLEGAL_NAME"]),
    ("keyword as segment of a definition", "class a::node { }", [], ["ILLEGAL_NAME"]),
]


@pytest.mark.parametrize(
    ("name", "source", "puppet", "spec"), SPEC_CASES, ids=[case[0] for case in SPEC_CASES]
)
def test_the_specification_has_other_errors(name, source, puppet, spec):
    assert list_codes(source) == puppet
    assert list_codes(source, SPEC) == spec


def test_a_resource_is_no_value_in_the_specification():
    assert list_codes("$x = notify { 'a': }") == []
    with pytest.raises(PuppetError):
        parse("$x = notify { 'a': }", dialect=SPEC)


def test_every_node_has_a_label():
    """A node without a fixed label has one that consists of its operator or its parts."""
    classes = [
        each for each in vars(nodes).values() if isinstance(each, type) and issubclass(each, nodes.Node)
    ]
    computed = {"Collector", "Query", "Heredoc", "Reserved"}
    operators = {each.__name__ for each in classes if "operator" in each.fields}
    fixed = {each.__name__ for each in classes if each in NAMES or each.__subclasses__()}
    missing = {each.__name__ for each in classes} - fixed - computed - operators
    assert missing == set()
    assert make_label(nodes.Arithmetic(0, 1, "+", nodes.Undef(0, 0), nodes.Undef(0, 0))) == "'+' expression"


def test_deep_nesting_is_validated_without_recursion():
    for opening, closing in (("[", "]"), ("(", ")"), ("if true {", "}"), ("{ [1] => [", "] }")):
        depth = 4000
        source = "$x = " + opening * depth + "1" + closing * depth
        assert list_codes(source, interactive=True) == []


def test_nested_statements_without_effect_are_validated_in_linear_time():
    depth = 3000
    source = "if true { " * depth + "notice(1)" + " } 1 " * depth
    started = time.process_time()
    diagnose(source)
    assert time.process_time() - started < 2


def test_each_segment_of_nested_names_is_checked_once():
    """Each of n nested classes has up to n segments; checking all takes quadratic time."""

    def count_checks(depth: int) -> int:
        counted: Any = is_lower_word  # `functools.lru_cache` counts the calls
        counted.cache_clear()
        assert list_codes("class a { class b { } " * depth + "}" * depth) == []
        statistics = counted.cache_info()
        return statistics.hits + statistics.misses

    assert count_checks(400) == 2 * count_checks(200)


def test_an_illegal_name_of_a_class_makes_the_names_nested_in_it_illegal():
    source = "class a { class B { class c { } define d { } } class e { } }"
    assert [str(each.error.arguments["name"]) for each in diagnose(source)] == ["a::B", "a::B::c", "a::B::d"]


def test_a_long_illegal_name_is_found_without_backtracking():
    assert list_codes("$" + "a" * 5000 + "::B") == ["ILLEGAL_VAR_NAME"]


def test_each_issue_has_a_severity():
    for issue in load_rows().values():
        assert issue.severity in ("error", "warning", "deprecation", "strict")


def test_a_lone_surrogate_is_no_base64():
    with pytest.raises(PuppetError, match="Cannot parse invalid Base64 string"):
        parse("@(X:base64)\nYWJ\ud800=\n| X", dialect=PUPPET)


TEXTS = ("@(X:pp)\n  case 1 { }\n  | X\n", '$x = 1\n@("X":pp)\n  case ${x} { }\n  | X\n')


@pytest.mark.parametrize("source", TEXTS)
def test_the_text_of_a_heredoc_has_the_dialect_of_the_program(source: str) -> None:
    """A `case` without options is valid in one dialect only."""
    assert Session("spec", interactive=True).run(source).error is None
    error = Session("puppet", interactive=True).run(source).error
    assert error is not None and error.code == "ILLEGAL_PP"


@pytest.mark.parametrize("text", ["C:\\users", "\\u{110000}", "${1} \\u12", '${"\\u12"}', '${"\\q"}'])
def test_a_heredoc_refuses_escapes_that_cause_warnings_in_a_string(text: str) -> None:
    error = Session("puppet").run(f'$x = @("END"/)\n{text}\nEND\n').error
    assert error is not None and error.code in ("ILLEGAL_UNICODE_ESCAPE", "UNRECOGNIZED_ESCAPE")
    assert error.span is not None and error.span.start >= 15 + text.index("\\") - 4
