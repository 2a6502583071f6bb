"""The published limits: how much a program may make before it is stopped. Each can be set by its name.

A session has amounts of its own (`Session(limits={"max_resources": 10})`). While one of its programs runs they
are in force: `install` puts them into the Limit objects, so that a check costs one attribute and no look-up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluator.issues import error
from lexer_parser.errors import PuppetError

Amounts = dict[str, float]


class Limit:
    """A limit: its name, the amount in force (`value`), what is counted, in words, and the most it may be."""

    __slots__ = ("default", "most", "name", "value", "words")

    def __init__(self, name: str, default: Any, words: str, most: float = float("inf")) -> None:
        self.name = name
        self.default = default
        self.value = default
        self.words = words
        self.most = most

    def make_error(self, code: str = "LIMIT_EXCEEDED") -> PuppetError:
        """The error for what is beyond the limit; it names the setting."""
        return error(code, number=f"{self.value:,}", counted=self.words, setting=self.name)

    def amount(self, given: object) -> Any:
        """An amount as it can be set: a number, or its text, where the thousands may be set off.

        Raises ValueError for another value.
        """
        number: Any = given
        if isinstance(given, str):
            try:
                number = float(given.replace(",", "").replace("_", ""))
            except ValueError:
                number = None
        kind = type(self.default)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number <= self.most:
            most = f", at most {self.most:,}" if self.most < float("inf") else ""
            raise ValueError(f"the limit '{self.name}' is a number greater than 0{most}, not {given!r}")
        if number == float("inf") != self.default or kind(number) != number:
            raise ValueError(f"the limit '{self.name}' is a whole number, not {given!r}")
        return kind(number)

    def check(self, amount: float) -> None:
        """Raises the error when `amount` is beyond the limit; call it *before* the value is built."""
        if amount > self.value:
            raise self.make_error()

    def check_range(self, numbers: range) -> None:
        """As `check` of its length, which may be more than Python can count."""
        if numbers[self.value :]:
            raise self.make_error()


MEGA = 1024 * 1024

SOURCE = Limit("max_source_length", 16 * MEGA, "characters of source")
NESTING = Limit("max_nesting", 10_000, "levels of nesting")
# a frame has a place on the stack, for which the system must give address space: five gigabytes at most
CALLS = Limit(
    *("max_call_frames", 100_000, "frames of calls within calls; a call of a function takes two or more"),
    most=1_000_000,
)
STRING = Limit("max_string_length", 64 * MEGA, "characters in one string")
COLLECTION = Limit("max_collection_size", 10_000_000, "entries in one array or hash")
# a value may contain itself many times over: few entries, and no end of nodes
TREE = Limit("max_tree_nodes", 10_000_000, "nodes visited in one tree")
# The longest that CPython divides (20 ms) and prints (100 ms) before it listens to an interrupt: its time grows with
# the square of the length, and a number of a million digits takes it six seconds.
INTEGER = Limit("max_integer_bits", 256 * 1024, "bits in one integer")
RESOURCES = Limit("max_resources", 100_000, "resources in the catalog")
# with what else such a program does, it ends within two seconds
REGEXP = Limit("max_regexp_seconds", 1.5, "seconds for one match of a regular expression")
RUBY = Limit("max_ruby_seconds", 60.0, "seconds for one call of Ruby code")
PATTERN = Limit(
    "max_regexp_size", 200_000, "characters in a regular expression whose repetitions are written out"
)
SECONDS = Limit("max_seconds", float("inf"), "seconds for one cell")
MEMORY = Limit("max_memory", 512 * MEGA, "bytes of memory for one cell")
OUTPUT = Limit("max_output_length", 10_000_000, "characters of output")
YAML = Limit("max_yaml_length", 10_000_000, "characters of YAML")

LIMITS = {
    limit.name: limit
    for limit in (
        *(SOURCE, NESTING, CALLS, STRING, COLLECTION, TREE, INTEGER, RESOURCES),
        *(REGEXP, PATTERN, RUBY, SECONDS, MEMORY, OUTPUT, YAML),
    )
}


def amounts(given: Mapping[str, float | str] | None = None) -> Amounts:
    """The amounts of all limits: the defaults and what is given. Raises ValueError for what is no limit."""
    found = {name: limit.default for name, limit in LIMITS.items()}
    for name, amount in (given or {}).items():
        if name not in found:
            raise ValueError(f"there is no limit '{name}'; there are: {', '.join(found)}")
        found[name] = LIMITS[name].amount(amount)
    return found


def install(new: Mapping[str, float]) -> Amounts:
    """Puts amounts in force, for the whole process, and gives those that were."""
    former = {}
    for name, amount in new.items():
        former[name] = LIMITS[name].value
        LIMITS[name].value = amount
    return former
