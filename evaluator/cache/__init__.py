"""What has been made of files, kept for other processes: loaded by sessions that have a cache."""

from evaluator.cache.cache import get_cache

__all__ = ["get_cache"]
