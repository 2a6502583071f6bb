"""Cells and the catalog: splitting a program changes nothing, a failure leaves nothing, what is missing waits."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from evaluator import Session
from lexer_parser import parse
from lexer_parser.dialect import PUPPET
from lexer_parser.tree import nodes

CASES = sorted((Path(__file__).parent / "cases").glob("*.pp"))


def new(interactive: bool = True) -> Session:
    return Session("puppet", node="testnode", facts={}, interactive=interactive)


def run(session: Session, *cells: str) -> None:
    for cell in cells:
        outcome = session.run(cell)
        assert outcome.error is None, outcome.error


def statements(source: str) -> list[str]:
    """Yield the top-level statements, each with the text that precedes the next."""
    program = parse(source, dialect=PUPPET)
    body = program.body
    found = body.statements if isinstance(body, nodes.Block) else [body]
    starts = [0, *(_first(node) for node in found[1:]), len(source)]
    return [source[start:end] for start, end in itertools.pairwise(starts)]


def _first(node: nodes.Node) -> int:
    return min(part.start for part in nodes.walk(node))


def shown(session: Session) -> str:
    catalog = session.catalog().to_json()
    for resource in catalog["resources"]:
        resource.pop("line", None)
    return json.dumps(catalog)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_cells_give_the_same_catalog_as_one_program(case: Path) -> None:
    source = case.read_text(encoding="utf-8")
    definitions, nodes_together, others = [], "", []
    for statement in statements(source):
        kind = parse(statement, dialect=PUPPET).body
        if isinstance(kind, nodes.NodeDefinition):
            nodes_together += statement  # one cell: each cell is settled, and would choose among those so far
        elif isinstance(kind, nodes.Class | nodes.Define | nodes.Function):
            definitions.append(statement)
        else:
            others.append(statement)
    whole, split = new(), new()
    run(whole, source)
    run(split, *definitions, nodes_together, *others)
    assert shown(split) == shown(whole)


def test_a_failed_cell_leaves_no_trace() -> None:
    session = new()
    run(session, "class a { notify { 'a': } } include a", "define d { notify { \"d-$title\": } } d { 'x': }")
    before, lines = shown(session), session.catalog().summary()
    for cell in (
        "notify { 'b': } Notify['a'] { message => 1 } fail('no')",
        "Notify <| |> { message => 'all' } d { 'y': } notify { 'c': bogus => 1 }",
        "Notify { message => 'x' } d { 'z': } notify { 'd-z': }",
        "tag('x') create_resources('notify', { 'a' => {} })",
    ):
        assert session.run(cell).error is not None
        assert shown(session) == before
        assert session.catalog().summary() == lines


def test_the_next_cell_starts_from_what_was_declared_not_from_what_was_settled() -> None:
    session = new()
    run(session, "define d($n = 1) { notify { \"d-$title\": message => $n } } d { 'x': }")
    run(session, "D['x'] { n => 2 }", "Notify <| title == 'd-x' |> { withpath => true }")
    assert "Notify[d-x] { message => 2, withpath => true }" in session.catalog().summary()


def test_undo_and_redo_are_identity() -> None:
    session = new()
    run(session, "notify { 'a': }", "Notify['a'] -> notify { 'b': }")
    after = shown(session)
    session.undo()
    assert session.catalog().summary() == ["Notify[a]"]
    session.redo()
    assert shown(session) == after


@pytest.mark.parametrize(
    ("cell", "note", "target"),
    [
        (
            "notify { 'a': } Notify['a'] -> Notify['b']",
            "Could not find resource 'Notify[b]' for relationship from 'Notify[a]'",
            "notify { 'b': }",
        ),
        (
            "notify { 'a': require => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'require'",
            "notify { 'b': }",
        ),
        (
            "Notify['b'] { message => 'x' }",
            "Could not find resource(s) Notify[b] for overriding",
            "notify { 'b': }",
        ),
        ("realize(Notify['b'])", "Failed to realize virtual resources Notify[b]", "@notify { 'b': }"),
    ],
)
def test_what_is_missing_so_far_is_a_note_until_it_comes(cell: str, note: str, target: str) -> None:
    session = new()
    outcome = session.run(cell)
    assert outcome.error is None
    assert any(note in text for text in map(str, outcome.notes))
    assert not session.run(target).notes
    alone = new(interactive=False).run(cell)
    assert alone.error is not None
    assert alone.error.message == note


def test_change_tells_what_a_cell_did() -> None:
    session = new()
    run(session, "notify { ['a', 'b']: }")
    change = session.run("Notify['a'] -> Notify['b'] notify { 'c': }").change
    assert [resource.reference for resource in change.added] == ["Notify[c]"]
    assert [after.reference for _, after in change.changed] == ["Notify[a]"]
    assert [edge.kind for edge in change.edges_added] == ["before"]
    assert not change.removed
    assert not change.edges_removed


def test_resources_are_limited() -> None:
    session = Session("puppet", limits={"max_resources": 10})
    run(session, "notify { ['1', '2', '3', '4', '5', '6', '7']: }")  # with the three that are always there
    error = session.run("notify { '8': }").error
    assert error is not None
    assert "max_resources" in str(error)


def test_endless_defines_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluator.catalog.fixpoint.MAX_ROUNDS", 20)
    error = new().run("define d { d { \"x$title\": } } d { 'a': }").error
    assert error is not None
    assert error.message == "Somehow looped more than 20 times while evaluating host catalog"


def test_secrets_do_not_show_where_they_must_not() -> None:
    session = new()
    run(session, "notify { 'a': message => Sensitive('hush') }")
    catalog = session.catalog()
    assert catalog.summary(redact=True) == ["Notify[a] { message => #<Sensitive [value redacted]> }"]
    assert catalog.to_json()["resources"][-1]["sensitive_parameters"] == ["message"]
