"""What the functions that provide data are given beside name and options: a `Puppet::LookupContext`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.hiera.data_cache import cache_file
from evaluator.hiera.interpolation import Find, interpolate
from evaluator.program import sandbox
from evaluator.program.callables import Unwind
from evaluator.program.scope import MISSING, Scope
from evaluator.types.lazy_types import get_lookup_context_type
from evaluator.types.objects import Method
from evaluator.values import PuppetObject, get, has, items, key

_active: list[Provider] = []  # the calls that are being made, each for the one before


class HieraNotFound(Unwind):
    """`$context.not_found`: the function has no value for the name."""


class Provider:
    """A call of a function that provides data, and what its context does.

    cache  what the function has kept from its earlier calls, by plain key
    find   finds the value of a name
    """

    def __init__(self, scope: Scope, module: str | None, cache: dict[Any, Any], find: Find) -> None:
        self.find = find
        self.scope = scope
        self.cache = cache
        self.context = PuppetObject(
            get_lookup_context_type(),
            {"module_name": module},
            {
                "environment_name": lambda: scope.runtime.settings.environment,
                **{
                    name: self._make_methods(declared)
                    for name, declared in get_lookup_context_type().functions.items()
                },
            },
        )

    def _make_methods(self, declared: Method) -> Callable[..., Any]:
        """What the context does when its function is called: while the call lasts for which it was made."""
        called = getattr(self, {"cache": "cache_one"}.get(declared.name, declared.name))

        def serve(*arguments: Any) -> Any:
            if self in _active:
                return called(*arguments)
            assert declared.implementation is not None
            return declared.implementation(self.context, *arguments)

        return serve

    def call(self, function: str, arguments: list[Any]) -> Any:
        """What the function gives; MISSING when it has found nothing."""
        depth = len(_active)
        try:
            _active.append(self)
            return self.scope.runtime.call_function(function, [*arguments, self.context], scope=self.scope)
        except HieraNotFound:
            return MISSING
        finally:
            del _active[depth:]

    def not_found(self) -> None:
        """Ends the function: it has no value."""
        raise HieraNotFound

    def explain(self, block: Any) -> None:
        """The block would tell those who ask for an explanation; nobody does."""

    def interpolate(self, value: Any) -> Any:
        """The value with what it names filled in."""
        return interpolate(self.scope, value, self.find)

    def cache_one(self, name: Any, value: Any) -> Any:
        """Keeps a value for later calls."""
        self.cache[key(name)] = value
        return value

    def cache_all(self, values: dict[Any, Any]) -> None:
        """Keeps several values."""
        self.cache.update(values)

    def cache_has_key(self, name: Any) -> bool:
        """Whether a value was kept."""
        return has(self.cache, name)

    def cached_value(self, name: Any) -> Any:
        """The value that was kept."""
        return get(self.cache, name)

    def cached_entries(self, block: Any = None) -> Any:
        """The pairs that were kept, or calls a block with each."""
        pairs = [list(pair) for pair in items(self.cache)]
        if block is None:
            return pairs
        for pair in pairs:
            block.fn(*pair)
        return None

    def cached_file_data(self, path: str, block: Any = None) -> Any:
        """The text of a file, or what a block makes of it, until the file changes."""

        def make() -> tuple[Any, Any]:
            found = sandbox.read_text(self.scope, "cached_file_data", path)
            return block, found if block is None else block.fn(found)

        # the block is kept beside what it made, so that no other can bear its number meanwhile
        return cache_file(self.scope.runtime, f"context {id(block)}", path, make)[1]
