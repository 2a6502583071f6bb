"""Objects that are garbage before a parse are collected, however much is parsed afterwards."""

from __future__ import annotations

import gc
import weakref

from lexer_parser import parse
from lexer_parser.dialect import PUPPET


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_between_small_programs_is_collected() -> None:
    gc.collect()
    left = weakref.ref(Knot())
    source = "[" + "1, " * 5000 + "1]"
    trees = [parse(source, dialect=PUPPET) for _ in range(60)]
    assert left() is None
    assert len(trees) == 60
