"""Messages about everyday mistakes at run time, word for word; and every error has help."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session
from evaluator.issues import load_rows
from lexer_parser.errors import PuppetError

CASES = sorted((Path(__file__).parent / "runtime").glob("*.txt"))
MARK = "\n---\n"


def failure(source: str) -> PuppetError:
    outcome = Session("puppet", strict_variables=True).run(source)
    assert outcome.error is not None, f"no error: {source}"
    return outcome.error


def described(error: PuppetError) -> str:
    place = f" at {error.span.line}:{error.span.column}" if error.span else ""
    lines = [error.code + place, str(error), f"help: {error.help}"]
    if error.suggestion:
        lines.append(f"suggestion: {error.suggestion}")
    for note in error.notes:
        where = f" at {note.span.line}:{note.span.column}" if note.span else ""
        lines.append(f"note{where}: {note.text}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_mistake(path: Path, request: pytest.FixtureRequest) -> None:
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    said = described(failure(source))
    if request.config.getoption("--update", default=False):
        path.write_text(source + MARK + said, encoding="utf-8")
    else:
        assert said == expected


def test_there_are_many() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("line", [row.help for row in load_rows().values() if row.help])
def test_lines_are_sentences(line: str) -> None:
    assert line.endswith((".", "`", "?")) and len(line) < 110
    assert line[0].isupper() or line[0] in "`'"


def test_a_failure_keeps_its_words() -> None:
    error = failure("function f(Integer $x) { }\nf('a')")
    assert str(error) == (
        "Error while evaluating a Function Call, 'f' parameter 'x' expects an Integer value, got String"
        " (line: 2, column: 1)"
    )


def test_callers_in_other_cells_are_told() -> None:
    session = Session("puppet")
    session.run("function f($x) { 1 / $x }")
    error = session.run("\nf(0)").error
    assert error is not None and error.span is not None and error.span.line == 1
    (note,) = error.notes
    assert note.text == "called from here"
    assert note.span is not None and note.span.source.text == "\nf(0)" and note.span.line == 2


def test_a_warning_tells_the_nearest_name() -> None:
    (line,) = Session("puppet7").run('$port = 1\nnotify { "a${prot}": }').logs
    assert (line.level, line.message, line.suggestion) == ("warning", "Unknown variable: 'prot'.", "$port")
    assert line.span is not None and line.span.line == 2


def test_secrets_stay_secret() -> None:
    error = failure("function f(Integer $x) { }\n$s = Sensitive('swordfish')\nf($s)")
    assert "swordfish" not in described(error)


def test_a_modules_file_must_define_what_its_path_says(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class wbe { }\n")
    error = Session("puppet", modulepath=[str(tmp_path)]).run("include web").error
    assert error is not None
    assert error.code == "ILLEGAL_DEFINITION_LOCATION"
    assert [note.text for note in error.notes] == ["included from here"]
