"""The rules of each kind of value: its constructor, its arithmetic, its order, its formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.kinds.instances import make_instance

__all__ = ["make_instance"]

__getattr__ = lazy_attributes(__name__, {"make_instance": "instances"})
