"""The explanation of an expression's value as a tree: matches, mismatches, parts not evaluated."""

from __future__ import annotations

from evaluator.program.definitions import MISSING
from evaluator.types.learner_wording import Explanation
from puppet_kernel.rendering.causes import format_position
from puppet_kernel.rendering.elements import Line, Tree, line
from puppet_kernel.rendering.escape import one_line
from puppet_kernel.rendering.literals import literal, short_value

_SIGNS = {True: ("added", "✓ "), False: ("removed", "✗ "), None: ("dim", "· ")}
_LEAST = 24  # columns that a value gets where the words beside it are long


def reason(because: Explanation, columns: int = 100) -> Tree:
    """Return an explanation as a tree."""
    return Tree(_label(because, columns), [reason(part, max(columns - 3, _LEAST)) for part in because.parts])


def _label(because: Explanation, columns: int) -> Line:
    sign = _SIGNS[because.holds]
    what = one_line(because.what)
    parts: Line = line(sign, ("code", what))
    if because.value is not MISSING and what != literal(because.value, len(what)):
        room = max(columns - len(what) - len(because.words) - 8, _LEAST)
        parts = (*parts, ("", " = "), *short_value(because.value, room))
    if because.words:
        parts = (*parts, ("", "  "), ("words", one_line(because.words)))
    if because.span is not None:
        parts = (*parts, ("dim", f"  {format_position(because.span)}"))
    return parts
