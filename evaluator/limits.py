"""The published limits: how much a program may make before it is stopped. Each can be set by its name."""

from __future__ import annotations

from lexer_parser.errors import PuppetError


class Limit:
    """A limit: its name, the amount in force (`value`), and what is counted, in words."""

    __slots__ = ("default", "name", "value", "words")

    def __init__(self, name: str, default: int, words: str) -> None:
        self.name = name
        self.default = default
        self.value = default
        self.words = words

    def exceeded(self) -> PuppetError:
        """The error for a value beyond the limit; it names the setting."""
        return PuppetError(
            "LIMIT_EXCEEDED",
            f"More than {self.value:,} {self.words}; the limit is the setting '{self.name}'",
            help=f"raise the setting '{self.name}' if this is meant",
        )

    def check(self, amount: int) -> None:
        """Raises the error when `amount` is beyond the limit; call it *before* the value is built."""
        if amount > self.value:
            raise self.exceeded()


STRING = Limit("max_string_length", 64 * 1024 * 1024, "characters in one string")
COLLECTION = Limit("max_collection_size", 10_000_000, "entries in one array or hash")
INTEGER = Limit("max_integer_bits", 256 * 1024, "bits in one integer")
RESOURCES = Limit("max_resources", 100_000, "resources in the catalog")
REGEXP = Limit("max_regexp_seconds", 2, "seconds for one match of a regular expression")
MEMORY = Limit("max_memory", 512 * 1024 * 1024, "bytes of memory for one cell")
OUTPUT = Limit("max_output_length", 10_000_000, "characters of output")

LIMITS = {limit.name: limit for limit in (STRING, COLLECTION, INTEGER, RESOURCES, REGEXP, MEMORY, OUTPUT)}
