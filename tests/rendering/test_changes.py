"""The view of what a cell changed in the catalog, and of whether it has a value."""

from __future__ import annotations

import pytest

from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell


def shown(*cells: str) -> str:
    """Return the output of the last of these cells; "" for none."""
    desk = Shell({})
    replies = [desk.submit(source, f"cell {number}", number) for number, source in enumerate(cells)]
    return render_plain(replies[-1].element) if replies[-1].element is not None else ""


@pytest.mark.parametrize(
    ("cells", "words"),
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
def test_what_changed_is_told(cells: tuple[str, ...], words: str) -> None:
    said = shown(*cells)
    assert (words in said) if words else said == ""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{}.dig('a', 'b')", "undef"),
        ("undef.then |$x| { $x }", "undef"),
        ("notice('said')", ""),
        ("undef", "undef"),
        ("function f() { }", "defined function f"),
    ],
)
def test_undef_is_shown_where_a_value_was_asked_for(source: str, text: str) -> None:
    assert shown(source) == text
