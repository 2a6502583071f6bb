"""The values of the Puppet language.

The rarer ones are imported on first use, which keeps the start-up short.
"""

from typing import TYPE_CHECKING

from evaluator.values.core import (
    DEFAULT,
    DefaultValue,
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
    float_text,
    int_text,
    label,
    literal,
    quoted,
    text,
    to_ruby_text,
    with_article,
    with_capital_article,
)
from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.values.binaries import Binary
    from evaluator.values.objects import PuppetObject
    from evaluator.values.regexps import RegexpValue, compile_ruby
    from evaluator.values.times.timespans import Timespan
    from evaluator.values.times.timestamps import Timestamp
    from evaluator.values.uris import URI
    from evaluator.values.versions import SemVer, SemVerRange

_LAZY = {
    "Binary": "binaries",
    "PuppetObject": "objects",
    "RegexpValue": "regexps",
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
    "DefaultValue",
    "Key",
    "PuppetIterator",
    "PuppetObject",
    "RegexpValue",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "Timespan",
    "Timestamp",
    "Value",
    "compile_ruby",
    "float_text",
    "get",
    "has",
    "hash_of",
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
    "to_ruby_text",
    "unkey",
    "utf8",
    "with_article",
    "with_capital_article",
]

__getattr__ = lazy_attributes(__name__, _LAZY)
