"""The resources among which collectors look, found by what they have instead of one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from evaluator.catalog import tags
from evaluator.catalog.model import Catalog, Key, Resource
from evaluator.catalog.queries import Query

_FEW = 20  # candidates that are looked at one by one
_SCANNED = 3  # questions for tags before those of all are found out


class _Having:
    """Where the resources of a type stand, by the text that an attribute of theirs has.

    texts   the text in lower case -> the places of those that have it, alone or in an array of texts
    others  the places of those that have something else, which has to be looked at
    """

    __slots__ = ("others", "texts")

    def __init__(self) -> None:
        self.texts: dict[str, list[int]] = defaultdict(list)
        self.others: list[int] = []

    def add(self, place: int, actual: Any) -> None:
        """Adds a resource by the attribute's value, which is no text. Only ASCII letters are the same in both cases."""
        if type(actual) is list and all(type(item) is str and item.isascii() for item in actual):
            for text in {item.lower() for item in actual}:
                self.texts[text].append(place)
        elif actual is not None:
            self.others.append(place)


class Candidates(dict[str, list[Key]]):
    """The keys of resources by type, from a place in the catalog on: among these collectors look.

    What they have is known until one of them is changed.

    now  a number that grows whenever some have come or been changed
    """

    def __init__(self, catalog: Catalog, start: int = 0) -> None:
        super().__init__()
        self.catalog = catalog
        self.seen = start
        self.now = 0
        self._came = 0  # when the last of them came
        self._changed: dict[str, int] = {}  # when attributes of some were changed last
        self._tags: dict[Key, frozenset[str]] = {}
        self._inherited: dict[Key, tuple[str, ...]] = {}
        self._memo: tags.Memo = {}
        self._having: dict[str, dict[str, _Having]] = {}
        self._asked: Counter[str] = Counter()  # how often for the tags of the resources of a type

    def look(self) -> None:
        """Adds what has come since, which may have changed others."""
        resources = self.catalog.resources
        for key in islice(resources, self.seen, None):
            self.setdefault(key[0], []).append(key)
        self.seen = len(resources)
        self._having.clear()
        self.forget(["tag"])
        self._came = self.now

    def differ(self, names: Iterable[str], since: int) -> bool:
        """Whether some have come, or these attributes of some been changed, since `now` was that number."""
        changed = self._changed
        return self._came > since or any(changed.get(name, 0) > since for name in names)

    def likely(self, kind: str, query: Query) -> tuple[Sequence[Key], bool]:
        """The candidates of a type, in order, without some that a query does not fit; true if it fits all of them."""
        every = self.get(kind, [])
        if query is None:
            return every, True
        if len(every) < _FEW:
            return every, False
        places, certain = self._places(kind, query)
        if places is None:
            return every, False
        return [every[place] for place in places], certain

    def _places(self, kind: str, query: tuple[Any, ...]) -> tuple[list[int] | None, bool]:
        """The places of the likely ones, in order, None for all; and whether the query certainly fits these."""
        operator, left, right = query
        if operator == "or":
            one, certain = self._places(kind, left)
            if one is None:
                return None, False
            other, as_certain = self._places(kind, right)
            return (None, False) if other is None else (sorted({*one, *other}), certain and as_certain)
        if operator == "and":
            one, certain = self._places(kind, left)
            if one is not None and len(one) < _FEW:
                return one, False
            other, as_certain = self._places(kind, right)
            if one is None or other is None:
                return (other if one is None else one), False
            return sorted(set(one).intersection(other)), certain and as_certain
        if operator != "==" or type(right) is not str:
            return None, False
        if left == "tag" and kind != "stage" and self._asked[kind] < _SCANNED:
            self._asked[kind] += 1
            return self._tagged(kind, right.lower()), True
        having = self._having.setdefault(left, {})
        if kind not in having:
            having[kind] = self._by_tag(kind) if left == "tag" else self._by_text(kind, left)
        known = having[kind]
        places = known.texts.get(right.lower(), [])
        if known.others:
            return sorted({*places, *known.others}), False
        return places, left == "tag" or right.isascii()

    def _by_text(self, kind: str, name: str) -> _Having:
        """What the resources of a type have as an attribute, or as their title."""
        found = _Having()
        resources = self.catalog.resources
        texts = found.texts
        for place, key in enumerate(self[kind]):
            resource = resources[key]
            if name == "title":
                actual = resource.spoken[0] if resource.spoken else key[1]
            else:
                actual = resource.parameters.get(name)
            if type(actual) is str and actual.isascii():  # what most have
                texts[actual.lower()].append(place)
            else:
                found.add(place, actual)
        return found

    def _tagged(self, kind: str, tag: str) -> list[int]:
        """The places of the resources of a type that have a tag, without that of others being found out."""
        resources, has = self.catalog.resources, tags.has_own
        handing = {
            container
            for container in {resources[key].container for key in self[kind]}
            if tag in self._handed_down(container)
        }
        return [
            place
            for place, key in enumerate(self[kind])
            if has(resource := resources[key], tag) or resource.container in handing
        ]

    def _by_tag(self, kind: str) -> _Having:
        """The tags of the resources of a type; those that they are handed down are the same for many."""
        found = _Having()
        texts = found.texts
        together: dict[Key, list[int]] = defaultdict(list)
        resources = self.catalog.resources
        for place, key in enumerate(self[kind]):
            resource = resources[key]
            if kind == "stage":
                own: Iterable[str] = self.tags(resource)
            else:
                own = tags.own(resource)
                together[resource.container].append(place)
            for tag in own:
                places = texts[tag]
                if not places or places[-1] != place:  # it may have a tag twice
                    places.append(place)
        for container, inside in together.items():
            for tag in self._handed_down(container):
                texts[tag] = sorted({*texts[tag], *inside})
        return found

    def tags(self, resource: Resource) -> frozenset[str]:
        """All tags of a candidate."""
        found = self._tags.get(resource.key)
        if found is None:
            if resource.type == "stage":  # which nothing hands its tags to
                found = frozenset(tags.tags(self.catalog, resource, self._memo))
            else:
                found = frozenset((*tags.own(resource), *self._handed_down(resource.container)))
            self._tags[resource.key] = found
        return found

    def _handed_down(self, container: Key) -> tuple[str, ...]:
        """The tags of what contains resources."""
        found = self._inherited.get(container)
        if found is None:
            resource = self.catalog.resources.get(container)
            every = [] if resource is None else tags.tags(self.catalog, resource, self._memo)
            found = self._inherited[container] = tuple(every)
        return found

    def forget(self, names: Iterable[str]) -> None:
        """These attributes of a resource have been changed; by its tags those that it contains have others too."""
        self.now += 1
        for name in names:
            self._changed[name] = self.now
            self._having.pop(name, None)
            if name == "tag":
                self._tags.clear()
                self._inherited.clear()
                self._memo.clear()
