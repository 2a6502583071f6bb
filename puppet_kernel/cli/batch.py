"""`puppet-repl` with files or `-e`: run them, print logs, values, the catalog or JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from evaluator import Session, catalog
from evaluator.program.log import Log
from evaluator.session.cell import Outcome
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.cli.options import INTERRUPTED, OK, PUPPET_ERROR, Options
from puppet_kernel.cli.session_options import (
    Json,
    convert_error_to_json,
    convert_log_to_json,
    convert_span_to_json,
    describe_dialect,
    format_json,
    is_for_released_puppet,
    make_session,
    read_source,
)
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import Element
from puppet_kernel.terminal.terminal import Terminal


def run(options: Options, terminal: Terminal, print_instead: Callable[[Session], int] | None = None) -> int:
    """Run the inputs in order in one session, up to the first error, and return the exit code.

    Args:
        options: The command line.
        terminal: The terminal for the results.
        print_instead: Called with the session, also after an error, instead of printing the catalog or JSON; returns
            the exit code.
    """
    session = make_session(options)
    if options.catalog and print_instead is None and not options.json and is_for_released_puppet(options):
        terminal.show(describe_dialect(session.dialect))
    logs: list[Log] = []
    texts = [item.value if item.kind == "code" else read_source(item.value) for item in options.inputs]
    files = {
        text: None if item.kind == "code" else item.value
        for item, text in zip(options.inputs, texts, strict=True)
    }

    def find_file(source: Source) -> str | None:
        return files.get(source.text)

    def print_log(entry: Log) -> None:
        terminal.show(views.describe_log(entry, find_file), to_stderr=entry.level not in views.QUIET_LEVELS)

    session.on_log = logs.append if options.json else print_log
    outcome = _run_inputs(options, texts, terminal, session)
    error = None if outcome is None else outcome.error
    problems = [] if error is not None else _find_apply_problems(session)
    if options.json and print_instead is None:
        _print_json(terminal, session, outcome, logs, options.show_sensitive, problems)
    elif error is not None:
        terminal.show(views.describe_error(error, find_file), to_stderr=True)
    elif print_instead is None:
        if options.catalog:
            _print_view(terminal, session, lambda: catalogs.describe_catalog(session.catalog(), whole=True))
        for severity, problem in problems:
            terminal.show(views.describe_error(problem, find_file, kind=severity), to_stderr=True)
    if error is not None and error.code == "INTERRUPTED":
        return INTERRUPTED
    has_failed = error is not None or any(severity == "error" for severity, _ in problems)
    code = PUPPET_ERROR if has_failed else OK
    return code if print_instead is None else print_instead(session) or code


def _run_inputs(
    options: Options, texts: Sequence[str], terminal: Terminal, session: Session
) -> Outcome | None:
    """Run the inputs after the manifests of the environment, and print the values of `-e`.

    Args:
        options: The command line.
        texts: The text of each input.
        terminal: The terminal for the values.
        session: The session.

    Returns:
        The outcome of the last program, which is the first one with an error; None if nothing ran.
    """
    outcome = session.beginning
    if outcome is not None and session.on_log is not None:
        for entry in outcome.evaluation.logs:  # these manifests ran before the receiver was set
            session.on_log(entry)
    for item, text in zip(options.inputs, texts, strict=True):
        if outcome is not None and outcome.error is not None:
            return outcome
        outcome = session.run(text)
        if item.kind == "code" and outcome.error is None and not options.json:
            _print_view(terminal, session, partial(views.describe_value, outcome))
    return outcome


def _find_apply_problems(session: Session) -> list[tuple[str, PuppetError]]:
    """Return the problems that the catalog would have on a machine, each with its severity.

    The severity is "error" or "warning". In a released dialect a cycle is an error, because `puppet apply` of such a
    program fails.
    """
    fatal = "DEPENDENCY_CYCLE" if DIALECTS[session.dialect].is_released else ""
    if len(session.catalog().resources) == len(catalog.BUILT_IN):  # the program has added none
        return []
    problems = session.call_supervised(lambda: list(catalog.find_apply_errors(session.catalog())))
    return [("error" if problem.code == fatal else "warning", problem) for problem in problems]


def _print_view(terminal: Terminal, session: Session, describe: Callable[[], Element | None]) -> None:
    """Print a view; the limits of programs and interrupts apply while it is built and drawn."""

    def draw() -> str:
        element = describe()
        return "" if element is None else terminal.draw(element) + "\n"

    terminal.write(session.call_supervised(draw))


def _print_json(
    terminal: Terminal,
    session: Session,
    outcome: Outcome | None,
    logs: list[Log],
    show_sensitive: bool,
    problems: list[tuple[str, PuppetError]],
) -> None:
    """Print the result of a run as one object, within the limits of the session.

    Args:
        terminal: The terminal.
        session: The session.
        outcome: The outcome of the last input that ran; None if nothing ran.
        logs: The log entries of the run.
        show_sensitive: True to print Sensitive values of the catalog in plain text.
        problems: The results of `_find_apply_problems`.
    """

    def write() -> str:
        answer: Json = {"value": None, "type": None, "logs": [convert_log_to_json(entry) for entry in logs]}
        error = None if outcome is None else outcome.error
        if outcome is not None and error is None:
            if outcome.has_value:
                answer["value"], answer["type"] = outcome.text, outcome.type
            final_catalog = session.catalog()
            answer["catalog"] = final_catalog.to_json(redact=not show_sensitive)
            if exported := final_catalog.exports(redact=not show_sensitive):
                answer["exports"] = exported
        answer["error"] = None if error is None else convert_error_to_json(error)
        for severity, problem in problems:
            if severity == "error":
                answer["error"] = convert_error_to_json(problem)
            else:
                answer["logs"].append(
                    {"level": severity, "message": problem.message, **convert_span_to_json(problem.span)}
                )
        return format_json(answer)

    terminal.write(session.call_supervised(write))
