"""Messages between this process and Ruby: their values as JSON, their checks, completed exchanges.

A value that JSON lacks is an object whose first key is a mark of one letter, such as `{"s": …}` for a Sensitive. The
marks are in `ValueCodec.encode`, `_ENCODERS` and `_DECODERS`; `scripts/values.rb` is the other side. `companion`
exchanges the messages.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.calling.dispatch import to_legacy
from evaluator.kinds.collections import list_elements
from evaluator.kinds.objects import make_sensitive
from evaluator.limits import COLLECTION, STRING
from evaluator.program import lifetimes
from evaluator.program.definitions import LambdaBlock
from evaluator.ruby.callbacks import HANDLERS
from evaluator.types import ANY, ClassType, ResourceType, make_entry_type
from evaluator.types.lazy_types import get_lookup_context_type
from evaluator.types.objects import ObjectType
from evaluator.values import (
    DEFAULT,
    URI,
    Binary,
    PuppetIterator,
    PuppetObject,
    RegexpValue,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    Value,
    format_value,
    iterate_items,
    make_hash,
)
from evaluator.values.kind import REGEXP, RESOURCE, TYPE, get_kind
from evaluator.values.ruby_values import get_ruby_class
from evaluator.values.yaml_format import RubyObject
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


_PRIMITIVES = frozenset({bool, int, float, str, type(None)})
_LARGE_HASH = 20  # the least number of entries of a hash whose JSON is cached
_MOST_HASHES = 50  # hashes in the cache
# The bits of Ruby's options of regular expressions, by their letters.
_REGEXP_OPTIONS = {"i": 1, "m": 4, "x": 2}

_SCOPE = ObjectType("Puppet::Parser::Scope", ANY)


class ScopeHandle(PuppetObject):
    """A scope that Ruby passes as a value."""

    __slots__ = ()


# Functions that return the JSON of values, by the classes of the values.
_ENCODERS: dict[type, Callable[[Value], dict[str, Value]]] = {
    Binary: lambda value: {"b": value.base64()},
    SemVer: lambda value: {"v": value.text()},
    SemVerRange: lambda value: {"w": value.text()},
    Timestamp: lambda value: {"t": value.nanoseconds},
    Timespan: lambda value: {"i": value.nanoseconds},
    URI: lambda value: {"u": format_value(value)},
    RubyObject: lambda value: {"x": value.string, "class": value.runtime_name},
}


class ValueCodec(Record):
    """A converter of values to JSON and back.

    Attributes:
        handles: The values that Ruby refers to by their index, because it can only print them and pass them back.
    """

    _runtime: Runtime
    handles: list[Value] = fresh(factory=list)
    # The JSON of large hashes, by the id of the hash, because templates read the same facts repeatedly. The hashes are
    # stored too, so that their ids are not reused.
    _hashes: MemoTable[int, tuple[Value, Value]] = fresh(
        factory=lambda: MemoTable("hashes for Ruby", _MOST_HASHES)
    )

    def encode(self, value: Value) -> Value:
        """Return the JSON of a value."""
        value_class = type(value)
        if value_class in _PRIMITIVES:
            return value
        if value_class is PuppetIterator:  # a Ruby function may iterate over it as over an array
            return self.encode(list_elements(value, "Array"))
        if value_class is list:
            return [self.encode(entry) for entry in value]
        if value_class is dict:
            return self._encode_hash(value)
        if isinstance(value, Sensitive):
            return {"s": self.encode(value.value)}
        if value is DEFAULT:
            return {"d": 1}
        if isinstance(value, ScopeHandle):
            return {"z": value.attributes["number"]}
        if get_kind(value) is REGEXP:
            return {"r": value.text()[1:-1] if value.flags else value.source}
        encoder = _ENCODERS.get(value_class)
        if encoder is not None:
            return encoder(value)
        self.handles.append(value)
        number = len(self.handles) - 1
        if get_kind(value) in (TYPE, RESOURCE):
            is_reference = isinstance(value, ClassType | ResourceType) and value.type_name is not None
            return {
                "y": format_value(value),
                "number": number,
                "key": [value.type_name, value.title] if is_reference else None,
            }
        if isinstance(value, LambdaBlock):
            return {"l": number, "takes": value.min, "splat": value.max != value.min}
        # In Ruby, the context of a data provider is an object with methods.
        mark = "k" if isinstance(value, PuppetObject) and value.type is get_lookup_context_type() else "o"
        return {mark: number, "class": get_ruby_class(value), "text": format_value(value)}

    def _encode_hash(self, value: dict[Value, Value]) -> Value:
        """Return the JSON of a hash; that of a large one is cached if it contains no handles."""
        cached = self._hashes.get(id(value))
        if cached is None:
            count = len(self.handles)
            pairs = [[self.encode(key), self.encode(entry)] for key, entry in iterate_items(value)]
            cached = value, {"h": pairs}
            if len(self.handles) == count and len(pairs) >= _LARGE_HASH:
                self._hashes[id(value)] = cached
        return cached[1]

    def encode_older(self, value: Value) -> Value:
        """Return the JSON of an argument of a function of the older interface.

        The value undef becomes '', rich values strings, and references resources. Raises Failure for other values.
        """
        return "" if value is None else self._encode_references(value)

    def _encode_references(self, value: Value) -> Value:
        if type(value) is list:
            return [self._encode_references(entry) for entry in value]
        if type(value) is dict:
            return {"h": [list(map(self._encode_references, pair)) for pair in iterate_items(value)]}
        value = to_legacy(value)
        if isinstance(value, ResourceType) and value.type_name is not None:
            return {"c": [value.type_name, value.title or ""]}
        return self.encode(value)

    def decode(self, value: Value) -> Value:
        """Return the value of JSON. Raises Failure for an invalid type, PuppetError above a limit."""
        if type(value) is list:
            COLLECTION.check(len(value))
            return [self.decode(entry) for entry in value]
        if type(value) is str:
            STRING.check(len(value))
        if type(value) is not dict:
            return value
        mark, content = next(iter(value.items()))
        return _DECODERS[mark](self, content, value)

    def decode_hash(self, pairs: Value) -> Value:
        """Return the hash of pairs of JSON. Raises PuppetError above a limit."""
        COLLECTION.check(len(pairs))
        return make_hash((self.decode(key), self.decode(entry)) for key, entry in pairs)

    def parse_type(self, source: str) -> Value:
        """Return the type with this text. Raises Failure for an invalid one."""
        return self._runtime.names.parse_type(source)


def _decode_regexp(source: str, options: int) -> RegexpValue:
    return RegexpValue(source, "".join(letter for letter, bit in _REGEXP_OPTIONS.items() if options & bit))


# For each mark a function that returns the value of an object. Its arguments are the codec, the content under the mark,
# and the whole object.
_DECODERS: dict[str, Callable[[ValueCodec, Value, dict[str, Value]], Value]] = {
    "b": lambda codec, content, _: Binary.of_base64(content),
    "v": lambda codec, content, _: SemVer.parse(content),
    "w": lambda codec, content, _: SemVerRange.parse(content),
    "t": lambda codec, content, _: Timestamp(content),
    "i": lambda codec, content, _: Timespan(content),
    "u": lambda codec, content, _: URI.parse(content),
    "d": lambda codec, content, _: DEFAULT,
    "x": lambda codec, content, _: RubyObject(str(content)),
    "z": lambda codec, number, _: ScopeHandle(_SCOPE, {"number": number}),
    "h": lambda codec, pairs, _: codec.decode_hash(pairs),
    "s": lambda codec, inner, _: make_sensitive(codec.decode(inner)),
    "r": lambda codec, source, encoded: _decode_regexp(source, encoded["options"]),
    "y": lambda codec, source, _: codec.parse_type(source),
    "c": lambda codec, parts, _: make_entry_type(*parts),
    "o": lambda codec, number, _: codec.handles[number],
    "n": lambda codec, name, encoded: RubyObject(encoded["text"], name),
}


# --- checks of messages from Ruby: code of modules can write anything to the pipe itself


Message = dict[str, Any]

# The keys of a message: a callback, a log line, a response, an exception, or the end of Ruby.
_KEYS_OF_MESSAGES = ({"query"}, {"log", "text"}, {"value"}, {"raise", "kind"}, {"ended"})


def parse_message(line: bytes) -> Message | None:
    """Return the message in a line; None for an invalid one."""
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not any(keys <= message.keys() for keys in _KEYS_OF_MESSAGES):
        return None
    if "log" in message and not (type(message["log"]) is type(message["text"]) is str):
        return None
    query = message.get("query", "call")  # "call": any callback that has a handler
    return message if type(query) is str and query in HANDLERS else None


_LONGEST_SHARED = 20_000  # characters of a response and its callbacks up to which programs share it
_SENSITIVE = '{"s": '  # marks a Sensitive value in the JSON of messages


class Exchange(Record):
    """A request that Ruby has responded to.

    Attributes:
        ending: The last message: a response or an exception.
        callbacks: Ruby's callbacks, each with the text of the result that was sent.
        logs: The level and text of each message that Ruby logged.
    """

    ending: Message = fresh(factory=dict)
    callbacks: list[tuple[Message, str]] = fresh(factory=list)
    logs: list[tuple[str, str]] = fresh(factory=list)

    @property
    def response(self) -> Value:
        """The value of the response."""
        return self.ending["value"]

    def is_shareable(self, request: str, written: int) -> bool:
        """Return True if other programs may use the exchange for the same request.

        It is short, has no secret, and `logs` are all that was logged.

        Args:
            request: The text of the request.
            written: The number of characters that were logged during the exchange.
        """
        text = "".join((json.dumps(self.ending), *(sent for _, sent in self.callbacks)))
        # 1: the end of each line, which `logs` may have or not
        are_logs_complete = written == sum(len(line.rstrip()) + 1 for _, line in self.logs)
        if not are_logs_complete or len(text) > _LONGEST_SHARED:
            return False
        return _SENSITIVE not in text + request and not lifetimes.has_secret(text + request)
