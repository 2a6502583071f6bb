"""MurmurHash2, with which front ends name the sources of cells."""

from __future__ import annotations

_FACTOR, _ALL = 0x5BD1E995, 0xFFFFFFFF


def murmur2(data: bytes, seed: int) -> int:
    """The 32-bit hash of bytes."""
    whole = len(data) & ~3
    found = (seed ^ len(data)) & _ALL
    for place in range(0, whole, 4):
        part = int.from_bytes(data[place : place + 4], "little") * _FACTOR & _ALL
        part = (part ^ part >> 24) * _FACTOR & _ALL
        found = found * _FACTOR & _ALL ^ part
    if whole < len(data):
        found = (found ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _ALL
    found = (found ^ found >> 13) * _FACTOR & _ALL
    return found ^ found >> 15
