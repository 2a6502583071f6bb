"""Many resources on one page, folded by container and type with counts.

New ones stay open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, capitalize_name, format_key
from puppet_kernel.rendering.elements import Element, Fold, Group, Line, TextElement, line
from puppet_kernel.rendering.literals import CHARACTERS

FEW = 20  # so many resources are read one after the other
LINES = 5_000  # so many lines of resources one view shows

_OUTSIDE = (None, MAIN_CLASS, MAIN_STAGE)
Draw = Callable[[Any], list[Line]]


class Sheet:
    """The room of one view, in lines and characters; what exceeds it is counted and not drawn."""

    def __init__(self) -> None:
        self.lines = LINES
        self.room = CHARACTERS

    def text(self, parts: Sequence[Callable[[], list[Line]]]) -> TextElement:
        """Return the lines of parts until the view is full."""
        lines: list[Line] = []
        for shown, part in enumerate(parts):
            if self.lines <= 0 or self.room <= 0:
                return TextElement(*lines, line(("dim", f"# … {len(parts) - shown:,} more")))
            drawn = part()
            lines += drawn
            self.lines -= len(drawn)
            self.room -= sum(len(text) for row in drawn for _, text in row)
        return TextElement(*lines)


def fold_resources(
    resources: Sequence[Any], draw: Draw, fresh: Container[Any], sheet: Sheet, sign: Line = ()
) -> list[Element]:
    """Return resources by container, then by type; new ones are open if they are few.

    Args:
        resources: The resources.
        draw: Returns the lines of a resource.
        fresh: The keys of new resources.
        sheet: The room for them.
        sign: Text before containers.
    """
    groups: dict[Any, list[Any]] = {}
    for resource in resources:
        container = MAIN_CLASS if resource.container in _OUTSIDE else resource.container
        groups.setdefault(container, []).append(resource)
    new = sum(resource.key in fresh for resource in resources)
    left = FEW if new <= FEW else FEW // 2
    found: list[Element] = []
    for container, members in groups.items():
        opened = [resource for resource in members if resource.key in fresh]
        if len(opened) > left:
            opened = []
        left -= len(opened)
        keys = {resource.key for resource in opened}
        rest = [resource for resource in members if resource.key not in keys]
        parts = [sheet.text([partial(draw, resource) for resource in opened])] if opened else []
        label = "outside of classes" if container == MAIN_CLASS else format_key(container)
        head = (*sign, ("type", label), ("dim", f"  {count_types(members)}"))
        found.append(Fold(head, Group(*parts, *_by_type(rest, draw, sheet)), open=bool(opened)))
    return found


def _by_type(resources: Sequence[Any], draw: Draw, sheet: Sheet) -> list[Fold]:
    """Return the resources of each type, folded."""
    kinds = groupby(sorted(resources, key=attrgetter("type")), attrgetter("type"))
    return [
        Fold(
            line(("type", capitalize_name(kind)), ("dim", f"  {len(members):,}")),
            sheet.text([partial(draw, resource) for resource in members]),
        )
        for kind, members in ((kind, list(found)) for kind, found in kinds)
    ]


def count_types(resources: Sequence[Any]) -> str:
    """Return the number of resources of each type: `14 File, 2 Package`."""
    counts = Counter(capitalize_name(resource.type) for resource in resources)
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())
