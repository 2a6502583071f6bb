"""What Binaries can do."""

from __future__ import annotations

from evaluator.types import rich
from evaluator.values.kind import BINARY

BINARY.rules(infer=lambda value, dialect: rich.BINARY)
