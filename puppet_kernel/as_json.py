"""Errors and places as data, for `--json`."""

from __future__ import annotations

from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from puppet_kernel.ways import COMMAND_LINE, help_of


def problem_data(problem: PuppetError) -> dict[str, Any]:
    """An error with its code, message, place, nearest name, help and secondary places."""
    data: dict[str, Any] = {"code": problem.code, "message": problem.message, **place_data(problem.span)}
    data |= {
        key: value
        for key, value in (("suggestion", problem.suggestion), ("help", help_of(problem, COMMAND_LINE)))
        if value
    }
    if problem.notes:
        data["notes"] = [{"message": note.text, **place_data(note.span)} for note in problem.notes]
    if problem.related:
        data["related"] = [problem_data(other) for other in problem.related]
    return data


def place_data(span: Span | None) -> dict[str, Any]:
    """The file, and lines and columns counted from 1, the end exclusive; empty without place."""
    if span is None:
        return {}
    file = {"file": span.source.name} if span.source.name else {}
    end_line, end_column = span.source.position(span.end)
    return {
        **file,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }
