"""Resource types of modules have completion and help cards as the built-in ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session

SOURCE = """Puppet::Type.newtype(:kit) do
  ensurable
  newparam(:name) do
    desc "What it is called. And more."
  end
  newproperty(:colour) do
    desc 'Its colour'
    newvalues(:red, :green)
  end
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return a session with a module that has a resource type in Ruby."""
    path = tmp_path / "m/lib/puppet/type/kit.rb"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE, encoding="utf-8")
    return Session("puppet", modulepath=[tmp_path], interactive=True)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ki", "kit"),
        ("kit { 'a': col", "colour"),
        ("kit { 'a': colour => gr", "green"),
        ("kit { 'a': re", "require"),
    ],
)
def test_attributes_and_values_are_completed(session: Session, typed: str, expected: str) -> None:
    assert expected in [item.text for item in session.complete(typed, len(typed)).items]


def test_a_card_has_the_attributes_of_the_source(session: Session) -> None:
    card = session.inspect("kit", 1)
    assert card is not None
    assert card.origin == "resource type of m"
    assert [row[0] for row in card.rows] == ["ensure", "name", "colour"]
    assert ("colour", "Its colour", "(red, green)") in card.rows
