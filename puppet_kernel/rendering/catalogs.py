"""Views of the catalog: resources, the changes of a cell, containment and order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from evaluator import values
from evaluator.catalog import CatalogDifference
from evaluator.catalog.model import BUILT_IN, MAIN_CLASS, MAIN_STAGE, capitalize_name, format_key
from evaluator.resource_types import RELATIONSHIPS
from lexer_parser.record import Record
from puppet_kernel.rendering.elements import (
    Element,
    Fold,
    Fragment,
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
    gone: Collection[str] = (),
) -> list[Line]:
    """Return a resource in aligned Puppet syntax, with sorted attributes.

    Args:
        resource: The resource.
        columns: The width for drawing.
        role: The role of the sign, which decides its colour: "added", "removed", "changed" or "".
        sign: Text before the first line, such as `+ `.
        arrows: False to omit relationships that arrows added.
        former: Former values of attributes, shown after the current ones.
        gone: The names of attributes that the resource had before.
    """
    attributes = sorted(
        (name, value) for name, value in resource.parameters.items() if _is_shown(name, value, arrows=arrows)
    )
    mark = ("@@" if resource.exported else "@") if resource.virtual else ""
    head: Line = ((role, sign), ("type", mark + resource.type), ("", " { "))
    indent = " " * len(sign)
    title = make_value_lines(resource.title, columns)[0]
    if not attributes and not gone:
        return [(*head, *title, ("", ": }"))]
    lines: list[Line] = [(*head, *title, ("", ":"))]
    widest = max((len(name) for name, _ in attributes), default=0)
    for name, value in attributes:
        first, *rest = (
            [_list_references(_list_targets(value, arrows))]
            if name in RELATIONSHIPS
            else make_value_lines(value, columns - widest - 8)
        )
        lines.append((("", f"{indent}  "), ("name", f"{name:<{widest}}"), ("", " => "), *first))
        lines += [(("", f"{indent}  "), *parts) for parts in rest]
        lines[-1] = (*lines[-1], ("", ","))
        if _is_shown(name, former.get(name)):
            lines[-1] = (*lines[-1], *_format_former(name, former[name], columns - measure_line(lines[-1])))
    lines += [make_line(("dim", f"{indent}  # no {name} any more")) for name in gone]
    return [*lines, make_line(f"{indent}}}")]


def _format_former(name: str, former: Any, columns: int) -> Line:
    """Return a remark with the former value of an attribute, shortened; references stay whole."""
    parts = (
        _list_references(_list_targets(former, arrows=False))
        if name in RELATIONSHIPS
        else shorten_value(former, max(columns - len(_WAS), _LEAST_ROOM))
    )
    return (("dim", _WAS + "".join(text for _, text in parts)),)


_WAS = "  # was "
_LEAST_ROOM = 20  # columns for a former value


def _list_targets(value: Any, arrows: bool) -> list[Any]:
    """Return the targets of a relationship; those that arrows added are strings."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if item is not None and (arrows or type(item) is not str)]


def _remove_arrows(name: str, value: Any) -> Any:
    """Return an attribute without the relationships that arrows added."""
    return _list_targets(value, arrows=False) if name in RELATIONSHIPS else value


def _is_shown(name: str, value: Any, *, arrows: bool = False) -> bool:
    """Return True if an attribute has something to show."""
    return bool(_list_targets(value, arrows)) if name in RELATIONSHIPS else value is not None


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


def describe_change(change: CatalogDifference, columns: int = COLUMNS) -> Element | None:
    """Return what a cell added to, removed from and changed in the catalog; None for nothing."""
    draw = partial(make_resource_lines, columns=columns, arrows=False)
    draw_removed = partial(draw, role="removed", sign="- ")
    draw_added = partial(draw, role="added", sign="+ ")
    rest: list[Callable[[], list[Line]]] = [
        *(partial(_render_change, before, after, columns) for before, after in change.changed),
        *_list_arrow_changes(change),
    ]
    budget = ViewBudget()
    if len(change.removed) + len(change.added) > MOST_UNFOLDED:
        fresh = {resource.key for resource in change.added}
        folds = [
            *fold_resources(change.removed, draw_removed, (), budget, make_line(("removed", "- "))),
            *fold_resources(change.added, draw_added, fresh, budget, make_line(("added", "+ "))),
        ]
        return Group(*folds, budget.draw(rest)) if rest else Group(*folds)
    text = budget.draw(
        [
            *(partial(draw_removed, resource) for resource in change.removed),
            *(partial(draw_added, resource) for resource in change.added),
            *rest,
        ]
    )
    return text if text.lines else None


ARROWS = ("->", "~>", "<-", "<~")


def _list_arrow_changes(change: CatalogDifference) -> list[Callable[[], list[Line]]]:
    """Return functions that draw the relationships which arrows removed or added.

    An arrow that replaces a relationship of the same resources is drawn once, with the former reason.
    """
    removed = [edge for edge in change.edges_removed if edge.reason in ARROWS]
    added = [edge for edge in change.edges_added if edge.reason in ARROWS]
    replaced = {(edge.source, edge.target) for edge in added}
    reasons = {(edge.source, edge.target): edge.reason for edge in change.edges_removed}
    return [
        *(
            partial(_render_arrow, edge, ("removed", "- "))
            for edge in removed
            if (edge.source, edge.target) not in replaced
        ),
        *(
            partial(_render_arrow, edge, ("added", "+ "), reasons.get((edge.source, edge.target), ""))
            for edge in added
        ),
    ]


def _render_arrow(edge: Any, sign: Fragment, former_reason: str = "") -> list[Line]:
    """Return a relationship with its sign; the sign of a change if it had another reason."""
    arrow = "~>" if edge.kind == "notify" else "->"
    text = f"{format_key(edge.source)} {arrow} {format_key(edge.target)}"
    if former_reason:
        return [make_line(("changed", "~ "), text, ("dim", _WAS + former_reason))]
    return [make_line(sign, text)]


def _render_change(before: Any, after: Any, columns: int) -> list[Line]:
    """Return a resource with its changed attributes only; all of it if it was realized."""
    if before.virtual and not after.virtual:
        first, *rest = make_resource_lines(after, columns, "added", "+ ", arrows=False)
        return [(*first, ("dim", "  # realized")), *rest]
    if after.virtual and not before.virtual:
        return make_resource_lines(before, columns, "removed", "- ", arrows=False)
    reduced = after.copy(after.owner)  # only with the attributes that have changed
    reduced.parameters = {
        name: value
        for name, value in after.parameters.items()
        if values.make_key(_remove_arrows(name, value))
        != values.make_key(_remove_arrows(name, before.parameters.get(name)))
    }
    gone = [
        name
        for name, value in before.parameters.items()
        if value is not None and after.parameters.get(name) is None
    ]
    lines = make_resource_lines(
        reduced, columns, "changed", "~ ", arrows=False, former=before.parameters, gone=gone
    )
    return lines if len(lines) > 1 else []


def describe_catalog(
    catalog: Any, columns: int = COLUMNS, *, fresh: Container[Any] = (), whole: bool = False, text: str = ""
) -> Element:
    """Return the resources of a catalog in the order of the program, without built-in ones.

    Args:
        catalog: The catalog.
        columns: The width for drawing.
        fresh: The keys of new resources, which stay open if others are folded.
        whole: True to show all resources, regardless of their number.
        text: Show only resources with this text in their reference, and their contents.
    """
    resources = [item for item in list_declared(catalog) if not text or _matches(item, text.lower())]
    draw = partial(make_resource_lines, columns=columns)
    if whole:
        return TextElement(*(row for resource in resources for row in draw(resource)))
    if not resources:
        return NoteElement("hint", "The catalog is empty.")
    budget = ViewBudget()
    if len(resources) <= MOST_UNFOLDED:
        return budget.draw([partial(draw, resource) for resource in resources])
    return Group(*fold_resources(resources, draw, fresh, budget))


def _matches(resource: Any, text: str) -> bool:
    """Return True if a text is in the reference of a resource or of one of its containers."""
    container = resource.container
    return text in resource.reference.lower() or bool(container and text in format_key(container).lower())


def list_declared(catalog: Any) -> list[Any]:
    """Return the resources of a catalog except built-in ones."""
    return [item for key, item in catalog.resources.items() if key not in BUILT_IN]


MOST_UNFOLDED = 20  # resources that are shown without folding
MOST_LINES = 5_000  # of resources in one view

_OUTSIDE = (None, MAIN_CLASS, MAIN_STAGE)
Draw = Callable[[Any], list[Line]]


class ViewBudget(Record):
    """The size that is left of one view; what exceeds it is counted and not drawn.

    Attributes:
        lines: The number of lines that are left.
        characters: The number of characters that are left.
    """

    lines: int = MOST_LINES
    characters: int = CHARACTERS

    def draw(self, parts: Sequence[Callable[[], list[Line]]]) -> TextElement:
        """Return the lines of parts until the view is full.

        Args:
            parts: Functions that draw a part each; they are called only while something is left.
        """
        lines: list[Line] = []
        for index, draw_part in enumerate(parts):
            if self.lines <= 0 or self.characters <= 0:
                return TextElement(*lines, make_line(("dim", f"# … {len(parts) - index:,} more")))
            part = draw_part()
            lines += part
            self.lines -= len(part)
            self.characters -= sum(map(count_characters, part))
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
    groups = group_by(
        resources,
        lambda resource: MAIN_CLASS if resource.container in _OUTSIDE else resource.container,
    )
    fresh_count = sum(resource.key in fresh for resource in resources)
    # The new resources that may still be open, fewer if there are many. A container has all of its own open or none.
    left = MOST_UNFOLDED if fresh_count <= MOST_UNFOLDED else MOST_UNFOLDED // 2
    folds: list[Element] = []
    for container, members in groups.items():
        opened = [resource for resource in members if resource.key in fresh]
        if len(opened) > left:
            opened = []
        left -= len(opened)
        rest = [resource for resource in members if not opened or resource.key not in fresh]
        parts = [budget.draw([partial(draw, resource) for resource in opened])] if opened else []
        label = "outside of classes" if container == MAIN_CLASS else format_key(container)
        kinds = format_kinds(capitalize_name(resource.type) for resource in members)
        head = (*sign, ("type", label), ("dim", f"  {kinds}"))
        folds.append(Fold(head, Group(*parts, *_render_by_type(rest, draw, budget)), open=bool(opened)))
    return folds


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
