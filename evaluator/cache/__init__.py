"""What has been made of files, kept for other processes: loaded by sessions that have a cache."""

from evaluator.cache.cache import cache_at

__all__ = ["cache_at"]
