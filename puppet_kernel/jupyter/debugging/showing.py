"""Values as the variables of the debug adapter's protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from evaluator import values
from puppet_kernel.rendering.escape import clip, one_line
from puppet_kernel.rendering.literals import literal
from puppet_kernel.rendering.views import general_type

CHARACTERS = 300  # of one value
MOST = 1000  # elements in one answer where nobody asks for fewer
Pairs = Callable[[], Iterable[tuple[str, str, Any]]]


class Values:
    """What can be looked into while a program is stopped, each under a number.

    type_only  the front end shows the type where it should show the value: it gets both there
    """

    def __init__(self, type_only: bool) -> None:
        self._type_only = type_only
        self._held: list[Pairs] = []

    def hold(self, pairs: Pairs) -> int:
        """The number under which elements can be asked for: (name, how an expression names it, value) of each."""
        self._held.append(pairs)
        return len(self._held)

    def variables(self, given: Callable[[], Mapping[str, Any]], sigil: str = "$") -> int:
        """The number under which variables can be asked for, or, without a sigil, other things with names."""
        return self.hold(
            lambda: [
                (f"{sigil}{name}", f"${name}" if sigil else "", value) for name, value in given().items()
            ]
        )

    def of(self, number: Any, start: int = 0, count: int = 0) -> list[dict[str, Any]]:
        """What is held under a number, or so much of it from a place on; nothing for a number of none."""
        if not isinstance(number, int) or not 0 < number <= len(self._held):
            return []
        end = start + (count or MOST)
        return [self.variable(*one) for one in islice(self._held[number - 1](), start, end)]

    def variable(self, name: str, written: str, value: Any) -> dict[str, Any]:
        """A variable: its value as it is written, its type, and the number of what is in it, 0 for nothing."""
        shown = clip(one_line(literal(value, CHARACTERS)), CHARACTERS)
        kind = one_line(general_type(value))
        inside = self.hold(lambda: _parts(value, written)) if isinstance(value, list | dict) and value else 0
        found: dict[str, Any] = {
            "name": one_line(name),
            "value": shown,
            "type": f"{shown}  # {kind}" if self._type_only else kind,
            "evaluateName": one_line(written),
            "variablesReference": inside,
        }
        if inside:
            found["indexedVariables" if isinstance(value, list) else "namedVariables"] = len(value)
        return found


def _parts(value: Any, written: str) -> Iterable[tuple[str, str, Any]]:
    """The elements of an array or a hash."""
    pairs: Iterable[tuple[Any, Any]] = enumerate(value) if isinstance(value, list) else values.items(value)
    for key, part in pairs:
        name = values.literal(key, CHARACTERS)
        if len(name) > CHARACTERS:  # of a large key there is the beginning, which names nothing
            yield clip(name, CHARACTERS), "", part
        else:
            yield name, f"{written}[{name}]" if written else "", part
