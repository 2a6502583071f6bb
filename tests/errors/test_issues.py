"""Each issue has one row, is used, and has help; every failure is an issue."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import evaluator
from evaluator.issues import load_all_rows, load_rows
from lexer_parser import issues as static

ROOT = Path(evaluator.__file__).parent
RAISING = ("Failure", "Unheld", "Stuck", "NotEvaluatedYet", "error", "problem", "failure")


def find_calls() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Yield the calls that make issues, with file and line, and the argument with the code."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            function = getattr(node, "func", None)
            name = getattr(function, "attr", getattr(function, "id", ""))
            if isinstance(node, ast.Call) and node.args and name in RAISING:
                code = node.args[1 if name == "failure" else 0]
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, code


def test_every_failure_has_a_code_that_exists() -> None:
    rows = load_all_rows()
    for position, _, code in find_calls():
        for part in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
            if isinstance(part, ast.Constant):
                assert part.value in rows, position
            else:  # a variable that contains a code
                assert isinstance(part, ast.Name | ast.Attribute | ast.Subscript), position


def test_calls_pass_the_arguments_of_the_template() -> None:
    for position, node, code in find_calls():
        arguments = {keyword.arg for keyword in node.keywords}
        is_unknown = None in arguments or ast.unparse(node.func) == "Stuck"  # `Stuck` adds arguments itself
        if isinstance(code, ast.Constant) and not is_unknown:
            row = load_all_rows()[code.value]
            try:
                row.template.format_map(dict.fromkeys(map(str, arguments), "x"))
            except KeyError as missing:
                pytest.fail(f"{position}: {code.value} has no argument {missing}")


def test_every_row_is_used() -> None:
    texts = "\n".join(
        path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py") if path.parent.name != "issues"
    )
    assert [code for code in load_rows() if f'"{code}"' not in texts] == []


def test_every_row_has_help() -> None:
    assert [code for code, row in load_all_rows().items() if not row.help] == []


def test_no_code_has_two_rows() -> None:
    assert not load_rows().keys() & static.load_rows().keys()


# Rows without an example, by the reason: they need more than a small program and its files.
WITHOUT_EXAMPLE = {
    "a hierarchy of the whole machine": "HIERA_LAYER_VERSION HIERA_BACKEND",
    "keys, or a package or module beside the data": """
        EYAML_KEY EYAML_SCHEME EYAML_DECRYPTION EXTRA_NEEDED HOCON_SYNTAX
    """,
    "a module in Ruby, or a file that cannot be read": """
        FILE_HAS_OTHER_FUNCTION FILE_NOT_READ INVALID_UTF_8
    """,
    "environments": """
        MANIFEST_NOT_READ CLASSIFIED_CLASS_NOT_FOUND PATH_NOT_PERMITTED EXPORTED_TWICE QUERY_ENTITY
        QUERY_NOTHING_TOLD QUERY_FIELD QUERY_NOT_UNDERSTOOD
    """,
    "files of Ruby, or a machine without it": """
        TEMPLATE_FAILED TEMPLATE_ENDED RUBY_FAILED NO_RUBY RUBY_FUNCTION_FAILED RUBY_FUNCTION_ENDED
        UNKNOWN_FUNCTION_IN TYPE_NOT_LOADED NO_TITLE_PATTERNS RUBY_TYPE RUBY_NOT_RUNNABLE RUBY_LOOKUP_FAILED
    """,
    "a log, the only position in which these are reported": """
        METADATA_SYNTAX METADATA_LACKS METADATA_DEPENDENCIES METADATA_KIND
    """,
    "long programs or long texts": "YAML_ALIASES YAML_CYCLE MEMORY_EXCEEDED TIME_EXCEEDED",
    "a user with too many processes, or too little memory": "PROCESS_LIMIT MEMORY_REFUSED",
    "another issue, which this one wraps": "RUNTIME_ERROR",
    "an interrupt by the user, a defect, or a process that was killed": "INTERRUPTED INTERNAL_ERROR NODE_LOST",
    "a machine without a package, or with another Python": "REGEXP_ENGINE_MISSING FUNCTIONS_TOO_DEEP",
    "a stricter session": "DATA_NO_HASH",
    "values that hardly any program makes": "NO_VERSION",
}


def test_rows_without_an_example_are_listed() -> None:
    listed = {code for codes in WITHOUT_EXAMPLE.values() for code in codes.split()}
    assert {code for code, row in load_rows().items() if not row.wrong} == listed
