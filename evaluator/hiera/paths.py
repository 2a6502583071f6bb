"""Dotted names: `a::b.key.0` is the element 0 of what the hash under `a::b` has at `key`."""

from __future__ import annotations

from typing import Any

from evaluator.functions.navigation import split_path
from evaluator.issues import Failure, error
from evaluator.program.scope import MISSING
from evaluator.values import get
from evaluator.values.ruby_classes import get_ruby_class
from lexer_parser.errors import PuppetError


def split(name: str) -> list[Any]:
    """The parts of a dotted name: text, and behind it Integers for whole numbers. Raises LOOKUP_KEY."""
    try:
        root, *path = split_path(name) or ("",)
    except Failure:
        raise error("LOOKUP_KEY", key=name) from None
    return [str(root), *path]


def dig(value: Any, path: list[Any], name: str) -> Any:
    """What keys and indices lead to in a value; MISSING when there is nothing. Raises DATA_TYPE_MISMATCH."""
    for step in path:
        if value is None or value is MISSING:
            return MISSING
        if type(value) is list and type(step) is int:
            value = value[step] if 0 <= step < len(value) else MISSING
        elif type(value) is dict:
            value = get(value, step, MISSING)
        else:
            raise _make_no_hash_failure(value, step, name)
    return value


def _make_no_hash_failure(value: Any, step: Any, name: str) -> PuppetError:
    return error("DATA_TYPE_MISMATCH", actual=get_ruby_class(value), step=step, key=name)
