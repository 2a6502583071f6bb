"""Imports and compilation on first use: the names of a package, and regular expressions.

So a start does not load what few programs need. What is imported later may have changed in the meantime, which the time
of the start shows. If only one function needs a module, that function has a plain
`import` instead; `tests/test_architecture.py` has the reason for each.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

OptionalMatch = re.Match[str] | None

# The time in seconds at which this process began to import the program, by the system's clock and by the monotonic one.
# If the files of the program have changed since, a module that is imported later belongs to another version of it.
LOADED_AT = time.time()
LOADED_AT_MONOTONIC = time.monotonic()


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package (PEP 562) that imports modules on first use.

    What has been imported becomes an attribute of the package, so each name is looked up here once.

    Args:
        package: The `__name__` of the package.
        modules: The module of the package that defines each name; a name that equals that of its module denotes the
            module itself.
    """

    def load(name: str) -> Any:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = import_module(f"{package}.{module}")
        if module != name:
            value = getattr(value, name)
        setattr(sys.modules[package], name, value)
        return value

    return load


class LazyPattern:
    """A regular expression with the methods of `re.Pattern`, compiled on first use."""

    __slots__ = ("_flags", "_source", "finditer", "fullmatch", "match", "search", "sub")

    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., OptionalMatch]
    match: Callable[..., OptionalMatch]
    search: Callable[..., OptionalMatch]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the expression; its methods are attributes from then on."""
        compiled = re.compile(self._source, self._flags)
        for method in ("finditer", "fullmatch", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
