"""The document of a session, and its restoration to marks."""

from __future__ import annotations

from random import Random

import pytest

from evaluator.session.cell import Cell
from evaluator.session.document import Document, Input


def describe_document(document: Document) -> tuple[object, ...]:
    """Return all state of a document that a change could affect."""
    positions = {one.key: document.find_position(one.key) for one in document}
    return list(document), positions, document.running, dict(document.frozen.keys), dict(document._anchors)


def apply_random_change(document: Document, chance: Random) -> None:
    """Apply a random change."""
    keys = [one.key for one in document]
    key = chance.choice(keys) if keys else "first"
    new = f"c{chance.randrange(1000)}"
    match chance.choice(
        ("enter", "insert", "set", "number", "remove", "move", "adopt", "begin", "reset", "clear")
    ):
        case "enter":
            document.find_or_add(new)
        case "insert":
            document.find_or_add(new, key)
        case "set" if keys:
            document.set(Input(key, Cell(key, f"${new} = 1", 1)))
        case "number" if keys:
            document.renumber(key, chance.randrange(100))
        case "remove" if keys:
            document.remove(key)
        case "move" if keys:
            document.move_to_end(key)
        case "adopt":
            document.adopt(chance.sample([*keys, new], min(len(keys) + 1, 3)))
        case "begin":
            document.begin(chance.choice((key, new)), (), chance.random() < 0.5)
            document.frozen.freeze((key,))
        case "reset" if keys and chance.random() < 0.2:
            document.reset(key)
        case "clear" if chance.random() < 0.1:
            document.clear()


@pytest.mark.parametrize("seed", range(200))
def test_a_document_can_be_restored_to_its_marks(seed: int) -> None:
    chance, document = Random(seed), Document()
    for _ in range(chance.randrange(20)):
        apply_random_change(document, chance)
    outer, before = document.mark(), describe_document(document)
    for _ in range(chance.randrange(8)):
        apply_random_change(document, chance)
    inner, between = document.mark(), describe_document(document)
    for _ in range(3):
        for _ in range(chance.randrange(8)):
            apply_random_change(document, chance)
        mark, expected = chance.choice(((inner, between), (outer, before)))
        document.restore(mark)
        assert describe_document(document) == expected


def test_the_cost_of_a_mark_is_constant() -> None:
    document = Document()
    for number in range(1000):
        document.find_or_add(f"c{number}")
    mark = document.mark()
    document.find_or_add("new")
    document.set(Input("c5", resets=True))
    assert mark.inputs is document.mark().inputs and len(mark.log) == 1
    del mark
    document.set(Input("c6", resets=True))
    assert document.mark().log == []
