"""Digests of Strings, and pseudo-random numbers that depend on the machine's name."""

from __future__ import annotations

import hashlib

from evaluator.calling.registry import function
from evaluator.functions.navigation import get_part
from evaluator.issues import require
from evaluator.program.definitions import Scope
from evaluator.values import Value, encode_utf8, format_value, to_ruby_text
from evaluator.values.chunked import join_checked
from evaluator.values.dag import memoize_recursion
from evaluator.values.kind import BINARY, get_kind
from evaluator.values.ruby_values import get_ruby_class_name, make_no_string_failure, parse_leading_integer


def _digest(algorithm: str, value: Value) -> str:
    """Return the digest of a String or Binary in hexadecimal digits. Raise Failure."""
    if type(value) is str:
        data = encode_utf8(value)
    elif get_kind(value) is BINARY:
        data = value.data
    else:
        raise make_no_string_failure(get_ruby_class_name(value))
    return str(getattr(hashlib, algorithm)(data, usedforsecurity=False).hexdigest())


@function("md5(Any p0)", usage=("md5(String text)",))
def md5(value: Value) -> str:
    """Return the MD5 digest of a String, in hexadecimal digits.

    > md5('abc')
    '900150983cd24fb0d6963f7d28e17f72'
    """
    return _digest("md5", value)


@function("sha1(Any p0)", usage=("sha1(String text)",))
def sha1(value: Value) -> str:
    """Return the SHA-1 digest of a String, in hexadecimal digits.

    > sha1('abc')
    'a9993e364706816aba3e25717850c26c9cd0d89d'
    """
    return _digest("sha1", value)


@function("sha256(Any p0)", usage=("sha256(String text)",))
def sha256(value: Value) -> str:
    """Return the SHA-256 digest of a String, in hexadecimal digits.

    > sha256('abc')
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    return _digest("sha256", value)


@function("digest(Any p0)", usage=("digest(String text)",))
def digest(value: Value) -> str:
    """Return the digest of a String by the setting digest_algorithm, which is SHA-256.

    > digest('abc')
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    return _digest("sha256", value)


_DRAWN = 100_000  # words of 32 bits that are drawn in one call


class RubyRandom:
    """A generator of the random numbers of the released Puppet.

    It is a Mersenne Twister keyed by the 32-bit words of the seed.
    """

    def __init__(self, seed: int) -> None:
        from random import Random

        self._bits = Random(seed).getrandbits

    def draw_below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, drawn 32 bits at a time.

        A greater number is discarded, and another one is drawn.
        """
        most = limit - 1
        mask = (1 << most.bit_length()) - 1
        shifts = range(0, most.bit_length(), 32)[::-1]  # the highest part first
        while True:
            value = 0
            for shift in shifts:
                value |= (self._bits(32) << shift) & mask
                # a greater number is discarded before its lower parts are drawn
                if value >> shift > most >> shift:
                    break
            else:
                return value

    def draw_string(self, length: int, characters: str) -> str:
        """Return a string of characters, each as `draw_below` draws its number.

        Many numbers are drawn in one call.
        """
        most = len(characters) - 1
        if most >= 256:  # a number has more than the lowest byte of a word
            return "".join([characters[self.draw_below(most + 1)] for _ in range(length)])
        mask = (1 << most.bit_length()) - 1
        masked = bytes(byte & mask for byte in range(256))
        discarded = bytes(byte for byte in range(256) if byte & mask > most)
        characters_by_number = str.maketrans(dict(enumerate(characters)))
        parts, room = list[str](), length
        while room > 0:
            count = min(2 * room + 8, _DRAWN)  # more than half of the numbers are not discarded
            drawn = self._bits(32 * count).to_bytes(4 * count, "little")[::4]  # the lowest byte of each word
            numbers = drawn.translate(masked, discarded)[:room]
            parts.append(numbers.decode("latin-1").translate(characters_by_number))
            room -= len(numbers)
        return "".join(parts)


def make_random(parts: list[Value]) -> RubyRandom:
    """Return the generator for a seed of several parts."""
    joined = ":".join(map(_format_seed, parts))
    return RubyRandom(int(hashlib.md5(encode_utf8(joined), usedforsecurity=False).hexdigest(), 16))


@memoize_recursion
def _format_seed(recurse: Value, part: Value) -> str:
    """Return a part of a seed as text: arrays are joined, hashes are formatted as in messages."""
    if type(part) is list:
        return join_checked(":", map(recurse, part))
    return to_ruby_text(part) if type(part) is dict else format_value(part)


def get_fqdn(scope: Scope) -> Value:
    """Return the fact networking.fqdn, or undef."""
    return get_part(scope.runtime.settings.facts.get("networking"), "fqdn")


@function("fqdn_rand(Any p0, Any p1*)", context=True, usage=("fqdn_rand(Integer max, Any seeds*)",))
def fqdn_rand(scope: Scope, limit: Value, seed: Value = None, downcase: Value = None, *rest: Value) -> int:
    """Return a pseudo-random number below max that is constant for one machine, max and seed.

    It spreads the actions of many machines, for example over the minutes of a cron job.

    > fqdn_rand(60, 'backup') == fqdn_rand(60, 'backup')
    true

    > fqdn_rand(1)
    0
    """
    name = get_fqdn(scope)
    if downcase is not None and downcase is not False:
        require(name is not None, "UNDEFINED_METHOD", method="downcase", value="nil:NilClass")
        name = name.lower()
    number = parse_leading_integer(limit) if type(limit) is str else limit
    most = int(number) if type(number) in (int, float) else 0
    require(most >= 1, "RANDOM_LIMIT", value=most)
    return make_random([name, most, seed]).draw_below(most)
