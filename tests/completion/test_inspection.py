"""Inspection returns the help card of the name at the cursor."""

from __future__ import annotations

import pytest

from evaluator import Session
from puppet_kernel.rendering import views
from puppet_kernel.rendering.text import render_plain

CELLS = (
    "$port = 80",
    "$secret = Sensitive('hunter2')",
    "class ntp(String $server = 'a', Struct[{ n => Integer }] $o = { n => 1 }) { notify { 'x': } }",
    "define app::vhost(Integer $port) { }",
    "function my::twice($x) >> Integer { $x * 2 }",
    "type My::Port = Integer[1, 65535]",
)


@pytest.fixture(scope="module")
def session() -> Session:
    """Return a session with names of every kind."""
    session = Session(interactive=True)
    for source in CELLS:
        assert session.run(source).error is None
    return session


@pytest.mark.parametrize(
    ("text", "cursor", "kind", "signature"),
    [
        ("notice('x')", 3, "function", "notice(Any values*) >> Undef"),
        ("join([1], ", 10, "function", "join(Array arg, String delimiter?)"),
        ("[1].join", 6, "function", "join(Array arg, String delimiter?)"),
        ("$port + 1", 2, "variable", "$port"),
        ("file { '/x': }", 1, "resource type", "file { '/etc/motd':"),
        ("File['/x']", 1, "resource type", "file { '/etc/motd':"),
        ("file('x')", 1, "function", "file(String path, String paths*)"),
        ("Integer[1, 2]", 3, "type", "Integer"),
        ("My::Port", 3, "type", "type My::Port = Integer[1, 65535]"),
        (
            "include ntp",
            9,
            "class",
            "class ntp(String $server = 'a', Struct[{ n => Integer }] $o = { n => 1 })",
        ),
        ("app::vhost { 'x': }", 3, "define", "define app::vhost(Integer $port)"),
        ("my::twice(1)", 4, "function", "function my::twice($x) >> Integer"),
    ],
)
def test_a_card_has_kind_and_signature(
    session: Session, text: str, cursor: int, kind: str, signature: str
) -> None:
    card = session.inspect(text, cursor)
    assert (card.kind, card.signatures[0]) == (kind, signature)


@pytest.mark.parametrize(
    ("text", "cursor", "kind", "name"),
    [
        ("if true { }", 1, "keyword", "if"),
        ("file { '/x': ensure => file }", 15, "attribute", "ensure"),
        ("app::vhost { 'x': port => 1 }", 20, "parameter", "port"),
        ("class { 'ntp': }", 2, "keyword", "class"),
    ],
)
def test_a_card_has_kind_and_name(session: Session, text: str, cursor: int, kind: str, name: str) -> None:
    card = session.inspect(text, cursor)
    assert (card.kind, card.name) == (kind, name)


@pytest.mark.parametrize(
    ("text", "cursor"), [("1 + 1", 2), ("", 0), ("'notice'", 3), ("# notice", 4), ("$nope", 2)]
)
def test_other_code_has_no_card(session: Session, text: str, cursor: int) -> None:
    assert session.inspect(text, cursor) is None


def test_a_card_of_a_variable_has_value_and_type(session: Session) -> None:
    card = session.inspect("$port", 1)
    assert (card.value, card.remarks) == ((80,), (("type", "Integer"),))


def test_a_card_hides_sensitive_values(session: Session) -> None:
    assert "hunter2" not in render_plain(views.describe_card(session.inspect("$secret", 2)))


def test_a_card_of_a_definition_has_its_source(session: Session) -> None:
    assert session.inspect("ntp", 1).source == CELLS[2]


def test_every_function_has_a_card(session: Session) -> None:
    from evaluator.functions import list_function_names

    for name in list_function_names():
        card = session.inspect(name, 1)
        assert card is not None, name
        if card.kind == "function":
            assert card.words, name
            assert render_plain(views.describe_card(card))
