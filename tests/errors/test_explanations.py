"""Every issue is explained by a program that has it and one that has not."""

import pytest

from evaluator.issues import every, explained, rows
from lexer_parser import PUPPET, SPEC, PuppetError, parse
from lexer_parser.issues import rows as static_rows

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
    row, epp = every()[code], code.startswith("EPP_") or code == "ILLEGAL_EPP_PARAMETERS"
    assert code in found_in(row.wrong, code, epp)
    assert found_in(row.right, code, epp) == []


@pytest.mark.parametrize("code", sorted(explained().keys() & rows().keys()))
def test_evaluation_examples(code):
    from evaluator import Session

    row = rows()[code]
    failed = Session(dialect="puppet", strict="error", strict_variables=True).run(row.wrong)
    assert failed.error is not None
    assert failed.error.code == code
    assert Session(dialect="puppet", strict="error", strict_variables=True).run(row.right).error is None


def test_every_static_issue_is_explained():
    assert all(row.words and row.wrong and row.right for row in static_rows().values())
