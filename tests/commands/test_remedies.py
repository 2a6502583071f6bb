"""Remedies depend on the front end of the user."""

from __future__ import annotations

import pytest

from evaluator import Session, issues
from lexer_parser.errors import PuppetError
from puppet_kernel.cli.session_options import convert_error_to_json
from puppet_kernel.remedies import COMMAND_LINE, NOTEBOOK, PROMPT, Remedies, find_remedy
from puppet_kernel.rendering import views
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

FRONT_ENDS = {"command line": COMMAND_LINE, "prompt": PROMPT, "notebook": NOTEBOOK}


class NeedingError(PuppetError):
    """An error whose `needs` selects its remedy."""

    def __init__(self, needs: str, help: str | None = None) -> None:
        super().__init__("NEEDING", "It fails", help=help)
        self.needs = needs


@pytest.mark.parametrize(
    ("remedies", "needs", "expected"),
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
def test_a_remedy_depends_on_the_front_end(remedies: Remedies, needs: str, expected: str) -> None:
    assert find_remedy(needs, remedies) == expected


@pytest.mark.parametrize("remedies", FRONT_ENDS.values(), ids=FRONT_ENDS)
def test_every_front_end_has_a_remedy_for_each_issue(remedies: Remedies) -> None:
    for issue in issues.load_rows().values():
        if issue.needs:
            assert find_remedy(issue.needs, remedies), issue.code
    assert set(remedies) == set(COMMAND_LINE)


def test_a_remedy_follows_the_help_of_an_error() -> None:
    output = render_plain(
        views.describe_error(NeedingError("modulepath", "Define the class."), remedies=PROMPT)
    )
    assert output.endswith("help: Define the class. Start `puppet-repl` with `--modulepath DIRS`.")
    without_help = render_plain(views.describe_error(NeedingError("facts"), remedies=NOTEBOOK))
    assert without_help.endswith("help: Read facts with `%facts FILE`.")
    assert convert_error_to_json(NeedingError("limit:max_resources"))["help"] == COMMAND_LINE["limit"].format(
        name="max_resources"
    )


@pytest.mark.parametrize("source", ["%catalog\n1 + 1", "1 + 1\n%catalog"])
@pytest.mark.parametrize("remedies", FRONT_ENDS.values(), ids=FRONT_ENDS)
def test_a_command_within_code_is_an_error_with_a_remedy(remedies: Remedies, source: str) -> None:
    error = Session(interactive=True).run(source).error
    assert error is not None
    output = render_plain(views.describe_error(error, remedies=remedies))
    assert output.endswith(f"help: {find_remedy('command:%catalog', remedies)}")


@pytest.mark.parametrize(
    ("dialect", "source", "note"),
    [
        ("spec", "1 == '1'", "released Puppet: false (string_numbers) — %dialect puppet"),
        ("puppet", "9223372036854775807 + 1", "specification: 9223372036854775808 — %dialect spec"),
    ],
)
def test_a_note_about_the_other_dialect_names_the_command_for_it(
    dialect: str, source: str, note: str
) -> None:
    shell = Shell({"dialect": dialect})
    shell.submit("1 + 1")  # the first evaluation may be too slow for a comparison
    element = shell.submit(source).element
    assert element is not None and note in render_plain(element)
