"""`--check` reports the mistakes in files and folders, `--format` prints files formatted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from evaluator.checking import ProgramChecks
from evaluator.program.repositories import is_in_repository
from lexer_parser.check import find_problems
from lexer_parser.dialect import DIALECTS, PUPPET, SPEC, Dialect
from lexer_parser.errors import PuppetError, locate_at_end
from lexer_parser.printing.layout import format_source
from lexer_parser.record import Record
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Program
from lexer_parser.validation.module_files import split_module_path
from lexer_parser.validation.walk import Diagnostic
from puppet_kernel.cli.options import (
    OK,
    PUPPET_ERROR,
    UNREADABLE,
    InputArgument,
    Options,
    UsageError,
    convert_to_usage_error,
    refuse_if,
)
from puppet_kernel.cli.session_options import (
    convert_error_to_json,
    expand_folders,
    format_json,
    is_for_released_puppet,
    read_session_settings,
    read_source,
)
from puppet_kernel.rendering import views
from puppet_kernel.rendering.escape import to_one_line
from puppet_kernel.rendering.literals import format_count
from puppet_kernel.terminal.terminal import Terminal, get_columns

PROGRESS_AFTER, PROGRESS_INTERVAL = 1.0, 0.1  # seconds until the progress is shown, and between two updates
MANY_FILES = 300  # from this number on, starting more processes saves time
MAX_PROCESSES = 8


class CheckReport(Record):
    """The mistakes in one input.

    Attributes:
        name: The path of the file, or None for code on the command line.
        findings: Each mistake as text for the terminal, or as data for JSON.
        errors: The number of errors.
        warnings: The number of warnings.
        unreadable: The reason why the file could not be read, or "".
    """

    name: str | None
    findings: list[Any]
    errors: int = 0
    warnings: int = 0
    unreadable: str = ""


class Checker:
    """A checker of inputs, one after the other.

    Attributes:
        dialect: The dialect of all inputs: the one that the user named, or the release for repositories, folders and
            environments; None if each file determines it.
        dialects: The names of the dialects in which inputs were read.
        modulepath: The folders that contain modules.
        json: True if findings become data instead of text.
        name_checks: The checks of names that several inputs share: classes, types, dependency cycles.
    """

    def __init__(self, options: Options, terminal: Terminal, inputs: Sequence[InputArgument]) -> None:
        is_released = is_for_released_puppet(options)
        self.dialect = DIALECTS[options.dialect] if options.dialect else PUPPET if is_released else None
        self.dialects: set[str] = set()
        self.modulepath = [os.path.abspath(root) for root in (options.modulepath or "").split(":") if root]
        self.json = options.json
        self.terminal = terminal
        self.name_checks = ProgramChecks(inputs, read_source, lambda: read_session_settings(options))

    def check(self, item: InputArgument) -> CheckReport:
        """Return the report on an input."""
        if item.kind == "code":
            return self._check_source(item.value, None)
        try:
            return self._check_source(read_source(item.value), item.value)
        except UsageError as problem:
            return CheckReport(item.value, [], unreadable=str(problem))

    def _check_source(self, source: str, name: str | None) -> CheckReport:
        """Return the report on a source; `name` is the path of its file as the user named it."""
        report = CheckReport(name, [])
        path = None if name is None else os.path.abspath(name)
        dialect = self.dialect or find_dialect(path, self.modulepath)
        self.dialects.add(dialect.name)
        mistakes = find_problems(
            source,
            dialect,
            name,
            epp=name is not None and name.endswith(".epp"),
            path=path,
            modulepath=self.modulepath,
            find_further=lambda program: self._check_names(program, dialect, path),
        )
        for mistake in mistakes:
            locate_at_end(mistake.error, Source(source, name))
            self._add(report, mistake.error, is_error=mistake.severity == "error")
        return report

    def add_cycles(self, reports: Sequence[CheckReport]) -> None:
        """Add to the reports the dependency cycles that several files form together."""
        reports_by_name = {report.name: report for report in reports}
        for name, problem in self.name_checks.find_joint_cycles():
            dialect = self.dialect or find_dialect(os.path.abspath(name), self.modulepath)
            self._add(reports_by_name[name], problem, is_error=dialect.is_released)

    def _check_names(self, program: Program, dialect: Dialect, path: str | None) -> list[Diagnostic]:
        """Return the mistakes in names, or raise UsageError for a wrong environment."""
        with convert_to_usage_error(ValueError):
            return self.name_checks.check(program, dialect, path)

    def _add(self, report: CheckReport, problem: PuppetError, *, is_error: bool) -> None:
        """Add a mistake to a report."""
        severity = "error" if is_error else "warning"
        report.errors += is_error
        report.warnings += not is_error
        report.findings.append(
            {"severity": severity, **convert_error_to_json(problem)}
            if self.json
            else self.terminal.draw(views.describe_error(problem, kind=severity), to_stderr=True)
        )


def find_dialect(path: str | None, modulepath: Sequence[str]) -> Dialect:
    """Return the dialect of a file: `puppet` in modules and repositories, else `spec`."""
    is_released = path is not None and (split_module_path(path, modulepath) or is_in_repository(path))
    return PUPPET if is_released else SPEC


def check(options: Options, terminal: Terminal) -> int:
    """Check the inputs, folders with all their files; print the findings, return the code."""
    started = time.perf_counter()
    inputs = list(expand_folders(options.inputs))
    checker = Checker(options, terminal, inputs)
    progress = _ProgressBar(terminal, len(inputs))
    reports = []
    for report in _run_checks(checker, inputs, progress):
        reports.append(report)
        if not options.json:
            _print_report(terminal, report, progress)
    progress.clear()
    checker.add_cycles(reports)
    if options.json:
        _print_json(terminal, reports)
    else:
        for report in reports:
            _print_findings(terminal, report)
        if len(inputs) != 1 or reports[0].errors or reports[0].warnings:
            terminal.write(
                _format_summary(reports, checker.dialects, time.perf_counter() - started) + "\n",
                to_stderr=True,
            )
    if any(report.unreadable for report in reports):
        return UNREADABLE
    return PUPPET_ERROR if any(report.errors for report in reports) else OK


# --- one process or several


def _run_checks(
    checker: Checker, inputs: list[InputArgument], progress: _ProgressBar
) -> Iterator[CheckReport]:
    """Yield the reports in order; many files are divided among the processors of the machine.

    This process checks the first of every `count` inputs, a child the second, and so on.
    """
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(inputs) < MANY_FILES or count < 2 or not hasattr(os, "fork"):
        for done, item in enumerate(inputs, 1):
            yield checker.check(item)
            progress.update(done, item.value)
        return
    count = min(count, MAX_PROCESSES)
    sys.stdout.flush()
    readers = [_start_child(checker, inputs[number::count]) for number in range(1, count)]
    reports: list[Any] = [None] * len(inputs)
    for index in range(0, len(inputs), count):
        reports[index] = checker.check(inputs[index])
        progress.update(index, inputs[index].value)  # the children have checked about as many
    for number, reader in enumerate(readers, 1):
        reports[number::count] = _read_child(reader, checker, inputs[number::count])
    yield from reports


def _start_child(checker: Checker, inputs: list[InputArgument]) -> int:
    """Start a process that checks inputs, and return the descriptor of its reports."""
    reader, writer = os.pipe()
    import pickle

    parent = os.getpid()
    if os.fork():
        os.close(writer)
        return reader
    try:
        with os.fdopen(writer, "wb") as pipe:
            # Nobody needs the reports if the parent has ended.
            reports = [checker.check(item) for item in takewhile(lambda _: os.getppid() == parent, inputs)]
            pipe.write(pickle.dumps((reports, checker.name_checks.orders)))
    finally:
        os._exit(0)


def _read_child(reader: int, checker: Checker, inputs: list[InputArgument]) -> list[CheckReport]:
    """Return the reports of a process; if it died, check its inputs in this process."""
    import pickle

    with os.fdopen(reader, "rb") as pipe:
        content = pipe.read()
    os.wait()
    if not content:
        return [checker.check(item) for item in inputs]
    reports: list[CheckReport]
    reports, orders = pickle.loads(content)
    checker.name_checks.orders |= orders
    return reports


# --- output


class _ProgressBar:
    """A progress bar on a terminal, shown after the first second."""

    def __init__(self, terminal: Terminal, count: int) -> None:
        self.terminal = terminal
        self.count = count
        self.drawn = False
        self.is_visible = terminal.is_interactive(to_stderr=True)
        self.next = time.perf_counter() + PROGRESS_AFTER  # the time of the next update

    def update(self, done: int, name: str | None) -> None:
        """Redraw the bar if its next update is due."""
        if not self.is_visible or time.perf_counter() < self.next:
            return
        self.next = time.perf_counter() + PROGRESS_INTERVAL
        width = max(get_columns() // 3, 10)
        filled = width * done // self.count
        line = f"{'█' * filled}{'░' * (width - filled)} {done}/{self.count} {to_one_line(name or '')}"
        self.terminal.write(f"\r{line[: get_columns() - 1]}\x1b[K", to_stderr=True)
        self.drawn = True

    def clear(self) -> None:
        """Erase the bar."""
        if self.drawn:
            self.terminal.write("\r\x1b[K", to_stderr=True)
            self.drawn = False


def _print_report(terminal: Terminal, report: CheckReport, progress: _ProgressBar) -> None:
    """Print the mistakes in an input."""
    if report.unreadable or report.findings:
        progress.clear()
    if report.unreadable:
        terminal.complain(report.unreadable)
    _print_findings(terminal, report)


def _print_findings(terminal: Terminal, report: CheckReport) -> None:
    """Print the mistakes of a report that were not printed yet."""
    for text in report.findings:
        terminal.write(f"{text}\n\n", to_stderr=True)
    report.findings = []


def _format_summary(reports: list[CheckReport], dialects: set[str], seconds: float) -> str:
    """Return a line such as `31 files, 2 errors in 1 file, 3 warnings (0.2 s, puppet)`."""
    errors, warnings = (sum(getattr(report, kind) for report in reports) for kind in ("errors", "warnings"))
    failed = sum(report.errors > 0 for report in reports)
    unreadable = sum(bool(report.unreadable) for report in reports)
    parts = [
        format_count(len(reports), "file"),
        f"{format_count(errors, 'error')} in {format_count(failed, 'file')}" if errors else "no errors",
        *([format_count(warnings, "warning")] if warnings else []),
        *([f"{unreadable} unreadable"] if unreadable else []),
    ]
    return f"{', '.join(parts)} ({', '.join([f'{seconds:.1f} s', *sorted(dialects)])})"


def _print_json(terminal: Terminal, reports: list[CheckReport]) -> None:
    terminal.write(
        format_json(
            {
                "files": len(reports),
                "errors": sum(report.errors for report in reports),
                "warnings": sum(report.warnings for report in reports),
                "unreadable": [report.unreadable for report in reports if report.unreadable],
                "problems": [problem for report in reports for problem in report.findings],
            }
        )
    )


def print_formatted(options: Options, terminal: Terminal) -> int:
    """Print the inputs formatted, report those with mistakes, and return the exit code."""
    code = OK
    for kind, value in options.inputs:
        refuse_if(
            kind == "file" and value.endswith(".epp"),
            f"{value} is a template: only manifests can be formatted",
        )
        source, path = (value, None) if kind == "code" else (read_source(value), os.path.abspath(value))
        dialect = DIALECTS[options.dialect] if options.dialect else find_dialect(path, ())
        try:
            terminal.write(format_source(source, dialect, None if path is None else value))
        except PuppetError as problem:
            code = PUPPET_ERROR
            terminal.show(views.describe_error(problem), to_stderr=True)
    return code
