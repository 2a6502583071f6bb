"""Arrays, Tuples, Hashes and Structs: how they are made of other values."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor
from evaluator.issues import Failure, require
from evaluator.limits import COLLECTION
from evaluator.types import format_general_type, infer_generalized
from evaluator.values.binaries import Binary
from evaluator.values.chunked import iterate_chunks
from evaluator.values.core import get, has, iterate, iterate_items, make_hash, make_key
from evaluator.values.kind import ARRAY, HASH, Value
from lexer_parser.dialect import PUPPET


def list_elements(value: Value, target: str) -> list[Value]:
    """Return the values that iteration yields. Raise Failure for a value that cannot be iterated.

    Args:
        value: The value.
        target: The type to which the value is converted, a key of `_SUBJECTS`. A Binary converts to an Array of bytes.
    """
    if type(value) is Binary and target == "Array":
        return list(value.data)
    iterable = iterate(value)
    if iterable is None:
        raise Failure(
            "VALUE_NOT_CONVERTIBLE",
            subject=_SUBJECTS[target],
            actual=format_general_type(value),
            type=target,
        )
    if type(iterable) is range:
        COLLECTION.check_range(iterable)
    elements = []
    for part in iterate_chunks(iterable):
        elements += part
        COLLECTION.check(len(elements))
    return elements


# The subject in messages about a value that does not convert, by the type.
_SUBJECTS = {"Array": "'new_array' ", "Hash": ""}


def _convert_to_array(value: Value, wrap: bool = False) -> list[Value]:
    if type(value) is list:
        return value
    return [value] if wrap else list_elements(value, "Array")


# The parameters of a signature are rows: the text of the type, the name, and "?" for an optional one.
_ARRAY = Constructor(
    "new_array",
    (
        [("Variant[Array, Hash, Binary, Iterable]", "from", ""), ("Boolean[false]", "wrap", "?")],
        _convert_to_array,
    ),
    ([("Any", "from", ""), ("Boolean[true]", "wrap", "")], _convert_to_array),
)


def _make_array(args: Value) -> Value:
    """Return `Array(value, wrap?)`: a value that cannot be iterated fails, or is wrapped in an array."""
    if len(args) == 1 or (len(args) == 2 and args[1] is False):
        return _convert_to_array(args[0])
    return _ARRAY(args)


ARRAY.set_rules(**_ARRAY.make_rules(_make_array))


# --- hashes


def _convert_pairs(value: list[Value]) -> dict[Value, Value]:
    return make_hash((pair[0], pair[1]) for pair in value)


def _convert_to_hash(value: Value) -> dict[Value, Value]:
    """Return a hash from a hash or from alternating keys and values. Raise Failure for an odd number."""
    if type(value) is dict:
        return value
    flat = list_elements(value, "Hash")
    # As released, a single array that iteration yields has the pairs; an array of one array is an odd number of values.
    if len(flat) == 1 and type(flat[0]) is list and type(value) is not list:
        return _convert_pair_rows(flat[0])
    require(not len(flat) % 2, "HASH_ODD")
    return make_hash(zip(flat[::2], flat[1::2], strict=True))


def _convert_pair_rows(rows: list[Any]) -> dict[Value, Value]:
    """Return a hash from an array of `[key, value]`. Raise Failure for other elements."""
    for index, row in enumerate(rows):
        if type(row) is not list:
            raise Failure("HASH_PAIR_TYPE", actual=infer_generalized(row, PUPPET).keyword, index=index)
        require(1 <= len(row) <= 2, "HASH_PAIR_SIZE", number=len(row))
    return make_hash((row[0], row[1] if len(row) > 1 else None) for row in rows)


def _convert_tree(rows: list[Any], option: str | None = None) -> dict[Value, Value]:
    """Return nested hashes from rows `[path, value]`; without an option the paths are plain keys.

    The option 'hash_tree' converts arrays in the values to hashes with indices as keys; 'tree' modifies copies of them.
    """
    if option is None:
        return _convert_pairs(rows)
    root: dict[Any, Any] = {}
    for path, value in rows:
        value = _convert_arrays_to_hashes(value) if option == "hash_tree" else _copy_deeply(value)
        if path:
            _set_at_path(root, path, value)
        else:
            root.update(_convert_root(value))
    return root


def _convert_root(value: Value) -> dict[Value, Value]:
    """Return the entries of a value that has an empty path. Raise Failure."""
    if type(value) is list:
        return dict(enumerate(value))
    if type(value) is not dict:
        actual = "nil" if value is None else format_general_type(value)
        raise Failure("NO_IMPLICIT_CONVERSION", actual=actual, type="Hash")
    return value


def _convert_arrays_to_hashes(value: Value) -> Value:
    """Return a value with hashes for its arrays, also within them."""
    if type(value) is list:
        return {index: _convert_arrays_to_hashes(element) for index, element in enumerate(value)}
    return _copy_deeply(value)


def _copy_deeply(value: Value) -> Value:
    """Return a value whose arrays and hashes can be set into."""
    if type(value) is list:
        return [_copy_deeply(element) for element in value]
    if type(value) is dict:
        return make_hash((name, _copy_deeply(element)) for name, element in iterate_items(value))
    return value


def _set_at_path(container: Value, path: list[Value], value: Value) -> None:
    """Set the element at a path; hashes are made where nothing is there."""
    for step in path[:-1]:
        container = _get_or_make(container, step)
    _set_element(container, path[-1], value)


def _get_or_make(container: Value, step: Value) -> Value:
    """Return the container at a step of a path; a new hash where a hash has nothing there."""
    if type(container) is dict:
        if not has(container, step):
            container[make_key(step)] = {}
        return get(container, step)
    if type(container) is list:
        index = _check_index(step)
        return container[index] if -len(container) <= index < len(container) else None
    raise Failure("NOTHING_TO_SET_INTO", actual=format_general_type(container))


def _set_element(container: Value, step: Value, value: Value) -> None:
    if type(container) is dict:
        container[make_key(step)] = value
    elif type(container) is list:
        index = _check_index(step)
        COLLECTION.check(index + 1)
        require(index >= -len(container), "INDEX_TOO_SMALL", index=index, minimum=-len(container))
        container.extend([None] * (index + 1 - len(container)))
        container[index] = value
    elif type(container) is str:
        raise Failure("STRING_NOT_MATCHED")
    else:
        name = "nil:NilClass" if container is None else f"{container}:{format_general_type(container)}"
        raise Failure("UNDEFINED_METHOD", method="[]=", value=name)


def _check_index(step: Value) -> int:
    if type(step) is not int:
        raise Failure("NO_IMPLICIT_CONVERSION", actual=format_general_type(step), type="Integer")
    return step


_HASH = Constructor(
    "new_hash",
    (
        [
            ("TreeArray = Array[Tuple[Array, Any], 1]", "from", ""),
            ("NewHashOption = Enum['hash_tree', 'tree']", "build_option", "?"),
        ],
        _convert_tree,
    ),
    ([("KeyValueArray = Array[Tuple[Any, Any], 1]", "from", "")], _convert_pairs),
    ([("Any", "from", "")], _convert_to_hash),
)
HASH.set_rules(**_HASH.make_rules())
