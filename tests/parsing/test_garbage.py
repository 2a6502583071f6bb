"""The parser lets the garbage of its caller be collected."""

from __future__ import annotations

import gc
import weakref

from lexer_parser import parse
from lexer_parser.dialect import PUPPET


class Cycle:
    """An object that refers to itself, so that only the garbage collector frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_between_small_programs_is_collected() -> None:
    gc.collect()
    reference = weakref.ref(Cycle())
    source = "[" + "1, " * 5000 + "1]"
    trees = [parse(source, dialect=PUPPET) for _ in range(60)]
    assert reference() is None
    assert len(trees) == 60
