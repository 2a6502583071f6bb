"""The one memo: stored results that are bounded, listed and cleared in one place.

    @memoize(1000)                           # results of a function by its arguments, the least recently used go
    @memoize(1000, longest=LONGEST)          # the same, but not for long strings, which would stay in memory
    @memoize(unbounded_because="one for each grammar")   # no bound of its own: the reason why it cannot grow
    _types: MemoTable[Key, Type] = MemoTable("types by source text", 1000)   # a dictionary whose keys are made by hand

A memo only saves work: a program means the same when all are empty. `clear` empties them, `list_tables` lists them, and
with the environment variable `PUPPET_MEMO=off` nothing is stored, which shows in tests that results do not depend on
it. A table whose entries are compared by identity is `interned`: that one is never emptied or switched off.

What belongs to one object and is computed once stays an attribute of it (`Type._text`): it has no key and no bound.
"""

from __future__ import annotations

import os
from _weakref import ref  # `weakref` itself would make each start 0.4 ms longer
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

LONGEST = 1000  # the usual value of `longest`, in characters
ENABLED = os.environ.get("PUPPET_MEMO") != "off"

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Key = TypeVar("_Key")
_Result = TypeVar("_Result")


class TableStatus:
    """A line of the result of `list_tables`: the size of a table and its bound.

    Attributes: see `MemoTable`; `entries` is their number.
    """

    __slots__ = ("bound", "entries", "interned", "name", "unbounded_because")

    def __init__(
        self, name: str, entries: int, bound: int | None, unbounded_because: str, interned: bool
    ) -> None:
        self.name = name
        self.entries = entries
        self.bound = bound
        self.unbounded_because = unbounded_because
        self.interned = interned


class _Memo:
    """The results of a function, as a table.

    Attributes:
        function: The function with its `lru_cache`.
        unbounded_because, interned: As of `MemoTable`.
    """

    __slots__ = ("function", "interned", "unbounded_because")

    def __init__(self, function: Any, unbounded_because: str, interned: bool) -> None:
        self.function = function
        self.unbounded_because = unbounded_because
        self.interned = interned

    def status(self) -> TableStatus:
        """Return how full the memo is."""
        info = self.function.cache_info()
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return TableStatus(name, info.currsize, info.maxsize, self.unbounded_because, self.interned)

    def clear(self) -> None:
        """Drop all results."""
        self.function.cache_clear()


# All memos of functions, and all tables by their ids; a table that ends removes itself.
_memos: list[_Memo] = []
_tables: dict[int, ref[MemoTable[Any, Any]]] = {}


def memoize(
    bound: int | None = None,
    *,
    longest: int | None = None,
    unbounded_because: str = "",
    interned: bool = False,
) -> Callable[[_Function], _Function]:
    """Return a decorator that stores the results of a function by its arguments.

    Args:
        bound: The maximum number of results; the least recently used are dropped.
        longest: The greatest length of the first and the second argument, strings or other sized objects; results for
            longer ones are not stored.
        unbounded_because: Without a bound, the reason why the number of results stays small.
        interned: The results are compared by identity, so they are never dropped.
    """
    assert (bound is None) == bool(unbounded_because), "a memo has a bound, or a reason why it needs none"

    def decorate(function: _Function) -> _Function:
        if not ENABLED and not interned:
            return function
        stored = lru_cache(bound)(function)
        _memos.append(_Memo(stored, unbounded_because, interned))
        return stored if longest is None else _exclude_long(function, stored, longest)  # type: ignore[return-value]

    return decorate


def _exclude_long(function: Any, stored: Any, longest: int) -> Any:
    """Return a function that calls `function` for long arguments, `stored` for others."""

    def call(string: Any, *more: Any) -> Any:
        if len(string) > longest or (more and len(more[0]) > longest):
            return function(string, *more)
        return stored(string, *more)

    call.__doc__ = function.__doc__
    return call


class MemoTable(dict[_Key, _Result]):
    """A dictionary of results that drops the oldest entry when it is full.

    Write `result = table[key] = compute()`: when memos are switched off, nothing is stored. A table may belong to an
    object and ends with it. `update` and `setdefault` ignore the bound; do not use them.

    Attributes:
        name: The name by which it is listed.
        bound: The maximum number of entries, or None.
        unbounded_because: Without a bound, the reason why the number of entries stays small.
        interned: True if entries are compared by identity, so that the table is never emptied.
    """

    __slots__ = ("__weakref__", "bound", "interned", "name", "unbounded_because")

    def __init__(
        self, name: str, bound: int | None = None, *, unbounded_because: str = "", interned: bool = False
    ) -> None:
        assert (bound is None) == bool(unbounded_because), (
            "a table has a bound, or a reason why it needs none"
        )
        self.name = name
        self.bound = bound
        self.unbounded_because = unbounded_because
        self.interned = interned
        identity = id(self)
        _tables[identity] = ref(self, lambda _: _tables.pop(identity, None))

    def __setitem__(self, key: _Key, result: _Result) -> None:
        if not ENABLED and not self.interned:
            return
        if self.bound is not None and len(self) >= self.bound and key not in self:
            del self[next(iter(self))]
        super().__setitem__(key, result)

    def status(self) -> TableStatus:
        """Return how full the table is."""
        return TableStatus(self.name, len(self), self.bound, self.unbounded_because, self.interned)


def _iterate_tables() -> Iterator[_Memo | MemoTable[Any, Any]]:
    """Yield the memos of functions, and the tables that still exist."""
    yield from _memos
    for reference in list(_tables.values()):
        table = reference()
        if table is not None:
            yield table


def list_tables() -> list[TableStatus]:
    """Return every table of the process, by name.

    Tables of one name that belong to several objects are one line: their entries and their bounds are added up.
    """
    totals: dict[str, TableStatus] = {}
    for table in _iterate_tables():
        status = table.status()
        total = totals.setdefault(status.name, status)
        if total is not status:
            total.entries += status.entries
            if total.bound is not None and status.bound is not None:
                total.bound += status.bound
    return [totals[name] for name in sorted(totals)]


def clear(*functions: Callable[..., Any]) -> None:
    """Empty the memos of these functions or, without any, every table but the interned ones."""
    for table in _iterate_tables():
        is_of_function = isinstance(table, _Memo) and table.function in functions
        if is_of_function or (not functions and not table.interned):
            table.clear()
