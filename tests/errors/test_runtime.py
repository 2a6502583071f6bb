"""The errors and the help about common mistakes at run time, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session
from evaluator.issues import load_rows
from lexer_parser.errors import PuppetError

CASES = sorted((Path(__file__).parent / "runtime").glob("*.txt"))
MARK = "\n---\n"


def run_failing(source: str) -> PuppetError:
    outcome = Session("puppet", strict_variables=True).run(source)
    assert outcome.error is not None, f"no error: {source}"
    return outcome.error


def format_error(error: PuppetError) -> str:
    position = f" at {error.span.line}:{error.span.column}" if error.span else ""
    lines = [error.code + position, str(error), f"help: {error.help}"]
    if error.suggestion:
        lines.append(f"suggestion: {error.suggestion}")
    for note in error.notes:
        position = f" at {note.span.line}:{note.span.column}" if note.span else ""
        lines.append(f"note{position}: {note.text}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_runtime_error_has_the_expected_text(path: Path, request: pytest.FixtureRequest) -> None:
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    text = format_error(run_failing(source))
    if request.config.getoption("--update", default=False):
        path.write_text(source + MARK + text, encoding="utf-8")
    else:
        assert text == expected


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("line", [row.help for row in load_rows().values() if row.help])
def test_the_help_of_an_issue_is_a_sentence(line: str) -> None:
    assert line.endswith((".", "`", "?")) and len(line) < 110
    assert line[0].isupper() or line[0] in "`'"


def test_help_does_not_change_the_message_of_an_error() -> None:
    error = run_failing("function f(Integer $x) { }\nf('a')")
    assert str(error) == (
        "Error while evaluating a Function Call, 'f' parameter 'x' expects an Integer value, got String"
        " (line: 2, column: 1)"
    )


def test_an_error_has_a_note_at_the_caller_in_another_cell() -> None:
    session = Session("puppet")
    session.run("function f($x) { 1 / $x }")
    error = session.run("\nf(0)").error
    assert error is not None and error.span is not None and error.span.line == 1
    (note,) = error.notes
    assert note.text == "called from here"
    assert note.span is not None and note.span.source.text == "\nf(0)" and note.span.line == 2


def test_a_warning_suggests_the_nearest_name() -> None:
    (line,) = Session("puppet7").run('$port = 1\nnotify { "a${prot}": }').logs
    assert (line.level, line.message, line.suggestion) == ("warning", "Unknown variable: 'prot'.", "$port")
    assert line.span is not None and line.span.line == 2


def test_an_error_does_not_reveal_a_sensitive_value() -> None:
    error = run_failing("function f(Integer $x) { }\n$s = Sensitive('swordfish')\nf($s)")
    assert "swordfish" not in format_error(error)


def test_a_file_of_a_module_must_define_the_name_of_its_path(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class wbe { }\n")
    error = Session("puppet", modulepath=[str(tmp_path)]).run("include web").error
    assert error is not None
    assert error.code == "ILLEGAL_DEFINITION_LOCATION"
    assert [note.text for note in error.notes] == ["included from here"]
