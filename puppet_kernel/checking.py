"""`--check`: tells the mistakes of files and folders without running anything."""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from evaluator.checking import Checks
from evaluator.checking.folders import module_root
from lexer_parser.check import findings
from lexer_parser.dialect import DIALECTS, PUPPET, SPEC, Dialect
from lexer_parser.errors import put_at_end
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Program
from lexer_parser.validation.modules import module_parts
from lexer_parser.validation.walk import Diagnostic
from puppet_kernel.as_json import problem_data
from puppet_kernel.files import expanded, read_source
from puppet_kernel.options import Options, UsageError
from puppet_kernel.rendering import problems
from puppet_kernel.rendering.escape import one_line
from puppet_kernel.terminal.terminal import Terminal, columns

OK, PUPPET_ERROR, UNREADABLE = 0, 1, 2
PROGRESS_AFTER = 1.0  # seconds
MANY_FILES = 300  # from here on a second process pays for its start
MOST_PROCESSES = 8


class Report:
    """What was found in one input: `told` is text to show, or data for JSON."""

    __slots__ = ("errors", "name", "told", "unreadable", "warnings")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.errors = self.warnings = 0
        self.unreadable = ""
        self.told: list[Any] = []

    def data(self) -> tuple[Any, ...]:
        """The report as plain data, for another process."""
        return self.name, self.errors, self.warnings, self.unreadable, self.told

    @classmethod
    def from_data(cls, data: tuple[Any, ...]) -> Report:
        """The report that `data` was made from."""
        made = cls(data[0])
        _, made.errors, made.warnings, made.unreadable, made.told = data
        return made


class Checker:
    """Checks one input after the other.

    dialect     as the person asked for; None means what a file's place tells: the released language in modules
    modulepath  the folders that hold modules;  json  findings become data
    """

    def __init__(self, options: Options, terminal: Terminal, inputs: Sequence[tuple[str, str]]) -> None:
        self.dialect = DIALECTS[options.dialect] if options.dialect else None
        self.modulepath = [os.path.abspath(root) for root in (options.modulepath or "").split(":") if root]
        self.json = options.json
        self.terminal = terminal
        self.names = Checks(inputs, read_source, lambda: _settings(options))

    def check(self, given: tuple[str, str]) -> Report:
        """The report on ("code", text) or ("file", path)."""
        kind, value = given
        if kind == "code":
            return self._report(None, value, None)
        try:
            return self._report(value, read_source(value), os.path.abspath(value))
        except UsageError as problem:
            report = Report(value)
            report.unreadable = str(problem)
            return report

    def _report(self, name: str | None, source: str, path: str | None) -> Report:
        report = Report(name)
        epp = name is not None and name.endswith(".epp")
        dialect = self.dialect or dialect_of(path, self.modulepath)
        found_here = findings(
            *(source, dialect, name),
            epp=epp,
            path=path,
            modulepath=self.modulepath,
            look=lambda program: self._names_in(program, dialect, path),
        )
        for found in found_here:
            severe = found.severity == "error"
            put_at_end(found.error, Source(source, name))
            report.errors += severe
            report.warnings += not severe
            report.told.append(self._shown(found.error, "error" if severe else "warning"))
        return report

    def tell_together(self, reports: Sequence[Report]) -> None:
        """Adds to the reports of files the cycles that they make with others."""
        named = {report.name: report for report in reports}
        for name, problem in self.names.cycles_together():
            report = named[name]
            dialect = self.dialect or dialect_of(os.path.abspath(name), self.modulepath)
            severe = dialect is PUPPET
            report.errors += severe
            report.warnings += not severe
            report.told.append(self._shown(problem, "error" if severe else "warning"))

    def _names_in(self, program: Program, dialect: Dialect, path: str | None) -> list[Diagnostic]:
        """What is wrong with the names of a program. Raises UsageError for an environment that is none."""
        try:
            return self.names.check(program, dialect, path)
        except ValueError as problem:
            raise UsageError(str(problem)) from None

    def _shown(self, problem: Any, severity: str) -> Any:
        if self.json:
            return {"severity": severity, **problem_data(problem)}
        return self.terminal.draw(problems.error(problem, kind=severity), to_stderr=True)


def dialect_of(path: str | None, modulepath: Sequence[str]) -> Dialect:
    """The dialect that a file is written in: in modules the released language, elsewhere the specification's."""
    in_module = path is not None and (module_parts(path, modulepath) or module_root(path))
    return PUPPET if in_module else SPEC


def _settings(options: Options) -> dict[str, Any]:
    """What a session of the inputs would be given, which is read when a name is none that everybody knows."""
    from puppet_kernel.given import session_settings

    return session_settings(options)


def check(options: Options, terminal: Terminal) -> int:
    """Checks the inputs, folders with all that is in them; shows what was found, gives the exit code."""
    started = time.perf_counter()
    inputs = list(expanded(options.inputs))
    checker = Checker(options, terminal, inputs)
    progress = _Progress(terminal, len(inputs))
    reports = []
    for report in _reports(checker, inputs, progress):
        if not options.json and (report.told or report.unreadable):
            progress.clear()
            _show(terminal, report)
        report.told = report.told if options.json else []
        reports.append(report)
    progress.clear()
    checker.tell_together(reports)
    if options.json:
        _print_json(terminal, reports)
    else:
        for report in reports:
            _show_told(terminal, report)
        if len(inputs) != 1 or reports[0].errors or reports[0].warnings:
            terminal.write(_summary(reports, time.perf_counter() - started) + "\n", to_stderr=True)
    if any(report.unreadable for report in reports):
        return UNREADABLE
    return PUPPET_ERROR if any(report.errors for report in reports) else OK


# --- one process or several


def _reports(checker: Checker, inputs: list[tuple[str, str]], progress: _Progress) -> Iterator[Report]:
    """The reports in order; of many files each processor of the machine checks a share."""
    shares = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(inputs) < MANY_FILES or shares < 2 or not hasattr(os, "fork"):
        for done, given in enumerate(inputs, 1):
            yield checker.check(given)
            progress.step(done, given[1])
        return
    shares = min(shares, MOST_PROCESSES)
    sys.stdout.flush()
    readers = [_in_child(checker, inputs[share::shares]) for share in range(1, shares)]
    found: list[Any] = [None] * len(inputs)
    for place in range(0, len(inputs), shares):
        found[place] = checker.check(inputs[place])
        progress.step(place, inputs[place][1])
    for share, reader in enumerate(readers, 1):
        found[share::shares] = _from_child(reader, checker, inputs[share::shares])
    yield from found


def _in_child(checker: Checker, inputs: list[tuple[str, str]]) -> int:
    """Starts a process that checks inputs; gives the descriptor from which its reports are read."""
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        return reader
    try:
        with os.fdopen(writer, "wb") as pipe:
            reports = [checker.check(given).data() for given in inputs]
            pipe.write(marshal.dumps((reports, checker.names.shared)))
    finally:
        os._exit(0)


def _from_child(reader: int, checker: Checker, inputs: list[tuple[str, str]]) -> list[Report]:
    """The reports of a process; when it came to grief, its work is done here."""
    with os.fdopen(reader, "rb") as pipe:
        content = pipe.read()
    os.wait()
    if not content:
        return [checker.check(given) for given in inputs]
    reports, shared = marshal.loads(content)
    checker.names.take(shared)
    return [Report.from_data(data) for data in reports]


# --- what the person sees


class _Progress:
    """A bar on a terminal, for work that takes longer than a moment."""

    __slots__ = ("count", "drawn", "next", "terminal")

    def __init__(self, terminal: Terminal, count: int) -> None:
        self.terminal = terminal
        self.count = count
        self.drawn = False
        self.next = time.perf_counter() + PROGRESS_AFTER if terminal.is_interactive(to_stderr=True) else None

    def step(self, done: int, name: str | None) -> None:
        """Draws how far the work is, ten times a second at most."""
        if self.next is None or time.perf_counter() < self.next:
            return
        self.next = time.perf_counter() + 0.1
        width = max(columns() // 3, 10)
        filled = width * done // self.count
        line = f"{'█' * filled}{'░' * (width - filled)} {done}/{self.count} {one_line(name or '')}"
        self.terminal.write(f"\r{line[: columns() - 1]}\x1b[K", to_stderr=True)
        self.drawn = True

    def clear(self) -> None:
        """Takes the bar away."""
        if self.drawn:
            self.terminal.write("\r\x1b[K", to_stderr=True)
            self.drawn = False


def _show(terminal: Terminal, report: Report) -> None:
    if report.unreadable:
        terminal.complain(report.unreadable)
    _show_told(terminal, report)


def _show_told(terminal: Terminal, report: Report) -> None:
    for text in report.told:
        terminal.write(f"{text}\n\n", to_stderr=True)


def _summary(reports: list[Report], seconds: float) -> str:
    """`31 files, 2 errors in 1 file, 3 warnings (0.2 s)`."""
    errors, warnings = (sum(getattr(report, kind) for report in reports) for kind in ("errors", "warnings"))
    failed = sum(report.errors > 0 for report in reports)
    unreadable = sum(bool(report.unreadable) for report in reports)
    parts = [_counted(len(reports), "file")]
    parts.append(f"{_counted(errors, 'error')} in {_counted(failed, 'file')}" if errors else "no errors")
    parts += [_counted(warnings, "warning")] if warnings else []
    parts += [f"{unreadable} unreadable"] if unreadable else []
    return f"{', '.join(parts)} ({seconds:.1f} s)"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _print_json(terminal: Terminal, reports: list[Report]) -> None:
    import json

    answer = {
        "files": len(reports),
        "errors": sum(report.errors for report in reports),
        "warnings": sum(report.warnings for report in reports),
        "unreadable": [report.unreadable for report in reports if report.unreadable],
        "problems": [problem for report in reports for problem in report.told],
    }
    terminal.write(json.dumps(answer, indent=2, ensure_ascii=True) + "\n")
