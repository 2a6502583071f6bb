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
    encode_utf8,
    get,
    has,
    is_deferred,
    is_type,
    iterate,
    iterate_items,
    list_keys,
    make_hash,
    make_key,
    unkey,
)
from evaluator.values.kind import Value
from evaluator.values.printing import (
    describe_kind,
    format_float,
    format_integer,
    format_literal,
    format_value,
    quote_string,
    to_ruby_text,
)
from lexer_parser.lazy import lazy_attributes
from lexer_parser.tree.labels import add_article, add_capital_article

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
    "add_article",
    "add_capital_article",
    "compile_ruby",
    "describe_kind",
    "encode_utf8",
    "format_float",
    "format_integer",
    "format_literal",
    "format_value",
    "get",
    "has",
    "is_deferred",
    "is_type",
    "iterate",
    "iterate_items",
    "list_keys",
    "make_hash",
    "make_key",
    "quote_string",
    "to_ruby_text",
    "unkey",
]

__getattr__ = lazy_attributes(__name__, _LAZY)
