"""What URIs can do."""

from __future__ import annotations

from evaluator.types.rich import UriType
from evaluator.values.kind import URI

URI.rules(infer=lambda value, dialect: UriType(dict(value.components)))
