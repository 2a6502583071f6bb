"""Every attribute at the cursor has a help card that can be rendered."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.resource_types import get_attributes, list_names
from puppet_kernel.rendering import views
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain


@pytest.fixture(scope="module")
def session() -> Session:
    """Return an empty session."""
    return Session()


@pytest.mark.parametrize("kind", sorted(list_names()))
def test_every_attribute_has_a_card(session: Session, kind: str) -> None:
    for name in get_attributes(kind):
        source = f"{kind} {{ 'x': {name} => 1 }}"
        card = session.inspect(source, source.index(name) + 1)
        assert card is not None, name
        view = views.describe_card(card)
        assert render_plain(view), name
        assert render_html(view), name
