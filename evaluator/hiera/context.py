"""What the functions that provide data are given beside name and options: a `Puppet::LookupContext`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.hiera.files import kept
from evaluator.hiera.interpolation import interpolated
from evaluator.issues import Failure
from evaluator.program import gate
from evaluator.program.scope import MISSING, Scope
from evaluator.program.unwinding import Unwind
from evaluator.values import PuppetObject, get, has, items, key

_active: list[Provider] = []  # the calls that are being made, each for the one before


class NotFound(Unwind):
    """`$context.not_found`: the function has no value for the name."""


class Provider:
    """A call of a function that provides data, and what its context does.

    cache  what the function has kept from its earlier calls, by plain key
    """

    def __init__(self, scope: Scope, module: str | None, cache: dict[Any, Any]) -> None:
        from evaluator.types.builtin_objects import LOOKUP_CONTEXT

        self.scope = scope
        self.cache = cache
        self.context = PuppetObject(LOOKUP_CONTEXT, {"module_name": module})

    def call(self, function: str, arguments: list[Any]) -> Any:
        """What the function gives; MISSING when it has found nothing."""
        depth = len(_active)
        try:
            _active.append(self)
            return self.scope.runtime.call_function(function, [*arguments, self.context], scope=self.scope)
        except NotFound:
            return MISSING
        finally:
            del _active[depth:]

    def not_found(self) -> None:
        """Ends the function: it has no value."""
        raise NotFound

    def explain(self, block: Any) -> None:
        """The block would tell those who ask for an explanation; nobody does."""

    def interpolate(self, value: Any) -> Any:
        """The value with what it names filled in."""
        return interpolated(self.scope, value)

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

        def make() -> Any:
            found = gate.read_text(self.scope, "cached_file_data", path)
            return found if block is None else block.fn(found)

        return kept(self.scope.runtime, f"context {id(block)}", path, make)


def method(name: str) -> Callable[..., Any]:
    """What a context does when its function of that name is called."""
    called = getattr(Provider, {"cache": "cache_one"}.get(name, name))

    def serve(context: Any, *arguments: Any) -> Any:
        for provider in reversed(_active):
            if provider.context is context:
                return called(provider, *arguments)
        raise Failure("NOT_A_DATA_PROVIDER", function=name)

    return serve
