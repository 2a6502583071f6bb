"""Runs the chunks of Puppet in `*.pp` of this folder, each as a test.

A file holds chunks separated by `---` lines. In a chunk

    expression            #=> literal      the statement that ends on this line gives that value
    statement             ### CODE         the chunk fails on this line with that issue, or with that message

and what has no mark must run. A head line `# dialect: spec` (or another, or several: `spec, puppet7`, or both, which is
`puppet, spec` and the default) holds for its chunk and those after it. What stands between two marked lines runs as
one cell.

`pytest tests/language --update` writes what came out into the marks; review the difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

VALUE = re.compile(r"\s+#=>[ ]?(.*)$")
ERROR = re.compile(r"\s+###[ ]?(.*)$")
HEAD = re.compile(r"# dialect: (\w+(?:, \w+)*)\s*$")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return ChunkFile.from_parent(parent, path=file_path) if file_path.suffix == ".pp" else None


class ChunkFile(pytest.File):
    """A file of chunks."""

    def collect(self) -> Iterator[pytest.Item]:
        dialects = ["puppet", "spec"]
        first = 0
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for end in [number for number, line in enumerate(lines) if line == "---"] + [len(lines)]:
            chunk = lines[first:end]
            for line in chunk:
                if head := HEAD.match(line):
                    dialects = ["puppet", "spec"] if head[1] == "both" else head[1].split(", ")
            if any(line.strip() and not line.startswith("#") for line in chunk):
                for dialect in dialects:
                    yield Chunk.from_parent(
                        self, name=f"line {first + 1} [{dialect}]", dialect=dialect, first=first, lines=chunk
                    )
            first = end + 1


class Difference(Exception):
    """The results of a chunk differ from its marks."""


class Chunk(pytest.Item):
    """A chunk in a dialect. `first` is the index of its first line in the file."""

    def __init__(self, *, dialect: str, first: int, lines: list[str], **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.dialect = dialect
        self.first = first
        self.lines = lines

    def runtest(self) -> None:
        for number, due, got in self.results():
            if due == got:
                continue
            if not self.config.getoption("--update", default=False):
                raise Difference(f"{self.path.name}:{self.first + number + 1}\n  due {due}\n  got {got}")
            self.rewrite(number, got)

    def results(self) -> Iterator[tuple[int, str, str]]:
        """Line index, expectation and result of each mark, both as the mark writes them."""
        from evaluator import Session

        session = Session(dialect=self.dialect, interactive=False)
        begin = 0
        for number, line in enumerate(self.lines):
            if mark := VALUE.search(line):
                outcome = self.run_lines(session, begin, number + 1)
                begin = number + 1
                if outcome.error is not None:
                    raise Difference(f"{self.path.name}:{self.first + number + 1}\n  {outcome.error}")
                yield number, f"#=> {mark[1]}", f"#=> {one_line(outcome.text)}"
            elif mark := ERROR.search(line):
                outcome = self.run_lines(session, begin, len(self.lines))
                if outcome.error is None:
                    raise Difference(
                        f"{self.path.name}:{self.first + number + 1}\n  due {mark[1]}\n  no error"
                    )
                span = outcome.error.span
                if span is not None and span.line != number + 1:
                    raise Difference(f"{self.path.name}:{self.first + span.line}\n  {outcome.error.message}")
                told = (
                    outcome.error.code if mark[1] == outcome.error.code else one_line(outcome.error.message)
                )
                yield number, f"### {mark[1]}", f"### {told}"
                return
        outcome = self.run_lines(session, begin, len(self.lines))
        if outcome.error is not None:
            raise Difference(f"{self.path.name}: {outcome.error}")

    def run_lines(self, session, begin: int, end: int):
        """Runs lines as a cell; lines before them are empty, so that places stay right."""
        return session.run("\n" * begin + "\n".join(self.lines[begin:end]))

    def rewrite(self, number: int, got: str) -> None:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        at = self.first + number
        lines[at] = re.sub(r"(\s+)(#=>|###).*$", lambda mark: mark[1] + got, lines[at])
        self.path.write_text("\n".join(lines), encoding="utf-8")

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Difference):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.first, f"{self.path.name}: {self.name}"


def one_line(text: str) -> str:
    return text.replace("\n", "\\n")
