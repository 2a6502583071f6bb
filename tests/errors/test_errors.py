"""The errors and the advice about common syntax mistakes, word for word."""

from pathlib import Path

import pytest

from lexer_parser import PuppetError, parse
from lexer_parser.diagnostics.advice import add_advice
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError as Error
from lexer_parser.issues import load_rows
from lexer_parser.source import Source

MISTAKES = sorted((Path(__file__).parent / "syntax").glob("*.txt"))
MARK = "\n---\n"


def format_errors(source: str) -> str:
    """Return the errors of a source as text, with code, position, message and help."""
    try:
        parse(source, name=None, dialect=PUPPET)
    except PuppetError as error:
        add_advice(error, Source(source))
        raised = error
    else:
        pytest.fail(f"no error: {source}")
    return "\n\n".join(format_error(each) for each in (raised.related or (raised,)))


def format_error(error: Error) -> str:
    position = f" at {error.span.line}:{error.span.column}" if error.span else ""
    lines = [error.code + position, error.message, f"help: {error.help}"]
    if error.suggestion:
        lines.append(f"suggestion: {error.suggestion}")
    for note in error.notes:
        lines.append(f"note at {note.span.line}:{note.span.column}: {note.text}")
    return "\n".join(lines)


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_a_syntax_error_has_the_expected_text(path, request):
    source, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    text = format_errors(source) + "\n"
    if request.config.getoption("--update", default=False):
        path.write_text(source + MARK + text, encoding="utf-8")
    else:
        assert text == expected


@pytest.mark.parametrize("code", load_rows())
def test_every_issue_has_a_line_of_help(code):
    line = load_rows()[code].help.replace("{{", "{").replace("}}", "}")
    assert line.endswith((".", "`")) and len(line) < 110


def test_advice_does_not_change_the_message_of_an_error():
    """Advice is found for any two tokens."""
    texts = """} ] $ ' " "${ @( @(A)⏎ @(A)⏎b⏎ | || => a=> ; \\ \ufeff""".replace("⏎", "\n").split(" ")
    for first in texts:
        for second in texts:
            source = f"{first} {second}"
            try:
                parse(source, dialect=PUPPET)
            except PuppetError as error:
                before = str(error)
                assert add_advice(error, Source(source)).help
                assert str(error) == before
