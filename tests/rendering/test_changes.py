"""The view of a cell: its changes of the catalog, and whether it has a value."""

from __future__ import annotations

import pytest

from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply


def render_output(*cells: str) -> str:
    """Return the output of the last of several cells as text."""
    shell = Shell({})
    replies = [shell.submit(source, f"cell {number}", number) for number, source in enumerate(cells)]
    return render_reply(replies[-1])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("@user { 'a': }", "realize User['a']"), "+ user { 'a': }  # realized"),
        (("@user { 'a': }", "realize User['a']", "realize User['a']"), ""),
        (
            ("@user { 'a': shell => '/s' }", "User <| |>"),
            "+ user { 'a':  # realized\n    shell => '/s',\n  }",
        ),
        (
            ("@user { 'a': }", "User <| |> { shell => '/s' }"),
            "+ user { 'a':  # realized\n    shell => '/s',\n  }",
        ),
        (("file { '/a': }", "File['/a'] { mode => '0644' }"), "~ file { '/a':\n    mode => '0644',\n  }"),
        (
            ("file { '/a': mode => '0644' }", "File <| |> { mode => undef }"),
            "~ file { '/a':\n    # no mode any more\n  }",
        ),
        (
            ("file { '/a': mode => '0644' }", "File <| |> { mode => undef, owner => 'a' }"),
            "~ file { '/a':\n    owner => 'a',\n    # no mode any more\n  }",
        ),
    ],
)
def test_changes_of_the_catalog_are_displayed(cells: tuple[str, ...], expected: str) -> None:
    output = render_output(*cells)
    assert (expected in output) if expected else output == ""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{}.dig('a', 'b')", "undef"),
        ("undef.then |$x| { $x }", "undef"),
        ("notice('said')", ""),
        ("undef", "undef"),
        ("function f() { }", "defined function f"),
    ],
)
def test_undef_is_displayed_if_the_cell_has_a_value(source: str, expected: str) -> None:
    assert render_output(source) == expected
