"""How Hashes and Structs are made of other values."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure
from evaluator.kinds.arrays import elements, kind_name, kind_words
from evaluator.limits import COLLECTION
from evaluator.values.core import get, has, hash_of, items, key
from evaluator.values.kind import HASH


def _pairs(value: list[Any]) -> dict[Any, Any]:
    return hash_of((pair[0], pair[1]) for pair in value)


def _hash(value: Any) -> dict[Any, Any]:
    """From a hash, or a list of keys and values in turn. Raises Failure for an odd one."""
    if type(value) is dict:
        return value
    flat = elements(value, "")
    if len(flat) == 1 and type(flat[0]) is list and type(value) is not list:
        return _listed_pairs(flat[0])
    if len(flat) % 2:
        raise Failure("HASH_ODD")
    return hash_of(zip(flat[::2], flat[1::2], strict=True))


def _listed_pairs(rows: list[Any]) -> dict[Any, Any]:
    """From an array of `[key, value]`. Raises Failure for other elements."""
    for index, row in enumerate(rows):
        if type(row) is not list:
            raise Failure("HASH_PAIR_TYPE", actual=kind_name(row), index=index)
        if not 1 <= len(row) <= 2:
            raise Failure("HASH_PAIR_SIZE", number=len(row))
    return hash_of((row[0], row[1] if len(row) > 1 else None) for row in rows)


def _tree(rows: list[Any], option: str | None = None) -> dict[Any, Any]:
    """From rows `[path, value]`: nested hashes. Without an option the paths are just keys.

    'hash_tree' makes hashes of arrays in the values, with indices as keys; 'tree' keeps them and sets into them.
    """
    if option is None:
        return _pairs(rows)
    root: dict[Any, Any] = {}
    for path, value in rows:
        value = _hashes(value) if option == "hash_tree" else _copied(value)
        if path:
            _put(root, path, value)
        else:
            root.update(_root(value))
    return root


def _root(value: Any) -> dict[Any, Any]:
    if type(value) is list:
        return dict(enumerate(value))
    if type(value) is not dict:
        actual = "nil" if value is None else kind_words(value)
        raise Failure("NO_IMPLICIT_CONVERSION", actual=actual, type="Hash")
    return value


def _hashes(value: Any) -> Any:
    """A value with hashes for its arrays, also within them."""
    if type(value) is list:
        return {index: _hashes(element) for index, element in enumerate(value)}
    return _copied(value)


def _copied(value: Any) -> Any:
    """A value whose arrays and hashes can be set into."""
    if type(value) is list:
        return [_copied(element) for element in value]
    if type(value) is dict:
        return hash_of((name, _copied(element)) for name, element in items(value))
    return value


def _put(root: Any, path: list[Any], value: Any) -> None:
    container = root
    for step in path[:-1]:
        container = _step(container, step)
    _set(container, path[-1], value)


def _step(container: Any, step: Any) -> Any:
    """The container at a step of a path; a new hash where a hash has nothing there."""
    if type(container) is dict:
        if not has(container, step):
            container[key(step)] = {}
        return get(container, step)
    if type(container) is list:
        index = _index(step)
        return container[index] if -len(container) <= index < len(container) else None
    raise Failure("NOTHING_TO_SET_INTO", actual=kind_words(container))


def _set(container: Any, step: Any, value: Any) -> None:
    if type(container) is dict:
        container[key(step)] = value
    elif type(container) is list:
        index = _index(step)
        COLLECTION.check(index + 1)
        if index < -len(container):
            raise Failure("INDEX_TOO_SMALL", index=index, minimum=-len(container))
        container.extend([None] * (index + 1 - len(container)))
        container[index] = value
    elif type(container) is str:
        raise Failure("STRING_NOT_MATCHED")
    else:
        name = "nil:NilClass" if container is None else f"{container}:{kind_words(container)}"
        raise Failure("UNDEFINED_METHOD", method="[]=", value=name)


def _index(step: Any) -> int:
    if type(step) is not int:
        raise Failure("NO_IMPLICIT_CONVERSION", actual=kind_words(step), type="Integer")
    return step


_HASH = Constructor(
    "new_hash",
    (
        [
            ("TreeArray = Array[Tuple[Array, Any], 1]", "from", ""),
            ("NewHashOption = Enum['hash_tree', 'tree']", "build_option", "?"),
        ],
        _tree,
    ),
    ([("KeyValueArray = Array[Tuple[Any, Any], 1]", "from", "")], _pairs),
    ([("Any", "from", "")], _hash),
)
HASH.rules(new=New(_HASH))
