"""stdlib: recognition of numbers, paths and addresses in Strings; IP address functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evaluator.calling.registry import function
from evaluator.functions.navigation import flatten_arrays
from evaluator.issues import Failure, require
from evaluator.values import Value, format_value
from evaluator.values.chunked import find_run_end, has_line_match, has_match
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    parse_float,
    require_string,
)

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network


def read_network(string: str) -> IPv4Network | IPv6Network:
    """Return the network of an address, with `/length`, `/mask` or neither. Raises Failure."""
    import ipaddress

    host, slash, length = string.partition("/")
    bracketed = re.fullmatch(r"\[([^:\n]*:.*)\]", host)
    try:
        address = ipaddress.ip_address(bracketed[1] if bracketed else host)
    except ValueError:
        zeros = re.fullmatch(r"\d+(\.\d+){3}", host) and re.search(r"\b0\d", host)
        raise Failure("ADDRESS_WITH_ZEROS" if zeros else "INVALID_ADDRESS") from None
    bits = _parse_prefix_length(length, address) if slash else address.max_prefixlen
    return ipaddress.ip_network((address, bits), strict=False)


def _parse_prefix_length(length: str, address: Value) -> int:
    """Return the number of bits of the network in an address. Raises Failure."""
    if re.fullmatch(r"0|[1-9]\d*", length, re.ASCII):
        # four digits suffice, and a long number would take time
        require(int(length[:4]) <= address.max_prefixlen, "INVALID_NETWORK_LENGTH", value=int(address))
        return int(length)
    mask = read_network(length).network_address
    ones = f"{int(mask):0{address.max_prefixlen}b}".rstrip("0")
    is_mask = mask.version == address.version and "0" not in ones
    require(is_mask, "INVALID_NETWORK_MASK", mask=length, value=int(address))
    return len(ones)


def is_address(value: Value, *versions: int) -> bool:
    """Return whether a value is an IP address, or network, of one of these versions."""
    if type(value) is not str:
        return False
    try:
        return read_network(value).version in versions
    except Failure:
        return False


def _shorten(network: Value) -> str:
    """Return the shortest form of a network's address.

    If only its last 32 bits are set, or they follow `ffff` alone, they are in IPv4 form.
    """
    short = str(network.network_address)
    tail = re.fullmatch(r"::(ffff:)?([\da-f]{1,4}):([\da-f]{1,4})", short)
    if tail is None:
        return short
    high, low = int(tail[2], 16), int(tail[3], 16)
    return f"::{tail[1] or ''}{high >> 8}.{high & 255}.{low >> 8}.{low & 255}"


@function(
    "enclose_ipv6(Any p0)",
    count="ARGUMENT_COUNT_FOR",
    takes="1",
    usage=("enclose_ipv6(Variant[String, Array[String]] addresses)",),
)
def enclose_ipv6(addresses: Value) -> list[str]:
    """Put IPv6 addresses in brackets; IPv4 addresses and '*' are unchanged.

    > enclose_ipv6(['10.0.0.1', '::1'])
    ['10.0.0.1', '[::1]']
    """
    require(type(addresses) in (str, list), "ENCLOSE_ARGUMENT", actual=get_ruby_class(addresses))
    result: dict[str, None] = {}
    for value in flatten_arrays([addresses]):
        if value is None:
            continue
        address = format_value(value)
        if address != "*":
            try:
                network = read_network(address)
            except Failure:
                raise Failure("ENCLOSE_ADDRESS", value=address) from None
            address = f"[{_shorten(network)}]" if network.version == 6 else address
        result[address] = None
    return list(result)


@function("stdlib::ip_in_range(String ipaddress, Variant[String, Array] range)")
def ip_in_range(address: str, ranges: Value) -> bool:
    """Return whether an IP address is in a network, or in one of several.

    > stdlib::ip_in_range('10.0.0.1', '10.0.0.0/8')
    true
    """
    parsed = read_network(address).network_address
    networks = []
    for part in [ranges] if type(ranges) is str else ranges:
        require(type(part) is str, "ADDRESS_FAMILY_MISSING")
        networks.append(read_network(part))
    return any(parsed in network for network in networks)


# --- tests of one value. In Ruby, `^` and `$` match at the ends of every line, hence re.MULTILINE.

_INTEGER = re.compile(r"^-?(?:[1-9][0-9]*|0)$", re.MULTILINE)
_NUMERIC = re.compile(r"^-?(?:[1-9][0-9]*|0)(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?$", re.MULTILINE)
_ABSOLUTE = re.compile(
    r"^(?:/|[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)", re.MULTILINE
)
_LABEL = re.compile(r"^[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?$", re.MULTILINE)
_LAST_LABEL = re.compile(r"^[A-Za-z]+$", re.MULTILINE)
# The parts of an e-mail address. Before the `@`, it begins with a character of a word, and no two others are adjacent.
_WORD = re.compile(r"[\w+\-]", re.ASCII)
_NO_WORDS = re.compile(r"[^\w+\-]{2}|\n", re.ASCII)
_HOST, _LABELS = re.compile(r"[a-z\d\-]*", re.ASCII), re.compile(r"[a-z.]*")
# of 6 bytes or, for InfiniBand, 20
_MAC = re.compile(r"^(?:[0-9a-fA-F]{2}:){5}(?:(?:[0-9a-fA-F]{2}:){14})?[0-9a-fA-F]{2}$", re.MULTILINE)


def is_integer_text(value: Value) -> bool:
    """Return whether a value is an Integer, or its decimal form without leading zeros."""
    return type(value) is int or (type(value) is str and has_line_match(_INTEGER, value))


def is_float_text(value: Value) -> bool:
    """Return whether a value is a Float, or a String exactly as a Float is printed."""
    if type(value) is not str:
        return type(value) is float
    number = parse_float(value)
    return number is not None and format_value(number) == value


def is_numeric_text(value: Value) -> bool:
    """Return whether a value is a number, or its decimal form without leading zeros."""
    return type(value) in (int, float) or (type(value) is str and has_line_match(_NUMERIC, value))


def is_text(value: Value) -> bool:
    """Return whether a value is a String that is not the form of a number; undef counts as ''."""
    if type(value) is not str:
        return value is None
    return not (is_float_text(value) or (re.fullmatch(r"-?\d+", value) and str(int(value)) == value))


def is_domain(value: Value) -> bool:
    """Return whether a value is a domain name.

    The last of several labels has only letters; a dot at the end is allowed.
    """
    if type(value) is not str or not value or len(value) > 255:
        return False
    *labels, last = value.removesuffix(".").split(".")
    if value == ".":
        return True
    return all(map(_LABEL.search, [*labels, last])) and (not labels or _LAST_LABEL.search(last) is not None)


def is_absolute(value: Value) -> bool:
    """Return whether a value is an absolute path of Unix or Windows."""
    return type(value) is str and _ABSOLUTE.search(value) is not None


def is_email(value: Value) -> bool:
    """Return whether a value is an e-mail address."""
    if type(value) is not str:
        return False
    user, _, domain = value.rpartition("@")
    host, _, labels = domain.partition(".")
    return (
        _WORD.match(user) is not None
        and not has_match(_NO_WORDS, user, longest=2)
        and host != ""
        and find_run_end(_HOST, host) == len(host)
        and find_run_end(_LABELS, labels) == len(labels)
        and ".." not in f".{labels}."
    )


def is_mac_address(value: Value) -> bool:
    """Return whether a String is a hardware address; raise Failure for other values."""
    require_string(type(value) is str, get_ruby_class_name(value))
    return _MAC.search(value) is not None
