"""The merge strategies: they combine the values of several levels for one name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce

from evaluator.functions.grouping import sort_values
from evaluator.functions.navigation import flatten_arrays
from evaluator.issues import make_error, require
from evaluator.limits import COLLECTION
from evaluator.program.definitions import MISSING
from evaluator.types import parse_type
from evaluator.types.puppet_wording import check
from evaluator.values import Value, make_key
from evaluator.values.ruby_values import to_ruby_s
from lexer_parser.dialect import PUPPET

# The type of the options of a merge with one of the strategies `DEEP`.
DEEP_OPTIONS = (
    "Struct[{'strategy' => Any, Optional['knockout_prefix'] => Optional[String],"
    " Optional['sort_merged_arrays'] => Optional[Boolean], Optional['merge_hash_arrays'] => Optional[Boolean]}]"
)
DEEP = ("deep", "unconstrained_deep", "reverse_deep")
STRATEGIES = (None, "first", "unique", "hash", *DEEP)


def read_merge_options(merge_option: Value) -> dict[Value, Value]:
    """Return the options of a merge, with the entry `strategy`.

    Args:
        merge_option: The value of the option `merge`: the strategy, or a hash with the strategy and its options.

    Raises:
        Failure: The strategy is unknown, or does not take the options.
    """
    if type(merge_option) is dict:
        options: dict[Value, Value] = merge_option
        require("strategy" in options, "MERGE_STRATEGY_MISSING")
        expected = DEEP_OPTIONS if options["strategy"] in DEEP else "Struct[{'strategy' => Any}]"
        check("The merge options", parse_type(expected, PUPPET), options)
    else:
        options = {"strategy": merge_option}
    strategy = options["strategy"]
    require(strategy in STRATEGIES, "UNKNOWN_MERGE_STRATEGY", strategy=to_ruby_s(strategy))
    return options


def merge(level_values: Iterable[Value], merge_option: Value) -> Value:
    """Return the merged value; MISSING if there are no values.

    Args:
        level_values: The values of the levels, in order of priority. The strategy `first` takes only one of them.
        merge_option: As for `read_merge_options`.

    Raises:
        Failure: The strategy is unknown, or cannot merge the values.
        PuppetError: A value has the wrong type for the strategy.
    """
    options = read_merge_options(merge_option)
    strategy = options["strategy"]
    if strategy in (None, "first"):
        return next(iter(level_values), MISSING)
    values = list(level_values)
    if not values:
        return MISSING
    if len(values) == 1:
        return _flatten_single(values) if strategy == "unique" else values[0]
    if strategy == "unique":
        first = values[0] if type(values[0]) is list else values[:1]
        _check_each([first, *values[1:]], "Variant[Scalar, Array[Data]]")
        return _remove_repeats(flatten_arrays(values))
    if strategy == "hash":
        _check_each(values, "Hash[String, Data]")
        return reduce(lambda below, above: {**below, **above}, reversed(values))
    require(options.get("knockout_prefix") != "", "EMPTY_KNOCKOUT_PREFIX")
    merge_two = partial(_merge_deeply, options)
    if strategy == "reverse_deep":
        return reduce(merge_two, values)
    # Nothing is merged into a plain value: the levels below it do not count.
    return reduce(
        lambda above, below: (
            merge_two(below, above) if above is None or type(above) in (dict, list) else above
        ),
        values,
    )


def _flatten_single(values: list[Value]) -> list[Value]:
    """Return the only value as a flat array.

    As released, repeated elements are removed before arrays in it are flattened; of several values, afterwards.
    """
    value = values[0]
    return flatten_arrays(_remove_repeats(value)) if type(value) is list else values


def _remove_repeats(values: Iterable[Value]) -> list[Value]:
    return list({make_key(value): value for value in values}.values())


def _check_each(values: list[Value], expected: str) -> None:
    """Raise PuppetError for a value of the wrong type.

    Values are merged two at a time, so each value after the first is the second element in messages.
    """
    for index, value in enumerate(values):
        subject = f"The {'second' if index else 'first'} element of the merge"
        check(subject, parse_type(expected, PUPPET), value, "LOOKUP_MERGE", make_error)


# --- deep merges, as the released Puppet does them, with the oddities of its library in Ruby


def _merge_deeply(options: dict[str, Value], below: Value, above: Value) -> Value:
    """Return the value above merged into the one below.

    Hashes are merged by key and arrays are joined; anything else replaces the value below.
    """
    if above is None:
        return below
    if _is_nothing(below):
        return above
    if type(above) is dict:
        merge_hash = _merge_hashes if type(below) is dict else _replace_by_hash
        return merge_hash(options, below, above)
    if type(above) is list:
        if type(below) is list:
            return _merge_arrays(options, below, above)
        return [item for item in above if not _is_knockout(options, item)]
    return "" if _is_knockout(options, above) else above


def _is_nothing(value: Value) -> bool:
    """Return True for a value that is false in a condition of Ruby."""
    return value is None or value is False


def _merge_hashes(
    options: dict[str, Value], below: dict[Value, Value], above: dict[Value, Value]
) -> dict[Value, Value]:
    COLLECTION.check(len(below) + len(above))
    result = dict(below)
    for name, value in above.items():
        former = result.get(name)
        result[name] = (
            _merge_with_itself(options, value, in_place=False)
            if _is_nothing(former)
            else _merge_deeply(options, former, value)
        )
    return result


def _replace_by_hash(options: dict[str, Value], below: Value, above: dict[Value, Value]) -> Value:
    """Return the result of a hash over a value that is not a hash.

    As released, an empty hash changes nothing, and all entries but the first are merged with themselves.
    """
    entries = iter(above.items())
    result = dict([next(entries)]) if above else below
    for name, value in entries:
        result[name] = _merge_with_itself(options, value, in_place=True)
    return result


def _is_knockout(options: dict[str, Value], item: Value) -> bool:
    """Return True for a string with the knockout prefix, which removes the string after it."""
    return (
        bool(options.get("knockout_prefix"))
        and type(item) is str
        and item.startswith(options["knockout_prefix"])
    )


def _merge_with_itself(options: dict[str, Value], value: Value, *, in_place: bool) -> Value:
    """Return a value that has nothing below it; as released, it is merged with itself.

    Args:
        options: The options of the strategy.
        value: The value.
        in_place: False if Ruby merges an array with a copy of it. True if both are the same object, as in a hash that
            has nothing below it: Ruby then removes elements from an array while it iterates over it.
    """
    if type(value) is dict:
        return {name: _merge_with_itself(options, item, in_place=True) for name, item in value.items()}
    if type(value) is not list:
        return "" if _is_knockout(options, value) else value
    if in_place and options.get("knockout_prefix"):
        value = _knock_out_in_place(options, value)
        return _join_arrays(options, value, value)
    return _merge_arrays(options, value, value)


def _knock_out_in_place(options: dict[str, Value], items: list[Value]) -> list[Value]:
    """Return an array without the elements that its own knockout strings remove in Ruby.

    Ruby iterates over the array and moves the elements that remain to its front. A knockout string removes elements
    from the same array, so that the iteration skips those that move to earlier positions.
    """
    prefix = options["knockout_prefix"]
    if prefix in items:  # the prefix alone removes all
        return []
    read_index = write_index = 0
    items = list(items)
    while read_index < len(items):
        item = items[read_index]
        if _is_knockout(options, item):
            removed = (item, item[len(prefix) :])
            items = [each for each in items if each not in removed]
        else:
            items[write_index] = item
            write_index += 1
        read_index += 1
    return items[:write_index] + items[read_index:]


def _merge_arrays(options: dict[str, Value], below: list[Value], above: list[Value]) -> list[Value]:
    """Return two arrays as one, without the elements that the array above knocks out."""
    prefix = options.get("knockout_prefix")
    if prefix:
        knockouts = [item for item in above if _is_knockout(options, item)]
        removed = [*knockouts, *(item[len(prefix) :] for item in knockouts)]
        below = [] if prefix in knockouts else [item for item in below if item not in removed]
        above = [item for item in above if not _is_knockout(options, item)]
    return _join_arrays(options, below, above)


def _join_arrays(options: dict[str, Value], below: list[Value], above: list[Value]) -> list[Value]:
    """Return two arrays as one, joined, merged or sorted by the options."""
    if options.get("merge_hash_arrays") and all(type(item) is dict for item in (*below, *above)):
        pairs = [_merge_deeply(options, *pair) for pair in zip(below, above, strict=False)]
        result = [*pairs, *below[len(above) :], *above[len(below) :]]
    else:
        result = _remove_repeats([*below, *above])
    if options.get("sort_merged_arrays"):
        result = sort_values(result)
    return result
