"""The `Puppet::LookupContext` that data functions receive beside name and options."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.hiera.interpolation import Find, interpolate
from evaluator.hiera.providers import cache_file
from evaluator.program import sandbox
from evaluator.program.definitions import MISSING, Scope, Unwind
from evaluator.types.lazy_types import get_lookup_context_type
from evaluator.types.objects import Method
from evaluator.values import PuppetObject, Value, get, has, iterate_items, make_key

_active: list[Provider] = []  # the running calls, each made by the one before


class HieraNotFound(Unwind):
    """The signal of `$context.not_found`: the function has no value for the name."""


class Provider:
    """A call of a data function, and the methods of its context.

    Args:
        scope: The scope of the lookup.
        module: The name of the module whose data is queried; None for none.
        cache: The values that the function cached in earlier calls, by plain key.
        find: Finds the value of a name.
    """

    def __init__(self, scope: Scope, module: str | None, cache: dict[Value, Value], find: Find) -> None:
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

    def _make_methods(self, declared: Method) -> Callable[..., Value]:
        """Return a method of the context, which serves the lookup only while its call lasts.

        Afterwards the declared implementation runs instead.
        """
        called = getattr(self, {"cache": "cache_one"}.get(declared.name, declared.name))

        def serve(*arguments: Value) -> Value:
            if self in _active:
                return called(*arguments)
            assert declared.implementation is not None
            return declared.implementation(self.context, *arguments)

        return serve

    def call(self, function: str, arguments: list[Value]) -> Value:
        """Return the result of the function; MISSING when it has found nothing."""
        depth = len(_active)
        try:
            _active.append(self)
            return self.scope.runtime.call_function(function, [*arguments, self.context], scope=self.scope)
        except HieraNotFound:
            return MISSING
        finally:
            del _active[depth:]

    def not_found(self) -> None:
        """Stop the function, because it has no value."""
        raise HieraNotFound

    def explain(self, block: Value) -> None:
        """Ignore the block, which would explain the lookup; no explanation is ever requested."""

    def interpolate(self, value: Value) -> Value:
        """Return the value with its `%{…}` expressions replaced."""
        return interpolate(self.scope, value, self.find)

    def cache_one(self, name: Value, value: Value) -> Value:
        """Store a value for later calls."""
        self.cache[make_key(name)] = value
        return value

    def cache_all(self, values: dict[Value, Value]) -> None:
        """Store several values."""
        self.cache.update(values)

    def cache_has_key(self, name: Value) -> bool:
        """Return True when a value is stored."""
        return has(self.cache, name)

    def cached_value(self, name: Value) -> Value:
        """Return the stored value."""
        return get(self.cache, name)

    def cached_entries(self, block: Value = None) -> Value:
        """Return the stored pairs, or call a block with each."""
        pairs = [list(pair) for pair in iterate_items(self.cache)]
        if block is None:
            return pairs
        for pair in pairs:
            block.fn(*pair)
        return None

    def cached_file_data(self, path: str, block: Value = None) -> Value:
        """Return the text of a file, or the result of a block for it, until the file changes."""

        def make() -> tuple[Value, Value]:
            found = sandbox.read_text(self.scope, "cached_file_data", path)
            return block, found if block is None else block.fn(found)

        # The block is stored with its result, so that no other block can have its identity meanwhile.
        return cache_file(self.scope.runtime, f"context {id(block)}", path, make)[1]
