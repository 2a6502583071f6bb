"""Collection of the chunks of Puppet code in `*.pp` of this folder, each as a test.

A file holds chunks separated by `---` lines. In a chunk

    expression            #=> literal      the statement that ends on this line has that value
    statement             ### CODE         the chunk fails on this line with that issue, or with that message

and lines without a mark must run without an error. A head line `# dialect: spec` (or another, or several:
`spec, puppet7`, or both, which is `puppet, spec` and the default) holds for its chunk and those after it. The lines
between two marks run as one cell.

`pytest tests/language --update` writes the current results into the marks; review the diff.
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
    """A chunk in a dialect.

    Attributes:
        first: The index of its first line in the file.
    """

    def __init__(self, *, dialect: str, first: int, lines: list[str], **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.dialect = dialect
        self.first = first
        self.lines = lines

    def runtest(self) -> None:
        for number, expected, result in self.compare_marks():
            if expected == result:
                continue
            if not self.config.getoption("--update", default=False):
                raise Difference(
                    f"{self.path.name}:{self.first + number + 1}\n  expected {expected}\n  got {result}"
                )
            self.rewrite_mark(number, result)

    def compare_marks(self) -> Iterator[tuple[int, str, str]]:
        """Yield the line index of each mark, its expectation, and the result in the same form."""
        from evaluator import Session

        session = Session(dialect=self.dialect, interactive=False)
        begin = 0
        for number, line in enumerate(self.lines):
            if mark := VALUE.search(line):
                outcome = self.run_lines(session, begin, number + 1)
                begin = number + 1
                if outcome.error is not None:
                    raise Difference(f"{self.path.name}:{self.first + number + 1}\n  {outcome.error}")
                yield number, f"#=> {mark[1]}", f"#=> {escape_lines(outcome.text)}"
            elif mark := ERROR.search(line):
                outcome = self.run_lines(session, begin, len(self.lines))
                if outcome.error is None:
                    raise Difference(
                        f"{self.path.name}:{self.first + number + 1}\n  expected {mark[1]}\n  no error"
                    )
                span = outcome.error.span
                if span is not None and span.line != number + 1:
                    raise Difference(f"{self.path.name}:{self.first + span.line}\n  {outcome.error.message}")
                result = (
                    outcome.error.code
                    if mark[1] == outcome.error.code
                    else escape_lines(outcome.error.message)
                )
                yield number, f"### {mark[1]}", f"### {result}"
                return
        outcome = self.run_lines(session, begin, len(self.lines))
        if outcome.error is not None:
            raise Difference(f"{self.path.name}: {outcome.error}")

    def run_lines(self, session, begin: int, end: int):
        """Run lines as a cell; empty lines before them keep the positions of the file."""
        return session.run("\n" * begin + "\n".join(self.lines[begin:end]))

    def rewrite_mark(self, number: int, result: str) -> None:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        at = self.first + number
        lines[at] = re.sub(r"(\s+)(#=>|###).*$", lambda mark: mark[1] + result, lines[at])
        self.path.write_text("\n".join(lines), encoding="utf-8")

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Difference):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.first, f"{self.path.name}: {self.name}"


def escape_lines(text: str) -> str:
    return text.replace("\n", "\\n")
