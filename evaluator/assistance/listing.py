"""All functions, or all classes, each with a few words: what a person looks through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.assistance.candidates import Item, classes, functions
from evaluator.assistance.documentation import find, first_sentence
from evaluator.calling.registry import lookup

if TYPE_CHECKING:
    from evaluator.program.protocols import Session


def listing(session: Session, table: str, text: str = "") -> list[Item]:
    """The functions or classes (`table`) whose name or words hold a text, in any case of its letters, by name.

    Of modules their main class is listed, or `name::` for what they hold; all of one for a text that begins so.
    """
    wanted = text.lower()
    word = wanted if "::" in wanted else "::"
    items = {item.text: item for item in _KINDS[table](session, word)}
    found = [Item(name, items[name].kind, _words(session, table, items[name])) for name in sorted(items)]
    return [item for item in found if wanted in item.text.lower() or wanted in item.words.lower()]


_KINDS = {"functions": functions, "classes": classes}


def _words(session: Session, table: str, item: Item) -> str:
    """The first sentence about it, and where it is from where that is not Puppet itself."""
    own = find(session, table, item.text) if item.words else None
    if own is not None:
        told = first_sentence(own.comment[0])
        return f"{told} ({item.words})" if told else item.words
    known = lookup(item.text, session.runtime.dialect) if table == "functions" else None
    return first_sentence(known.words) if known is not None else item.words
