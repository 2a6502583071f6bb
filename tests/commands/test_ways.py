"""Remedies are worded for the front end in which the user types."""

from __future__ import annotations

import pytest

from evaluator import Session, issues
from lexer_parser.errors import PuppetError
from puppet_kernel.cli.session_options import convert_error_to_json
from puppet_kernel.remedies import COMMAND_LINE, NOTEBOOK, PROMPT, Remedies, find_remedy
from puppet_kernel.rendering import views
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

PLACES = {"command line": COMMAND_LINE, "prompt": PROMPT, "notebook": NOTEBOOK}


class Needing(PuppetError):
    """An error that says what it needs."""

    def __init__(self, needs: str, help: str | None = None) -> None:
        super().__init__("NEEDING", "It fails", help=help)
        self.needs = needs


@pytest.mark.parametrize(
    ("ways", "needs", "told"),
    [
        (COMMAND_LINE, "permission:files", "Start `puppet-repl` with `--allow files`."),
        (
            NOTEBOOK,
            "permission:files",
            "Set the environment variable PUPPET_KERNEL_ALLOW=files before Jupyter starts.",
        ),
        (
            PROMPT,
            "limit:max_memory",
            "Start `puppet-repl` with `--limit max_memory=AMOUNT` to raise the limit.",
        ),
        (
            NOTEBOOK,
            "limit:max_memory",
            "Set the environment variable PUPPET_KERNEL_LIMITS=max_memory=AMOUNT before Jupyter starts.",
        ),
        (PROMPT, "", ""),
    ],
)
def test_ways(ways: Remedies, needs: str, told: str) -> None:
    assert find_remedy(needs, ways) == told


@pytest.mark.parametrize("ways", PLACES.values(), ids=PLACES)
def test_every_place_knows_a_way_to_all_that_issues_need(ways: Remedies) -> None:
    for issue in issues.load_rows().values():
        if issue.needs:
            assert find_remedy(issue.needs, ways), issue.code
    assert set(ways) == set(COMMAND_LINE)


def test_the_way_follows_the_help_of_an_error() -> None:
    drawn = render_plain(views.describe_error(Needing("modulepath", "Define the class."), remedies=PROMPT))
    assert drawn.endswith("help: Define the class. Start `puppet-repl` with `--modulepath DIRS`.")
    alone = render_plain(views.describe_error(Needing("facts"), remedies=NOTEBOOK))
    assert alone.endswith("help: Read facts with `%facts FILE`.")
    assert convert_error_to_json(Needing("limit:max_resources"))["help"] == COMMAND_LINE["limit"].format(
        name="max_resources"
    )


@pytest.mark.parametrize("source", ["%catalog\n1 + 1", "1 + 1\n%catalog"])
@pytest.mark.parametrize("ways", PLACES.values(), ids=PLACES)
def test_a_command_within_code_is_told_where_commands_are(ways: Remedies, source: str) -> None:
    error = Session(interactive=True).run(source).error
    assert error is not None
    drawn = render_plain(views.describe_error(error, remedies=ways))
    assert drawn.endswith(f"help: {find_remedy('command:%catalog', ways)}")


@pytest.mark.parametrize(
    ("dialect", "source", "note"),
    [
        ("spec", "1 == '1'", "released Puppet: false (string_numbers) — %dialect puppet"),
        ("puppet", "9223372036854775807 + 1", "specification: 9223372036854775808 — %dialect spec"),
    ],
)
def test_the_other_dialect_is_told_with_the_command_that_changes_to_it(
    dialect: str, source: str, note: str
) -> None:
    shell = Shell({"dialect": dialect})
    shell.submit("1 + 1")  # what is slow the first time is not compared
    element = shell.submit(source).element
    assert element is not None and note in render_plain(element)
