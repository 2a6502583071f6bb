"""HOCON, a superset of JSON, without included files and environment variables."""

from __future__ import annotations

from typing import Any

from evaluator.hiera.hocon.model import make_failure
from evaluator.hiera.hocon.reading import read_object
from evaluator.hiera.hocon.resolving import Circle, Resolver, plain


def read_hocon(text: str) -> dict[str, Any]:
    """The data of a text. Raises Failure."""
    root = read_object(text)
    try:
        found: dict[str, Any] = plain(Resolver(root).value(root, []))
    except Circle as circle:
        raise make_failure("a substitution is part of what it asks for", circle.args[0]) from None
    return found
