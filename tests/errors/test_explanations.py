"""Every issue has an example with the mistake and a corrected one."""

import re
import shutil
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.issues import load_all_rows, load_explained_rows, load_rows
from evaluator.program.settings import PERMISSIONS
from lexer_parser import PUPPET, SPEC, PuppetError, parse
from lexer_parser.issues import load_rows as static_rows

STATIC = set(static_rows())
SPECIFICATION = {"ILLEGAL_NAME", "REGEXP_OPTIONS"}
MODULE = {"ILLEGAL_DEFINITION_LOCATION", "ILLEGAL_TOP_CONSTRUCT_LOCATION"}


def list_codes(source: str, code: str, epp: bool) -> list[str]:
    """Return the codes of the errors of a program, or of its warnings if it has no errors.

    Args:
        code: The issue of the example, which decides the dialect and the path of the file.
    """
    name = "/modules/mod/manifests/a.pp" if code in MODULE else None
    try:
        program = parse(source, epp=epp, name=name, dialect=SPEC if code in SPECIFICATION else PUPPET)
    except PuppetError as error:
        return [error.code, *(each.code for each in error.related)]
    return [warning.code for warning in program.warnings]


@pytest.mark.parametrize("code", sorted(STATIC))
def test_the_examples_of_a_static_issue_are_right(code):
    row, epp = load_all_rows()[code], code.startswith("EPP_") or code == "ILLEGAL_EPP_PARAMETERS"
    assert code in list_codes(row.wrong, code, epp)
    assert list_codes(row.right, code, epp) == []


# Issues of programs that are permitted to read files, render templates and run other programs.
NEEDS_PERMISSIONS = {
    *("TEMPLATE_NO_STRING", "INLINE_TEMPLATE_FAILED", "RUBY_ENDED", "GENERATOR_NOT_RUN", "GENERATOR_FAILED"),
    "IS_A_FOLDER",
    "NOT_A_REGULAR_FILE",
}
# Issues that Puppet 7 does not have.
NEWER = {
    "DEFERRED_ARGUMENTS",
    "ENDLESS_TYPE",
    "HASH_PAIR_LENGTH",
    "NODE_DEFINITION_LOST",
    "TYPE_SET_AS_VALUE",
}


FILE = re.compile(r"^# ([\w./]+\.\w+)\n", re.MULTILINE)
PROGRAM = "manifests/site.pp"


def write_files(example: str, folder: Path) -> str:
    """Write the files of an example below a folder and return its program."""
    program, *rest = FILE.split(example)
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        if name == PROGRAM:
            program = text
        else:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return program


@pytest.mark.released
@pytest.mark.parametrize("code", sorted(load_explained_rows().keys() & load_rows().keys()))
def test_the_examples_of_an_evaluation_issue_are_right(code, tmp_path):
    row = load_rows()[code]
    if "inline_template" in row.wrong and code in NEEDS_PERMISSIONS and shutil.which("ruby") is None:
        pytest.skip("Ruby, which renders such templates, is not installed")
    permissions = PERMISSIONS if code in NEEDS_PERMISSIONS else ()

    def run(example, name):
        program = write_files(example, tmp_path / name)
        strict = "warning" if "validate_" in row.wrong else "error"  # such functions are deprecated
        settings = {"strict": strict, "strict_variables": True, "permissions": permissions}
        if program != example:
            settings["environment"] = tmp_path / name
        return Session("puppet" if code in NEWER else "puppet7", **settings).run(program)

    outcome = run(row.wrong, "wrong")
    assert outcome.error is not None
    assert outcome.error.code == code
    assert run(row.right, "right").error is None


def test_every_static_issue_is_explained():
    assert all(row.words and row.wrong and row.right for row in static_rows().values())
