"""The disk cache of parsed and compiled files, which processes share.

Only sessions that have a cache import it.

Resolved type aliases and signatures of functions in Ruby are not stored, because making them again costs little: in 26
processes that each compiled one program over a cache, aliases took 0.9 % of the CPU in the median (9 to 15 % with the
large types of the module systemd) and signatures 0.1 %; a function that is called is loaded into Ruby in any case.
"""

from evaluator.cache.cache import get_cache

__all__ = ["get_cache"]
