"""The catalog as view elements: resources, what a cell changed, what contains what and comes before what."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from evaluator import values
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, capitalize_name, format_key
from evaluator.resource_types import RELATIONSHIPS
from puppet_kernel.rendering.elements import Element, Group, Line, Note, Text, line
from puppet_kernel.rendering.folds import FEW, Sheet, folded
from puppet_kernel.rendering.lines import line_width
from puppet_kernel.rendering.literals import short_value, value_lines


def resource_lines(
    resource: Any,
    columns: int = 100,
    role: str = "",
    sign: str = "",
    *,
    arrows: bool = True,
    former: Mapping[str, Any] = MappingProxyType({}),
) -> list[Line]:
    """A resource in aligned Puppet syntax, attributes sorted.

    `sign` stands before its first line. What arrows added to its relationships is left out without `arrows`. Behind
    an attribute that was another before stands its `former` value.
    """
    attributes = sorted(_shown_attributes(resource, arrows), key=lambda pair: pair[0])
    mark = ("@@" if resource.exported else "@") if resource.virtual else ""
    head: Line = ((role, sign), ("type", mark + resource.type), ("", " { "))
    indent = " " * len(sign)
    title = value_lines(resource.title, columns)[0]
    if not attributes:
        return [(*head, *title, ("", ": }"))]
    lines: list[Line] = [(*head, *title, ("", ":"))]
    widest = max(len(name) for name, _ in attributes)
    for name, attribute in attributes:
        first, *rest = (
            attribute if isinstance(attribute, Given) else value_lines(attribute, columns - widest - 8)
        )
        lines.append((("", f"{indent}  "), ("name", f"{name:<{widest}}"), ("", " => "), *first))
        lines += [(("", f"{indent}  "), *parts) for parts in rest]
        lines[-1] = (*lines[-1], ("", ","))
        if _told(name, former.get(name)):
            lines[-1] = (*lines[-1], *_was(name, former[name], columns - line_width(lines[-1])))
    return [*lines, line(f"{indent}}}")]


def _was(name: str, former: Any, columns: int) -> Line:
    """A remark that tells the former value of an attribute, shortened to a room; references stay whole."""
    shown = (
        _references(_related(former, arrows=False))
        if name in RELATIONSHIPS
        else short_value(former, max(columns - len(_WAS), _LEAST_ROOM))
    )
    return (("dim", _WAS + "".join(text for _, text in shown)),)


_WAS = "  # was "
_LEAST_ROOM = 20


class Given(list[Line]):
    """An attribute's value that is drawn already."""


def _shown_attributes(resource: Any, arrows: bool) -> Iterable[tuple[str, Any]]:
    """Names and values of the attributes that were given; relationships as references."""
    for name, given in resource.parameters.items():
        if not _told(name, given, arrows=arrows):
            continue
        yield name, Given([_references(_related(given, arrows))]) if name in RELATIONSHIPS else given


def _related(given: Any, arrows: bool) -> list[Any]:
    """What a relationship names; without `arrows` not what arrows added, which is text."""
    items = given if isinstance(given, list) else [given]
    return [item for item in items if item is not None and (arrows or type(item) is not str)]


def _plain(name: str, given: Any) -> Any:
    """An attribute as it was given: arrows are shown by themselves."""
    return _related(given, arrows=False) if name in RELATIONSHIPS else given


def _told(name: str, given: Any, *, arrows: bool = False) -> bool:
    """Whether there is something to show of an attribute: not of one that is not given, or only by arrows."""
    return bool(_related(given, arrows)) if name in RELATIONSHIPS else given is not None


def _references(items: list[Any]) -> Line:
    text = ", ".join(_reference_text(item) for item in items)
    return line(("type", text if len(items) == 1 else f"[{text}]"))


def attribute_value(name: str, value: Any, columns: int) -> Line:
    """The value of an attribute on one line."""
    if name in RELATIONSHIPS and value is not None:
        return _references(value if isinstance(value, list) else [value])
    return short_value(value, columns)


def _reference_text(item: Any) -> str:
    """A reference as it is written; an arrow leaves it as the text `Notify[a]`."""
    key = getattr(item, "key", None)
    if key is not None and key[1] is not None:
        return f"{capitalize_name(key[0])}[{values.literal(key[1])}]"
    if type(item) is str and item.endswith("]"):
        kind, _, title = item[:-1].partition("[")
        return f"{kind}[{values.literal(title)}]"
    return values.literal(item)


def change(changed: Any, columns: int = 100) -> Element | None:
    """What a cell added to, removed from and changed in the catalog."""
    draw = partial(resource_lines, columns=columns, arrows=False)
    removed = partial(draw, role="removed", sign="- ")
    added = partial(draw, role="added", sign="+ ")
    edges = (("removed", "- ", changed.edges_removed), ("added", "+ ", changed.edges_added))
    arrows = {(edge.source, edge.target) for edge in changed.edges_added if edge.reason in ARROWS}
    former = {(edge.source, edge.target): edge.reason for edge in changed.edges_removed}
    rest: list[Callable[[], list[Line]]] = [
        *(partial(_changed_lines, before, after, columns) for before, after in changed.changed),
        *(
            partial(_arrow, role, sign, edge, former.get((edge.source, edge.target), ""))
            for role, sign, several in edges
            for edge in several
            if edge.reason in ARROWS and not (role == "removed" and (edge.source, edge.target) in arrows)
        ),
    ]
    sheet = Sheet()
    if len(changed.removed) + len(changed.added) > FEW:
        fresh = {resource.key for resource in changed.added}
        folds = [
            *folded(changed.removed, removed, (), sheet, line(("removed", "- "))),
            *folded(changed.added, added, fresh, sheet, line(("added", "+ "))),
        ]
        return Group(*folds, sheet.text(rest)) if rest else Group(*folds)
    each = [
        *(partial(removed, resource) for resource in changed.removed),
        *(partial(added, resource) for resource in changed.added),
    ]
    text = sheet.text([*each, *rest])
    return text if text.lines else None


ARROWS = ("->", "~>", "<-", "<~")


def _arrow(role: str, sign: str, edge: Any, former: str) -> list[Line]:
    """A relationship that an arrow made, or made no more; one that had another reason is changed, and says which."""
    arrow = "~>" if edge.kind == "notify" else "->"
    text = f"{format_key(edge.source)} {arrow} {format_key(edge.target)}"
    if role == "added" and former:
        return [line(("changed", "~ "), text, ("dim", _WAS + former))]
    return [line((role, sign), text)]


def _changed_lines(before: Any, after: Any, columns: int) -> list[Line]:
    """A resource with just the attributes that changed; the whole of one that is realized, or is virtual again."""
    if before.virtual and not after.virtual:
        first, *rest = resource_lines(after, columns, "added", "+ ", arrows=False)
        return [(*first, ("dim", "  # realized")), *rest]
    if after.virtual and not before.virtual:
        return resource_lines(before, columns, "removed", "- ", arrows=False)
    twin = after.copy(after.owner)
    twin.parameters = {
        name: given
        for name, given in after.parameters.items()
        if values.key(_plain(name, given)) != values.key(_plain(name, before.parameters.get(name)))
    }
    lines = resource_lines(twin, columns, "changed", "~ ", arrows=False, former=before.parameters)
    gone = [
        name
        for name, given in before.parameters.items()
        if given is not None and name not in after.parameters
    ]
    lines[-1:-1] = [line(("dim", f"    # no {name} any more")) for name in gone]
    return lines if len(lines) > 1 else []


def catalog(
    shown: Any, columns: int = 100, *, fresh: Container[Any] = (), whole: bool = False, text: str = ""
) -> Element:
    """The resources of a catalog in the order of the program, without those that are always there.

    fresh  the keys of what is new, which stays open where many are folded
    whole  all of them, however many, one after the other
    text   only what bears this in its reference, and what such a class or define contains
    """
    resources = [item for item in declared(shown) if not text or _bears(item, text.lower())]
    draw = partial(resource_lines, columns=columns)
    if whole:
        return Text(*(row for resource in resources for row in draw(resource)))
    if not resources:
        return Note("hint", "The catalog is empty.")
    sheet = Sheet()
    if len(resources) <= FEW:
        return sheet.text([partial(draw, resource) for resource in resources])
    return Group(*folded(resources, draw, fresh, sheet))


def _bears(resource: Any, text: str) -> bool:
    """Whether a text stands in the reference of a resource or of what contains it."""
    container = resource.container
    return text in resource.reference.lower() or bool(container and text in format_key(container).lower())


def declared(shown: Any) -> list[Any]:
    """The resources of a catalog but those that every catalog has."""
    return [item for key, item in shown.resources.items() if key not in (MAIN_CLASS, MAIN_STAGE, SETTINGS)]
