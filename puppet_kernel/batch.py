"""Running files and `-e` programs: logs as they come, the value, the catalog on request, an exit code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from evaluator import Session, catalog
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.as_json import place_data, problem_data
from puppet_kernel.files import read_source
from puppet_kernel.given import new_session
from puppet_kernel.options import Options
from puppet_kernel.rendering import catalogs, problems, views
from puppet_kernel.terminal.terminal import Terminal

OK, PUPPET_ERROR, INTERRUPTED = 0, 1, 130


def run(options: Options, terminal: Terminal, then: Callable[[Session], int] | None = None) -> int:
    """Runs the inputs in order in one session and returns the exit code. Stops at the first error.

    then  what is done with the session in the end instead of showing it; gives the exit code
    """
    session = new_session(options)
    logs: list[Any] = []
    inputs = list(_inputs(options))
    known = {source: name for _, name, source in inputs}

    def names(place: Source) -> str | None:
        return known.get(place.text)

    session.on_log = logs.append if options.json else _Printer(terminal, names)
    outcome = session.beginning
    for entry in outcome.logs if outcome is not None else ():
        session.on_log(entry)
    if outcome is not None and outcome.error is not None:
        return _failed(options, terminal, session, outcome, logs, names)
    for kind, _, source in inputs:
        outcome = session.run(source)
        if outcome.error is not None:
            return _failed(options, terminal, session, outcome, logs, names)
        if kind == "code" and not options.json:
            _show(terminal, session, partial(views.value, outcome))
    refused = _refused(session)
    code = PUPPET_ERROR if any(kind == "error" for kind, _ in refused) else OK
    if then is not None:
        return then(session) or code
    if options.json:
        _print_json(terminal, session, outcome, logs, options.show_sensitive, refused)
        return code
    if options.catalog:
        _show(terminal, session, lambda: catalogs.catalog(session.catalog(), whole=True))
    for kind, problem in refused:
        terminal.show(problems.error(problem, names, kind=kind), to_stderr=True)
    return code


def _refused(session: Session) -> list[tuple[str, PuppetError]]:
    """What a machine would refuse of the catalog, as ("error" or "warning", problem).

    In the released Puppet's dialect a cycle is an error: running a file is applying it there, and that fails.
    """
    fatal = "DEPENDENCY_CYCLE" if session.dialect == "puppet" else ""
    if len(session.catalog().resources) == len(catalog.BUILT_IN):
        return []
    with session.guard() as guard:
        found = guard.run(lambda: list(catalog.problems(session.catalog())))
    return [("error" if problem.code == fatal else "warning", problem) for problem in found]


def _failed(
    options: Options,
    terminal: Terminal,
    session: Any,
    outcome: Any,
    logs: list[Any],
    names: problems.Names,
) -> int:
    """Tells an error; gives the exit code."""
    if options.json:
        _print_json(terminal, session, outcome, logs, options.show_sensitive, [])
    else:
        terminal.show(problems.error(outcome.error, names), to_stderr=True)
    return INTERRUPTED if outcome.error.code == "INTERRUPTED" else PUPPET_ERROR


def _show(terminal: Terminal, session: Any, describe: Callable[[], Any]) -> None:
    """Shows what is described; describing and drawing are limited and can be stopped as programs are."""

    def drawn() -> str:
        element = describe()
        return "" if element is None else terminal.draw(element) + "\n"

    with session.guard() as guard:
        terminal.write(guard.run(drawn))


class _Printer:
    """Prints each log line when it comes."""

    def __init__(self, terminal: Terminal, names: problems.Names) -> None:
        self.terminal = terminal
        self.names = names

    def __call__(self, entry: Any) -> None:
        self.terminal.show(views.log(entry, self.names), to_stderr=entry.level not in views.QUIET_LEVELS)


def _inputs(options: Options) -> Any:
    for kind, given in options.inputs:
        yield (kind, None, given) if kind == "code" else (kind, given, read_source(given))


def _print_json(
    terminal: Terminal,
    session: Any,
    outcome: Any,
    logs: list[Any],
    show_sensitive: bool,
    refused: list[tuple[str, PuppetError]],
) -> None:
    import json

    def written() -> str:
        answer: dict[str, Any] = {"value": None, "type": None, "logs": [_log_data(entry) for entry in logs]}
        if outcome is not None and outcome.error is None:
            if outcome.has_value:
                answer["value"], answer["type"] = outcome.text, outcome.type
            made = session.catalog()
            answer["catalog"] = made.to_json(redact=not show_sensitive)
            if exported := made.exports(redact=not show_sensitive):
                answer["exports"] = exported
        answer["error"] = (
            problem_data(outcome.error) if outcome is not None and outcome.error is not None else None
        )
        for kind, problem in refused:
            if kind == "error":
                answer["error"] = problem_data(problem)
            else:
                answer["logs"].append({"level": kind, "message": problem.message, **place_data(problem.span)})
        return json.dumps(answer, indent=2, ensure_ascii=True) + "\n"

    with session.guard() as guard:
        terminal.write(guard.run(written))


def _log_data(entry: Any) -> dict[str, Any]:
    data = {"level": entry.level, "message": entry.message, **place_data(entry.span)}
    return data | ({"suggestion": entry.suggestion} if entry.suggestion else {})
