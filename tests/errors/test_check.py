"""`find_problems` reports up to ten errors of a source, but none that another one causes."""

from lexer_parser import PUPPET, PuppetError
from lexer_parser.check import find_problems

MISTAKES = """class a {
  file { '/a'
    ensure => file,
  }
  $x = [1 2]
  notice('ok')
  service { 'b': ensure = running }
  if $x = 1 {
    notice(2)
  } else {
    notice(3)
  }
  $Foo = 1
  1
}
class b {
  $y => 1
}
"""


def find_errors(source: str, name: str | None = None) -> list[PuppetError]:
    problems = find_problems(source, PUPPET, name)
    return [problem.error for problem in problems if problem.severity == "error"]


def list_codes_and_lines(source: str) -> list[tuple[str, int | None]]:
    """Return the code and the line of each error."""
    return [(error.code, error.span.line if error.span else None) for error in find_errors(source)]


def test_parsing_continues_at_the_next_statement():
    assert list_codes_and_lines(MISTAKES) == [
        ("SYNTAX_ERROR", 3),
        ("SYNTAX_ERROR", 5),
        ("SYNTAX_ERROR", 7),
        ("SYNTAX_ERROR", 8),
        ("ILLEGAL_VAR_NAME", 13),
        ("SYNTAX_ERROR", 17),
    ]


def test_an_error_has_the_original_source():
    first, second, *_ = find_errors(MISTAKES, "a.pp")
    assert first.span.source.text == MISTAKES and second.span.source.name == "a.pp"
    assert first.help == "Put a colon after the title: `'/a':`."


def test_a_valid_source_has_no_errors():
    assert find_errors("class a { notice(1) }\ninclude a\n") == []
    assert find_errors("") == []


def test_all_errors_of_validation_are_reported():
    assert list_codes_and_lines("$A\n$B\nclass C { }\n$x = 1") == [
        ("IDEM_EXPRESSION_NOT_LAST", 1),
        ("ILLEGAL_VAR_NAME", 1),
        ("ILLEGAL_VAR_NAME", 2),
        ("ILLEGAL_DEFINITION_NAME", 3),
    ]


def test_a_removed_statement_causes_no_other_errors():
    assert list_codes_and_lines("class a {\n  1\n  $x = [1 2]\n}\n") == [("SYNTAX_ERROR", 3)]
    assert list_codes_and_lines("class a {\n  if $x {\n    notice(1)\n}\n\nclass b { }\n") == [
        ("SYNTAX_ERROR", None)
    ]
    assert list_codes_and_lines("$x = 'abc\n$y = [1 2]\n") == [("UNCLOSED_QUOTE", 1)]
    assert list_codes_and_lines("if ($x {\n  notice(1)\n}\n$y = 1\n") == [("SYNTAX_ERROR", 3)]


def test_at_most_ten_errors_are_reported():
    assert len(find_errors("$x = [1 2]\n" * 30)) == 10


def test_every_prefix_of_a_program_is_checked():
    for end in range(len(MISTAKES)):
        assert len(find_errors(MISTAKES[:end])) <= 10


def test_errors_after_an_invalid_parameter_are_reported():
    source = "class a (\n  $x => 1,\n  $y = 2\n  $z = 3,\n) {\n  $b = [1 2]\n}\n"
    assert list_codes_and_lines(source) == [("SYNTAX_ERROR", 2), ("SYNTAX_ERROR", 4), ("SYNTAX_ERROR", 6)]
    assert list_codes_and_lines("class a (\n  $x = 1,\n  $y = [1,\n  $z = 3,\n) {\n  $b = 1\n}\n") == [
        ("SYNTAX_ERROR", 5)
    ]
    assert list_codes_and_lines("class a (\n  $x = 1,\n  $y = 2,\n{\n  $b = 1\n}\n") == [("SYNTAX_ERROR", 4)]


def test_a_missing_opening_bracket_causes_one_error():
    assert list_codes_and_lines("if $x\n  notice(1)\n} else {\n  notice(2)\n}\n") == [("SYNTAX_ERROR", 2)]
    assert list_codes_and_lines("class a {\n  file { '/a':\n    tag => 'b', 'c'],\n  }\n}\n") == [
        ("SYNTAX_ERROR", 3)
    ]
    assert list_codes_and_lines("class a {\n  $x = f 1, 2)\n}\n") == [("ILLEGAL_COMMA_LIST", 2)]


def test_an_error_after_many_warnings_is_reported():
    source = "a b c d e f g h i j k l m n\n$x = [1, :"
    assert [str(error) for error in find_errors(source)] == ["Syntax error at ':' (line: 2, column: 10)"]
