"""Views of the catalog: resources, the changes of a cell, containment and order."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from evaluator import values
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, capitalize_name, format_key
from evaluator.resource_types import RELATIONSHIPS
from puppet_kernel.rendering.elements import (
    Element,
    Fold,
    Group,
    Line,
    NoteElement,
    TextElement,
    count_characters,
    group_by,
    make_line,
)
from puppet_kernel.rendering.escape import COLUMNS
from puppet_kernel.rendering.layout import measure_line
from puppet_kernel.rendering.literals import CHARACTERS, format_kinds, make_value_lines, shorten_value


def make_resource_lines(
    resource: Any,
    columns: int,
    role: str = "",
    sign: str = "",
    *,
    arrows: bool = True,
    former: Mapping[str, Any] = MappingProxyType({}),
) -> list[Line]:
    """Return a resource in aligned Puppet syntax, with sorted attributes.

    Args:
        resource: The resource.
        columns: The width for drawing.
        role: The role of the sign, which decides its colour: "added", "removed", "changed" or "".
        sign: Text before the first line, such as `+ `.
        arrows: False to omit relationships that arrows added.
        former: Former values of attributes, shown after the current ones.
    """
    attributes = sorted(
        (name, given) for name, given in resource.parameters.items() if _is_shown(name, given, arrows=arrows)
    )
    mark = ("@@" if resource.exported else "@") if resource.virtual else ""
    head: Line = ((role, sign), ("type", mark + resource.type), ("", " { "))
    indent = " " * len(sign)
    title = make_value_lines(resource.title, columns)[0]
    if not attributes:
        return [(*head, *title, ("", ": }"))]
    lines: list[Line] = [(*head, *title, ("", ":"))]
    widest = max(len(name) for name, _ in attributes)
    for name, given in attributes:
        first, *rest = (
            [_list_references(_list_targets(given, arrows))]
            if name in RELATIONSHIPS
            else make_value_lines(given, columns - widest - 8)
        )
        lines.append((("", f"{indent}  "), ("name", f"{name:<{widest}}"), ("", " => "), *first))
        lines += [(("", f"{indent}  "), *parts) for parts in rest]
        lines[-1] = (*lines[-1], ("", ","))
        if _is_shown(name, former.get(name)):
            lines[-1] = (*lines[-1], *_format_former(name, former[name], columns - measure_line(lines[-1])))
    return [*lines, make_line(f"{indent}}}")]


def _format_former(name: str, former: Any, columns: int) -> Line:
    """Return a remark with the former value of an attribute, shortened; references stay whole."""
    shown = (
        _list_references(_list_targets(former, arrows=False))
        if name in RELATIONSHIPS
        else shorten_value(former, max(columns - len(_WAS), _LEAST_ROOM))
    )
    return (("dim", _WAS + "".join(text for _, text in shown)),)


_WAS = "  # was "
_LEAST_ROOM = 20


def _list_targets(given: Any, arrows: bool) -> list[Any]:
    """Return the targets of a relationship; without `arrows` those that no arrow added."""
    items = given if isinstance(given, list) else [given]
    return [item for item in items if item is not None and (arrows or type(item) is not str)]


def _remove_arrows(name: str, given: Any) -> Any:
    """Return an attribute without the relationships that arrows added."""
    return _list_targets(given, arrows=False) if name in RELATIONSHIPS else given


def _is_shown(name: str, given: Any, *, arrows: bool = False) -> bool:
    """Return True if an attribute has something to show."""
    return bool(_list_targets(given, arrows)) if name in RELATIONSHIPS else given is not None


def _list_references(items: list[Any]) -> Line:
    text = ", ".join(_format_reference(item) for item in items)
    return make_line(("type", text if len(items) == 1 else f"[{text}]"))


def format_attribute_value(name: str, value: Any, columns: int) -> Line:
    """Return the value of an attribute on one line."""
    if name in RELATIONSHIPS and value is not None:
        return _list_references(value if isinstance(value, list) else [value])
    return shorten_value(value, columns)


def _format_reference(item: Any) -> str:
    """Return a reference as written; an arrow leaves it as the text `Notify[a]`."""
    key = getattr(item, "key", None)
    if key is not None and key[1] is not None:
        return f"{capitalize_name(key[0])}[{values.format_literal(key[1])}]"
    if type(item) is str and item.endswith("]"):
        kind, _, title = item[:-1].partition("[")
        return f"{kind}[{values.format_literal(title)}]"
    return values.format_literal(item)


def describe_change(changed: Any, columns: int = COLUMNS) -> Element | None:
    """Return what a cell added to, removed from and changed in the catalog; None for nothing."""
    draw = partial(make_resource_lines, columns=columns, arrows=False)
    removed = partial(draw, role="removed", sign="- ")
    added = partial(draw, role="added", sign="+ ")
    edges = (("removed", "- ", changed.edges_removed), ("added", "+ ", changed.edges_added))
    arrows = {(edge.source, edge.target) for edge in changed.edges_added if edge.reason in ARROWS}
    former = {(edge.source, edge.target): edge.reason for edge in changed.edges_removed}
    rest: list[Callable[[], list[Line]]] = [
        *(partial(_render_change, before, after, columns) for before, after in changed.changed),
        *(
            partial(_render_arrow, role, sign, edge, former.get((edge.source, edge.target), ""))
            for role, sign, several in edges
            for edge in several
            if edge.reason in ARROWS and not (role == "removed" and (edge.source, edge.target) in arrows)
        ),
    ]
    budget = ViewBudget()
    if len(changed.removed) + len(changed.added) > FEW:
        fresh = {resource.key for resource in changed.added}
        folds = [
            *fold_resources(changed.removed, removed, (), budget, make_line(("removed", "- "))),
            *fold_resources(changed.added, added, fresh, budget, make_line(("added", "+ "))),
        ]
        return Group(*folds, budget.draw(rest)) if rest else Group(*folds)
    each = [
        *(partial(removed, resource) for resource in changed.removed),
        *(partial(added, resource) for resource in changed.added),
    ]
    text = budget.draw([*each, *rest])
    return text if text.lines else None


ARROWS = ("->", "~>", "<-", "<~")


def _render_arrow(role: str, sign: str, edge: Any, former: str) -> list[Line]:
    """Return a relationship that an arrow added or removed, or whose reason changed."""
    arrow = "~>" if edge.kind == "notify" else "->"
    text = f"{format_key(edge.source)} {arrow} {format_key(edge.target)}"
    if role == "added" and former:
        return [make_line(("changed", "~ "), text, ("dim", _WAS + former))]
    return [make_line((role, sign), text)]


def _render_change(before: Any, after: Any, columns: int) -> list[Line]:
    """Return a resource with its changed attributes only; all of it if it was realized."""
    if before.virtual and not after.virtual:
        first, *rest = make_resource_lines(after, columns, "added", "+ ", arrows=False)
        return [(*first, ("dim", "  # realized")), *rest]
    if after.virtual and not before.virtual:
        return make_resource_lines(before, columns, "removed", "- ", arrows=False)
    reduced = after.copy(after.owner)  # only with the attributes that have changed
    reduced.parameters = {
        name: given
        for name, given in after.parameters.items()
        if values.make_key(_remove_arrows(name, given))
        != values.make_key(_remove_arrows(name, before.parameters.get(name)))
    }
    lines = make_resource_lines(reduced, columns, "changed", "~ ", arrows=False, former=before.parameters)
    gone = [
        name
        for name, given in before.parameters.items()
        if given is not None and name not in after.parameters
    ]
    lines[-1:-1] = [make_line(("dim", f"    # no {name} any more")) for name in gone]
    return lines if len(lines) > 1 else []


def describe_catalog(
    shown: Any, columns: int = COLUMNS, *, fresh: Container[Any] = (), whole: bool = False, text: str = ""
) -> Element:
    """Return the resources of a catalog in the order of the program, without built-in ones.

    Args:
        shown: The catalog.
        columns: The width for drawing.
        fresh: The keys of new resources, which stay open if others are folded.
        whole: True to show all resources, regardless of their number.
        text: Show only resources with this text in their reference, and their contents.
    """
    resources = [item for item in list_declared(shown) if not text or _matches(item, text.lower())]
    draw = partial(make_resource_lines, columns=columns)
    if whole:
        return TextElement(*(row for resource in resources for row in draw(resource)))
    if not resources:
        return NoteElement("hint", "The catalog is empty.")
    budget = ViewBudget()
    if len(resources) <= FEW:
        return budget.draw([partial(draw, resource) for resource in resources])
    return Group(*fold_resources(resources, draw, fresh, budget))


def _matches(resource: Any, text: str) -> bool:
    """Return True if a text is in the reference of a resource or of one of its containers."""
    container = resource.container
    return text in resource.reference.lower() or bool(container and text in format_key(container).lower())


def list_declared(shown: Any) -> list[Any]:
    """Return the resources of a catalog except built-in ones."""
    return [item for key, item in shown.resources.items() if key not in (MAIN_CLASS, MAIN_STAGE, SETTINGS)]


FEW = 20  # up to this many resources are shown without folding
LINES = 5_000  # the number of lines of resources in one view

_OUTSIDE = (None, MAIN_CLASS, MAIN_STAGE)
Draw = Callable[[Any], list[Line]]


class ViewBudget:
    """The size that is left of one view; what exceeds it is counted and not drawn.

    Attributes:
        lines: The number of lines that are left.
        characters: The number of characters that are left.
    """

    def __init__(self) -> None:
        self.lines = LINES
        self.characters = CHARACTERS

    def draw(self, parts: Sequence[Callable[[], list[Line]]]) -> TextElement:
        """Return the lines of parts until the view is full.

        Args:
            parts: Functions that draw a part each; they are called only while something is left.
        """
        lines: list[Line] = []
        for shown, part in enumerate(parts):
            if self.lines <= 0 or self.characters <= 0:
                return TextElement(*lines, make_line(("dim", f"# … {len(parts) - shown:,} more")))
            drawn = part()
            lines += drawn
            self.lines -= len(drawn)
            self.characters -= sum(map(count_characters, drawn))
        return TextElement(*lines)


def fold_resources(
    resources: Sequence[Any], draw: Draw, fresh: Container[Any], budget: ViewBudget, sign: Line = ()
) -> list[Element]:
    """Return resources by container, then by type; new ones are open if they are few.

    Args:
        resources: The resources.
        draw: Returns the lines of a resource.
        fresh: The keys of new resources.
        budget: The size that is left for them.
        sign: Text before containers.
    """
    groups = group_by(resources, lambda one: MAIN_CLASS if one.container in _OUTSIDE else one.container)
    new = sum(resource.key in fresh for resource in resources)
    # The new resources that may still be open; a container has all of its own open or none.
    left = FEW if new <= FEW else FEW // 2
    found: list[Element] = []
    for container, members in groups.items():
        opened = [resource for resource in members if resource.key in fresh]
        if len(opened) > left:
            opened = []
        left -= len(opened)
        keys = {resource.key for resource in opened}
        rest = [resource for resource in members if resource.key not in keys]
        parts = [budget.draw([partial(draw, resource) for resource in opened])] if opened else []
        label = "outside of classes" if container == MAIN_CLASS else format_key(container)
        kinds = format_kinds(capitalize_name(resource.type) for resource in members)
        head = (*sign, ("type", label), ("dim", f"  {kinds}"))
        found.append(Fold(head, Group(*parts, *_render_by_type(rest, draw, budget)), open=bool(opened)))
    return found


def _render_by_type(resources: Sequence[Any], draw: Draw, budget: ViewBudget) -> list[Fold]:
    """Return the resources of each type, folded."""
    kinds = group_by(sorted(resources, key=attrgetter("type")), attrgetter("type"))
    return [
        Fold(
            make_line(("type", capitalize_name(kind)), ("dim", f"  {len(members):,}")),
            budget.draw([partial(draw, resource) for resource in members]),
        )
        for kind, members in kinds.items()
    ]
