"""The published limits of programs, each of which can be set by its name.

A program that exceeds a limit is stopped. A session has amounts of its own (`Session(limits={"max_resources": 10})`),
which are in force while one of its programs runs: `install` assigns them to the `Limit` objects, so that a check takes
one attribute access and no look-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from evaluator.issues import make_error
from lexer_parser.errors import PuppetError

Amounts = dict[str, float]  # of all limits, by name


class MemoryExceeded(MemoryError):
    """Raised when a program exceeds its memory; the system raises MemoryError itself."""


class Limit:
    """A published limit.

    Attributes:
        name: The name of the setting that changes it.
        default: The amount if the setting is not used.
        value: The amount in force.
        words: A phrase for the counted things, with their unit.
        most: The largest amount that can be set.
    """

    def __init__(self, name: str, default: float, words: str, most: float = float("inf")) -> None:
        self.name = name
        # Any: each limit is either an integer or a float throughout, and its users know which.
        self.default: Any = default
        self.value: Any = default
        self.words = words
        self.most = most

    def make_error(self, code: str = "LIMIT_EXCEEDED") -> PuppetError:
        """Return the error for exceeding the limit, which names the setting."""
        return make_error(code, number=f"{self.value:,}", counted=self.words, setting=self.name)

    def parse_amount(self, amount: object) -> float:
        """Return an amount that a user sets, as a number of the limit's own class.

        Args:
            amount: A number, or a string with a number, whose thousands may be separated by commas or underscores.

        Raises:
            ValueError: The value is not a number that the limit can have.
        """
        number: Any = amount
        if isinstance(amount, str):
            try:
                number = float(amount.replace(",", "").replace("_", ""))
            except ValueError:
                number = None
        number_class: type[float] = type(self.default)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number <= self.most:
            most = f", at most {self.most:,}" if self.most < float("inf") else ""
            raise ValueError(f"the limit '{self.name}' is a number greater than 0{most}, not {amount!r}")
        # infinite is only a limit that is so by default
        if (number == float("inf") and self.default != number) or number_class(number) != number:
            raise ValueError(
                f"the limit '{self.name}' is a {'whole' if number_class is int else 'finite'} number, not {amount!r}"
            )
        return number_class(number)

    def check(self, amount: float) -> None:
        """Raise the error when an amount exceeds the limit; call this *before* building the value."""
        if amount > self.value:
            raise self.make_error()

    def check_range(self, numbers: range) -> None:
        """Raise the error when a range is longer than the limit; `len` fails for very long ranges."""
        if numbers[self.value :]:
            raise self.make_error()


MEGA = 1024 * 1024

SOURCE = Limit("max_source_length", 16 * MEGA, "characters of source")
NESTING = Limit("max_nesting", 10_000, "levels of nesting")
# Each frame takes 5,400 bytes of stack, for which the system must reserve address space: at most five gigabytes.
CALLS = Limit(
    "max_call_frames",
    100_000,
    "frames of calls within calls; a call of a function takes two or more",
    most=1_000_000,
)
STRING = Limit("max_string_length", 64 * MEGA, "characters in one string")
COLLECTION = Limit("max_collection_size", 10_000_000, "entries in one array or hash")
# A value may contain another one many times at each level: few entries can make an exponential number of nodes.
TREE = Limit("max_tree_nodes", 10_000_000, "nodes visited in one tree")
# CPython divides an integer of this length in 20 ms and prints it in 100 ms, during which it cannot be interrupted.
# The time grows with the square of the length: a number of a million digits takes six seconds.
INTEGER = Limit("max_integer_bits", 256 * 1024, "bits in one integer")
RESOURCES = Limit("max_resources", 100_000, "resources in the catalog")
# Together with its other work, a program whose match is stopped then ends within two seconds.
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
        SOURCE,
        NESTING,
        CALLS,
        STRING,
        COLLECTION,
        TREE,
        INTEGER,
        RESOURCES,
        REGEXP,
        PATTERN,
        RUBY,
        SECONDS,
        MEMORY,
        OUTPUT,
        YAML,
    )
}


DEFAULTS: Amounts = {name: limit.default for name, limit in LIMITS.items()}


def collect_amounts(changed: Mapping[str, float | str] | None = None) -> Amounts:
    """Return the amounts of all limits by name.

    Args:
        changed: The amounts that differ from the defaults; see `Limit.parse_amount`.

    Raises:
        ValueError: A limit with this name does not exist, or it cannot have the amount.
    """
    amounts = dict(DEFAULTS)
    for name, amount in (changed or {}).items():
        if name not in amounts:
            raise ValueError(f"there is no limit '{name}'; there are: {', '.join(amounts)}")
        amounts[name] = LIMITS[name].parse_amount(amount)
    return amounts


@contextmanager
def lift_lowered() -> Iterator[None]:
    """Lift lowered limits to their defaults for the duration of the block.

    Results that were permitted before the limits were lowered are computed again there.
    """
    former = install({name: max(limit.value, limit.default) for name, limit in LIMITS.items()})
    try:
        yield
    finally:
        install(former)


_in_force: Mapping[str, float] = DEFAULTS


def install(new: Mapping[str, float]) -> Mapping[str, float]:
    """Put the amounts of all limits in force in this process; return the former ones."""
    global _in_force
    former = _in_force
    if new != former:  # most sessions have the same amounts
        for name, amount in new.items():
            LIMITS[name].value = amount
    _in_force = new
    return former


# The limit of the stack of the programs that this process starts, such as Ruby: bytes as text, "" for the limit of this
# process itself. `stack_threads.use_main_thread` raises that and sets this to the former limit.
stack_of_programs = ""
