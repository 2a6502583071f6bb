"""Errors, positions and log entries as `--json` prints them."""

from __future__ import annotations

from typing import Any

from evaluator.program.log import Log
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from puppet_kernel.remedies import COMMAND_LINE, format_help

Json = dict[str, Any]  # an object of JSON


def error_to_json(problem: PuppetError) -> Json:
    """Return an error with its code, message, position, suggestion, help and secondary positions."""
    data: Json = {"code": problem.code, "message": problem.message, **span_to_json(problem.span)}
    data |= {
        key: value
        for key, value in (("suggestion", problem.suggestion), ("help", format_help(problem, COMMAND_LINE)))
        if value
    }
    if problem.notes:
        data["notes"] = [{"message": note.text, **span_to_json(note.span)} for note in problem.notes]
    if problem.related:
        data["related"] = [error_to_json(other) for other in problem.related]
    return data


def log_to_json(entry: Log) -> Json:
    """Return a log entry with its level, message, position and suggestion."""
    data: Json = {"level": entry.level, "message": entry.message, **span_to_json(entry.span)}
    return data | ({"suggestion": entry.suggestion} if entry.suggestion else {})


def span_to_json(span: Span | None) -> Json:
    """Return the file, lines and columns of a span, counted from 1 with an exclusive end.

    {} for None.
    """
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
