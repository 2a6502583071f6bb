"""Running files and `-e` programs: logs as they come, the value, the catalog on request, an exit code."""

from __future__ import annotations

import sys
from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.options import Options, UsageError, new_session
from puppet_kernel.rendering import views
from puppet_kernel.terminal import Terminal

OK, PUPPET_ERROR, INTERRUPTED = 0, 1, 130


def run(options: Options, terminal: Terminal) -> int:
    """Runs the inputs in order in one session and returns the exit code. Stops at the first error."""
    session = new_session(options)
    logs: list[Any] = []
    inputs = list(_inputs(options))
    known = {source: name for _, name, source in inputs}

    def names(place: Source) -> str | None:
        return known.get(place.text)

    session.on_log = logs.append if options.json else _Printer(terminal, names)
    outcome = None
    for kind, _, source in inputs:
        outcome = session.run(source)
        if outcome.error is not None:
            if options.json:
                _print_json(terminal, session, outcome, logs)
            else:
                terminal.show(views.error(outcome.error, names), to_stderr=True)
            return INTERRUPTED if outcome.error.code == "INTERRUPTED" else PUPPET_ERROR
        if kind == "code" and not options.json:
            _show(terminal, views.value(outcome))
    if options.json:
        _print_json(terminal, session, outcome, logs)
    elif options.catalog:
        _show(terminal, views.catalog(session.catalog()))
    return OK


def _show(terminal: Terminal, element: Any) -> None:
    if element is not None:
        terminal.show(element)


class _Printer:
    """Prints each log line when it comes."""

    def __init__(self, terminal: Terminal, names: views.Names) -> None:
        self.terminal = terminal
        self.names = names

    def __call__(self, entry: Any) -> None:
        self.terminal.show(views.log(entry, self.names), to_stderr=entry.level not in views.QUIET_LEVELS)


def check(options: Options, terminal: Terminal) -> int:
    """Parses and validates the inputs without running them; tells every mistake."""
    failed = False
    for _, name, source in _inputs(options):
        problem = mistake(source, name, options.dialect)
        if problem is not None:
            failed = True
            terminal.show(views.error(problem), to_stderr=True)
    return PUPPET_ERROR if failed else OK


def mistake(source: str, name: str | None, dialect: str | None = None) -> PuppetError | None:
    """The error that parsing and validating a source gives; None when it is fine."""
    from lexer_parser import parse
    from lexer_parser.dialect import DIALECTS

    try:
        parse(
            source, epp=bool(name and name.endswith(".epp")), name=name, dialect=DIALECTS[dialect or "spec"]
        )
    except PuppetError as problem:
        return problem
    return None


def reformat(options: Options, terminal: Terminal) -> int:
    """Prints the inputs in the usual layout; a source with a mistake is told and left out."""
    from puppet_kernel.formatting import format_source

    failed = False
    for _, name, source in _inputs(options):
        try:
            terminal.write(format_source(source, name))
        except PuppetError as problem:
            failed = True
            terminal.show(views.error(problem), to_stderr=True)
    return PUPPET_ERROR if failed else OK


def _inputs(options: Options) -> Any:
    for kind, given in options.inputs:
        yield (kind, None, given) if kind == "code" else (kind, given, read_source(given))


def read_source(path: str) -> str:
    """The text of a file, or of standard input for "-". Raises UsageError when it cannot be read."""
    try:
        if path == "-":
            if sys.stdin is None:
                raise UsageError("there is no standard input")
            content = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                content = file.read()
        return content.decode("utf-8")
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError:
        raise UsageError(f"cannot read {path}: it is not UTF-8") from None


def _print_json(terminal: Terminal, session: Any, outcome: Any, logs: list[Any]) -> None:
    import json

    answer: dict[str, Any] = {"value": None, "type": None, "logs": [_log_data(entry) for entry in logs]}
    if outcome is not None and outcome.error is None:
        if outcome.has_value:
            answer["value"], answer["type"] = outcome.text, outcome.type
        answer["catalog"] = session.catalog().to_json()
    answer["error"] = (
        _error_data(outcome.error) if outcome is not None and outcome.error is not None else None
    )
    terminal.write(json.dumps(answer, indent=2, ensure_ascii=True) + "\n")


def _log_data(entry: Any) -> dict[str, Any]:
    return {"level": entry.level, "message": entry.message, **_place_data(entry.span)}


def _error_data(problem: PuppetError) -> dict[str, Any]:
    data: dict[str, Any] = {"code": problem.code, "message": problem.message, **_place_data(problem.span)}
    data |= {
        key: value for key, value in (("suggestion", problem.suggestion), ("help", problem.help)) if value
    }
    if problem.related:
        data["related"] = [_error_data(other) for other in problem.related]
    return data


def _place_data(span: Any) -> dict[str, Any]:
    if span is None:
        return {}
    file = {"file": span.source.name} if span.source.name else {}
    return {**file, "line": span.line, "column": span.column}
