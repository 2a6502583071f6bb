"""What SemVers and SemVerRanges can do."""

from __future__ import annotations

from evaluator.types import rich
from evaluator.values.kind import SEMVER, SEMVER_RANGE

SEMVER.rules(
    infer=lambda value, dialect: rich.SEMVER, infer_detailed=lambda value, dialect: rich.version_type(value)
)
SEMVER_RANGE.rules(infer=lambda value, dialect: rich.SEMVER_RANGE)
