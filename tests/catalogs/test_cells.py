"""The catalog of several cells: it equals that of one program, without failed cells."""

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


def make_session(interactive: bool = True) -> Session:
    return Session("puppet", node="testnode", facts={}, interactive=interactive)


def run_cells(session: Session, *cells: str) -> None:
    for cell in cells:
        outcome = session.run(cell)
        assert outcome.error is None, outcome.error


def split_statements(source: str) -> list[str]:
    """Return the top-level statements, each with the text that precedes the next."""
    program = parse(source, dialect=PUPPET)
    body = program.body
    parts = body.statements if isinstance(body, nodes.Block) else [body]
    starts = [0, *(find_start(node) for node in parts[1:]), len(source)]
    return [source[start:end] for start, end in itertools.pairwise(starts)]


def find_start(node: nodes.Node) -> int:
    return min(part.start for part in nodes.walk(node))


def render_catalog(session: Session) -> str:
    """Return the catalog as JSON without line numbers."""
    catalog = session.catalog().to_json()
    for resource in catalog["resources"]:
        resource.pop("line", None)
    return json.dumps(catalog)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_cells_compile_to_the_catalog_of_one_program(case: Path) -> None:
    source = case.read_text(encoding="utf-8")
    definitions, nodes_together, others = [], "", []
    for statement in split_statements(source):
        kind = parse(statement, dialect=PUPPET).body
        if isinstance(kind, nodes.NodeDefinition):
            # All in one cell, since each cell chooses a node definition among those so far.
            nodes_together += statement
        elif isinstance(kind, nodes.Class | nodes.Define | nodes.Function):
            definitions.append(statement)
        else:
            others.append(statement)
    whole, split = make_session(), make_session()
    run_cells(whole, source)
    run_cells(split, *definitions, nodes_together, *others)
    assert render_catalog(split) == render_catalog(whole)


def test_a_failed_cell_leaves_no_trace() -> None:
    session = make_session()
    run_cells(
        session, "class a { notify { 'a': } } include a", "define d { notify { \"d-$title\": } } d { 'x': }"
    )
    before, lines = render_catalog(session), session.catalog().summary()
    for cell in (
        "notify { 'b': } Notify['a'] { message => 1 } fail('no')",
        "Notify <| |> { message => 'all' } d { 'y': } notify { 'c': bogus => 1 }",
        "Notify { message => 'x' } d { 'z': } notify { 'd-z': }",
        "tag('x') create_resources('notify', { 'a' => {} })",
    ):
        assert session.run(cell).error is not None
        assert render_catalog(session) == before
        assert session.catalog().summary() == lines


def test_the_next_cell_extends_the_state_and_not_the_fixed_point() -> None:
    session = make_session()
    run_cells(session, "define d($n = 1) { notify { \"d-$title\": message => $n } } d { 'x': }")
    run_cells(session, "D['x'] { n => 2 }", "Notify <| title == 'd-x' |> { withpath => true }")
    assert "Notify[d-x] { message => 2, withpath => true }" in session.catalog().summary()


def test_redo_restores_the_catalog_before_undo() -> None:
    session = make_session()
    run_cells(session, "notify { 'a': }", "Notify['a'] -> notify { 'b': }")
    after = render_catalog(session)
    session.undo()
    assert session.catalog().summary() == ["Notify[a]"]
    session.redo()
    assert render_catalog(session) == after


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
def test_a_missing_resource_is_a_note_until_a_cell_declares_it(cell: str, note: str, target: str) -> None:
    session = make_session()
    outcome = session.run(cell)
    assert outcome.error is None
    assert any(note in text for text in map(str, outcome.notes))
    assert not session.run(target).notes
    alone = make_session(interactive=False).run(cell)
    assert alone.error is not None
    assert alone.error.message == note


def test_the_change_of_a_cell_lists_resources_and_edges() -> None:
    session = make_session()
    run_cells(session, "notify { ['a', 'b']: }")
    change = session.run("Notify['a'] -> Notify['b'] notify { 'c': }").change
    assert [resource.reference for resource in change.added] == ["Notify[c]"]
    assert [after.reference for _, after in change.changed] == ["Notify[a]"]
    assert [edge.kind for edge in change.edges_added] == ["before"]
    assert not change.removed
    assert not change.edges_removed


def test_the_number_of_resources_is_limited() -> None:
    session = Session("puppet", limits={"max_resources": 10})
    run_cells(session, "notify { ['1', '2', '3', '4', '5', '6', '7']: }")  # with the three of every catalog
    error = session.run("notify { '8': }").error
    assert error is not None
    assert "max_resources" in str(error)


def test_a_define_that_declares_itself_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluator.catalog.fixpoint.MAX_ROUNDS", 20)
    error = make_session().run("define d { d { \"x$title\": } } d { 'a': }").error
    assert error is not None
    assert error.message == "Somehow looped more than 20 times while evaluating host catalog"


def test_sensitive_values_are_redacted() -> None:
    session = make_session()
    run_cells(session, "notify { 'a': message => Sensitive('hush') }")
    catalog = session.catalog()
    assert catalog.summary(redact=True) == ["Notify[a] { message => #<Sensitive [value redacted]> }"]
    assert catalog.to_json()["resources"][-1]["sensitive_parameters"] == ["message"]
