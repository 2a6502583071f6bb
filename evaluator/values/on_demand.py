"""Names of a package that are imported when they are first asked for: what few programs need slows no start."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package.

    places  name -> the module in the package that defines it; no module is called like a name of it
    What has been found stands in the package from then on. The function raises AttributeError for other names.
    """

    def find(name: str) -> Any:
        module = places.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return find
