"""Every issue is explained by a program that has it and one that has not."""

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
    row, epp = load_all_rows()[code], code.startswith("EPP_") or code == "ILLEGAL_EPP_PARAMETERS"
    assert code in found_in(row.wrong, code, epp)
    assert found_in(row.right, code, epp) == []


# What is met only by who may read, render and run.
PERMITTED = {
    *("TEMPLATE_NO_STRING", "INLINE_TEMPLATE_FAILED", "RUBY_ENDED", "GENERATOR_NOT_RUN", "GENERATOR_FAILED"),
    "IS_A_FOLDER",
    "NOT_A_REGULAR_FILE",
}
# What Puppet 7 does not refuse.
NEWER = {
    "DEFERRED_ARGUMENTS",
    "ENDLESS_TYPE",
    "HASH_PAIR_LENGTH",
    "NODE_DEFINITION_LOST",
    "TYPE_SET_AS_VALUE",
}


FILE = re.compile(r"^# ([\w./]+\.\w+)\n", re.MULTILINE)
PROGRAM = "manifests/site.pp"


def laid_out(example: str, folder: Path) -> str:
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
def test_evaluation_examples(code, tmp_path):
    row = load_rows()[code]
    if "inline_template" in row.wrong and code in PERMITTED and shutil.which("ruby") is None:
        pytest.skip("templates of Ruby are rendered by Ruby, which this machine has not")
    permissions = PERMISSIONS if code in PERMITTED else ()

    def run(example, name):
        program = laid_out(example, tmp_path / name)
        strict = "warning" if "validate_" in row.wrong else "error"  # such functions are deprecated
        settings = {"strict": strict, "strict_variables": True, "permissions": permissions}
        if program != example:
            settings["environment"] = tmp_path / name
        return Session("puppet" if code in NEWER else "puppet7", **settings).run(program)

    failed = run(row.wrong, "wrong")
    assert failed.error is not None
    assert failed.error.code == code
    assert run(row.right, "right").error is None


def test_every_static_issue_is_explained():
    assert all(row.words and row.wrong and row.right for row in static_rows().values())
