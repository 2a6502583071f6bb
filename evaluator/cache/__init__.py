"""The disk cache of parsed and compiled files, which processes share.

Only sessions that have a cache import it.
"""

from evaluator.cache.cache import get_cache

__all__ = ["get_cache"]
