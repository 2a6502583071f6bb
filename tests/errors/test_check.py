"""Several errors in one go: each by itself, none that only follows from another, ten at most."""

from lexer_parser import PUPPET, Dialect, PuppetError
from lexer_parser.check import find_problems

MANY = """class a {
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


def check(source: str, dialect: Dialect, name: str | None = None) -> list[PuppetError]:
    return [problem.error for problem in find_problems(source, dialect, name) if problem.severity == "error"]


def places(source: str) -> list[tuple[str, int | None]]:
    return [(error.code, error.span.line if error.span else None) for error in check(source, PUPPET)]


def test_reading_goes_on_at_the_next_statement():
    assert places(MANY) == [
        ("SYNTAX_ERROR", 3),
        ("SYNTAX_ERROR", 5),
        ("SYNTAX_ERROR", 7),
        ("SYNTAX_ERROR", 8),
        ("ILLEGAL_VAR_NAME", 13),
        ("SYNTAX_ERROR", 17),
    ]


def test_errors_show_the_text_as_it_was_given():
    first, second, *_ = check(MANY, PUPPET, "a.pp")
    assert first.span.source.text == MANY and second.span.source.name == "a.pp"
    assert first.help == "Put a colon after the title: `'/a':`."


def test_a_good_text_has_no_errors():
    assert check("class a { notice(1) }\ninclude a\n", PUPPET) == []
    assert check("", PUPPET) == []


def test_validation_tells_all_it_found():
    assert places("$A\n$B\nclass C { }\n$x = 1") == [
        ("IDEM_EXPRESSION_NOT_LAST", 1),
        ("ILLEGAL_VAR_NAME", 1),
        ("ILLEGAL_VAR_NAME", 2),
        ("ILLEGAL_DEFINITION_NAME", 3),
    ]


def test_what_is_taken_out_has_no_consequences():
    assert places("class a {\n  1\n  $x = [1 2]\n}\n") == [("SYNTAX_ERROR", 3)]
    assert places("class a {\n  if $x {\n    notice(1)\n}\n\nclass b { }\n") == [("SYNTAX_ERROR", None)]
    assert places("$x = 'abc\n$y = [1 2]\n") == [("UNCLOSED_QUOTE", 1)]
    assert places("if ($x {\n  notice(1)\n}\n$y = 1\n") == [("SYNTAX_ERROR", 3)]


def test_ten_errors_are_enough():
    assert len(check("$x = [1 2]\n" * 30, PUPPET)) == 10


def test_any_text_ends_in_some_errors():
    """Every prefix of a program is checked without a crash and without end."""
    for end in range(len(MANY)):
        assert len(check(MANY[:end], PUPPET)) <= 10


def test_a_faulty_parameter_does_not_hide_the_body():
    source = "class a (\n  $x => 1,\n  $y = 2\n  $z = 3,\n) {\n  $b = [1 2]\n}\n"
    assert places(source) == [("SYNTAX_ERROR", 2), ("SYNTAX_ERROR", 4), ("SYNTAX_ERROR", 6)]
    assert places("class a (\n  $x = 1,\n  $y = [1,\n  $z = 3,\n) {\n  $b = 1\n}\n") == [("SYNTAX_ERROR", 5)]
    assert places("class a (\n  $x = 1,\n  $y = 2,\n{\n  $b = 1\n}\n") == [("SYNTAX_ERROR", 4)]


def test_a_missing_opening_bracket_is_told_once():
    assert places("if $x\n  notice(1)\n} else {\n  notice(2)\n}\n") == [("SYNTAX_ERROR", 2)]
    assert places("class a {\n  file { '/a':\n    tag => 'b', 'c'],\n  }\n}\n") == [("SYNTAX_ERROR", 3)]
    assert places("class a {\n  $x = f 1, 2)\n}\n") == [("ILLEGAL_COMMA_LIST", 2)]


def test_no_number_of_warnings_hides_an_error():
    source = "a b c d e f g h i j k l m n\n$x = [1, :"
    assert [str(error) for error in check(source, PUPPET)] == ["Syntax error at ':' (line: 2, column: 10)"]
