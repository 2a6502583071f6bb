"""The rows of the issues: one for each code, each raised somewhere, each with help; no failure is bare text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import evaluator
from evaluator.issues import every, rows
from lexer_parser import issues as static

ROOT = Path(evaluator.__file__).parent
RAISING = ("Failure", "Unheld", "Stuck", "NotEvaluatedYet", "error", "problem", "failure")


def calls() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Where issues are made: the place, the call and its code."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "func", None)
            called = getattr(name, "attr", getattr(name, "id", ""))
            if isinstance(node, ast.Call) and node.args and called in RAISING:
                code = node.args[1 if called == "failure" else 0]
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, code


def test_no_failure_is_bare_text() -> None:
    known = every()
    for place, _, code in calls():
        for part in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
            if isinstance(part, ast.Constant):
                assert part.value in known, place
            else:  # what holds a code
                assert isinstance(part, ast.Name | ast.Attribute | ast.Subscript), place


def test_arguments_fill_the_templates() -> None:
    for place, node, code in calls():
        given = {keyword.arg for keyword in node.keywords}
        filled = None in given or ast.unparse(node.func) == "Stuck"  # which fills its template itself
        if isinstance(code, ast.Constant) and not filled:
            row = every()[code.value]
            try:
                row.template.format_map(dict.fromkeys(map(str, given), "x"))
            except KeyError as missing:
                pytest.fail(f"{place}: {code.value} has no argument {missing}")


def test_every_row_is_used() -> None:
    texts = "\n".join(
        path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py") if path.parent.name != "issues"
    )
    assert [code for code in rows() if f'"{code}"' not in texts] == []


def test_every_row_has_help() -> None:
    assert [code for code, row in every().items() if not row.help] == []


def test_no_code_has_two_rows() -> None:
    assert not rows().keys() & static.rows().keys()
