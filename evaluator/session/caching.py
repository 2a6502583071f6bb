"""The cache of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.program.protocols import SourceStore
    from evaluator.program.settings import Settings


def cache_for(settings: Settings, path: str | None) -> SourceStore | None:
    """The cache in a folder, for a session that may have something to keep; else None."""
    if path is None or not settings.modulepath:
        return None
    from evaluator.cache import get_cache  # sessions without modules have nothing to keep

    return get_cache(path)
