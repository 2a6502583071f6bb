"""Puppet's values. The rarer ones are imported when first asked for, which keeps the start short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.values.core import (
    DEFAULT,
    Default,
    Key,
    PuppetIterator,
    Sensitive,
    get,
    has,
    hash_of,
    is_deferred,
    is_type,
    items,
    iterate,
    key,
    keys,
    unkey,
    utf8,
)
from evaluator.values.kind import Value
from evaluator.values.printing import (
    an,
    an_upper,
    float_text,
    host_text,
    int_text,
    label,
    literal,
    quoted,
    text,
)
from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.values.binaries import Binary
    from evaluator.values.objects import PuppetObject
    from evaluator.values.regexps import Regexp, compile_ruby
    from evaluator.values.times.timespans import Timespan
    from evaluator.values.times.timestamps import Timestamp
    from evaluator.values.uris import URI
    from evaluator.values.versions import SemVer, SemVerRange

_LAZY = {
    "Binary": "binaries",
    "PuppetObject": "objects",
    "Regexp": "regexps",
    "SemVer": "versions",
    "SemVerRange": "versions",
    "Timespan": "times.timespans",
    "Timestamp": "times.timestamps",
    "URI": "uris",
    "compile_ruby": "regexps",
}

__all__ = [
    "DEFAULT",
    "URI",
    "Binary",
    "Default",
    "Key",
    "PuppetIterator",
    "PuppetObject",
    "Regexp",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "Timespan",
    "Timestamp",
    "Value",
    "an",
    "an_upper",
    "compile_ruby",
    "float_text",
    "get",
    "has",
    "hash_of",
    "host_text",
    "int_text",
    "is_deferred",
    "is_type",
    "items",
    "iterate",
    "key",
    "keys",
    "label",
    "literal",
    "quoted",
    "text",
    "unkey",
    "utf8",
]

__getattr__ = lazy_attributes(__name__, _LAZY)
