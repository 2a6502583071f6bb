"""Every issue is explained by a program that has it and one that has not."""

import pytest

from lexer_parser import PUPPET, SPEC, PuppetError, parse
from lexer_parser.issues import rows as static_rows
from puppet_kernel.explanations import explain, explanations

STATIC = set(static_rows())
SPECIFICATION = {"ILLEGAL_NAME", "REGEXP_OPTIONS"}
MODULE = {"ILLEGAL_DEFINITION_LOCATION", "ILLEGAL_TOP_CONSTRUCT_LOCATION"}


def found_in(source: str, code: str, epp: bool) -> list[str]:
    """The codes of all that is wrong with a program, warnings included."""
    name = "/modules/mod/manifests/a.pp" if code in MODULE else None
    try:
        program = parse(source, epp=epp, name=name, dialect=SPEC if code in SPECIFICATION else PUPPET)
    except PuppetError as error:
        return [error.code, *(each.code for each in error.related)]
    return [warning.code for warning in program.warnings]


@pytest.mark.parametrize("code", sorted(STATIC))
def test_static_examples(code):
    row = explain(code)
    assert code in found_in(row.wrong, code, row.epp)
    assert found_in(row.right, code, row.epp) == []


@pytest.mark.parametrize("code", sorted(set(explanations()) - STATIC))
def test_evaluation_examples(code):
    from evaluator import Session

    row = explain(code)
    failed = Session(dialect="puppet", strict="error", strict_variables=True).run(row.wrong)
    assert failed.error is not None
    assert failed.error.code == code
    assert Session(dialect="puppet", strict="error", strict_variables=True).run(row.right).error is None


def test_every_static_issue_is_explained():
    assert all(row.words and row.wrong and row.right for row in static_rows().values())


def test_codes_are_found_in_any_case():
    assert explain(" unclosed_quote ").code == "UNCLOSED_QUOTE"
    assert explain("nothing") is None
