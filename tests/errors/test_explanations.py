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


# Why an issue of evaluation has no program that meets it.
ELSEWHERE = "it needs a module, data, a template file or a permission"
UNREACHED = "no short program meets it"
UNEXPLAINED = {
    "RUNTIME_ERROR": "it puts other issues into a sentence",
    "OVERRIDE_AFTER_EVALUATION": "it is a warning unless `strict` is an error",
    "INTERNAL_ERROR": "it is a defect of this project",
    "INTERRUPTED": "a person interrupts",
    "MEMORY_EXCEEDED": "it would need the memory",
    **dict.fromkeys(
        (
            "ARGUMENT_OF_DEFINED",
            "DATA_FILE",
            "DATA_RECURSION",
            "DATA_TYPE_MISMATCH",
            "FILE_HAS_MORE",
            "FILE_HAS_NO_DEFINITION",
            "FILE_HAS_OTHER_FUNCTION",
            "FILE_HAS_OTHER_TYPE",
            "FILE_NOT_READ",
            "INVALID_UTF_8",
            "GENERATOR_FAILED",
            "GENERATOR_NOT_RUN",
            "HIERA_ALIAS_IN_TEXT",
            "HIERA_FILE",
            "HIERA_GLOBAL_LAYER_ONLY",
            "HIERA_INTERPOLATION_SYNTAX",
            "HIERA_LEVEL_REPEATED",
            "HIERA_METHOD_NOT_ALLOWED",
            "HIERA_MODULE_LAYER_ONLY",
            "HIERA_NO_PATH",
            "HIERA_ONE_NEEDED",
            "HIERA_ONLY_ONE",
            "HIERA_RESERVED_OPTION",
            "HIERA_UNKNOWN_FUNCTION",
            "HIERA_UNKNOWN_METHOD",
            "HIERA_VERSION",
            "INLINE_TEMPLATE_FAILED",
            "LOOKUP_CONVERSION",
            "LOOKUP_CONVERSION_TYPE",
            "LOOKUP_MERGE",
            "LOOKUP_OPTIONS_KEY",
            "LOOKUP_OPTIONS_NO_HASH",
            "LOOKUP_OPTIONS_PATTERN",
            "LOOKUP_OPTIONS_RECURSION",
            "LOOKUP_PROVIDER",
            "NESTED_TOO_DEEPLY",
            "NOT_A_DATA_PROVIDER",
            "NOT_A_REGULAR_FILE",
            "METADATA_NOT_FOUND",
            "NO_RUBY",
            "NO_TYPE_OF_PARAMETER",
            "TEMPLATE_NO_STRING",
            "PRIVATE",
            "PRIVATE_MESSAGE",
            "RUBY_ENDED",
            "RUBY_FAILED",
            "TEMPLATE_FAILED",
            "UNDEFINED_VARIABLE",
            "YAML_ALIASES",
            "YAML_CYCLE",
            "YAML_DEPTH",
        ),
        ELSEWHERE,
    ),
    **dict.fromkeys(
        (
            "BINARY_NOT_UTF8",
            "FORMAT_INDEX",
            "HASH_PAIR_TYPE",
            "INTEGER_TOO_BIG",
            "NAN_ORDERED",
            "NOT_FINITE",
            "NO_VERSION",
            "PARAMETER_NOT_GIVEN",
            "TOO_FEW_ARGUMENTS",
            "TOO_MANY_ROUNDS",
        ),
        UNREACHED,
    ),
}


def test_every_issue_of_the_evaluator_is_explained():
    assert rows().keys() - explained().keys() == UNEXPLAINED.keys()
