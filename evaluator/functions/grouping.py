"""Functions that find, group and sort elements, and visit trees."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import starmap

from evaluator import limits
from evaluator.calling.registry import function
from evaluator.functions.iteration import (
    check_length,
    has_steps,
    is_true,
    iterate_results,
    run_each,
    test_each,
)
from evaluator.issues import Failure, require
from evaluator.operators.arithmetic import to_pairs
from evaluator.program.definitions import BreakIteration, LambdaBlock
from evaluator.values import (
    PuppetIterator,
    Value,
    format_literal,
    is_type,
    iterate,
    iterate_items,
    make_hash,
    make_key,
)
from evaluator.values.chunked import (
    MOST_ELEMENTS,
    collect_classes,
    iterate_chunks,
    make_dict,
    merge_sorted,
    sort_characters,
    sort_chunked,
)
from evaluator.values.core import is_far
from evaluator.values.dag import memoize_recursion
from evaluator.values.objects import PuppetObject
from evaluator.values.ruby_values import get_ruby_class, is_same, make_comparison_failure

# --- index


@function("index(Hash hash, Callable[2, 2] block)")
def index(hash_value: dict[Value, Value], block: LambdaBlock) -> Value:
    """Return the index, or the key in a hash, of the first element that matches.

    An element matches if the block accepts it, or if it equals the value.

    In a String it searches for a substring or a Regexp. The result is undef if nothing is found.

    > ['a', 'b'].index('b')
    1

    > { 'a' => 1, 'b' => 2 }.index |$key, $value| { $value == 2 }
    'b'

    > index('abc', /[bc]/)
    1
    """
    return next((k for k, v in iterate_items(hash_value) if is_true(block.fn(k, v))), None)


@index.overload("index(Hash hash, Callable[1, 1] block)")
def index_value(hash_value: dict[Value, Value], block: LambdaBlock) -> Value:
    """Return the key of the first value that the block accepts."""
    return next((k for k, v in iterate_items(hash_value) if is_true(block.fn(v))), None)


@index.overload(
    "index(Iterable enumerable, Callable[2, 2] block)", "index(Iterable enumerable, Callable[1, 1] block)"
)
def index_element(values: Value, block: LambdaBlock) -> int | None:
    """Return the index of the first element that the block accepts."""
    try:
        verdicts = enumerate(test_each(values, block))
        return next((position for position, is_accepted in verdicts if is_accepted), None)
    except BreakIteration:
        if has_steps(values):
            return None
        raise


@index.overload("index(String str, Variant[String, Regexp] match)")
def index_text(string: str, match: Value) -> int | None:
    """Return the position of a substring or of a match."""
    if type(match) is str:
        position = string.find(match)
        return None if position < 0 else position
    result = match.search(string)
    return None if result is None else result.start()


@index.overload("index(Iterable enumerable, Any match)")
def index_of(values: Value, match: Value) -> Value:
    """Return the index, or the key in a hash, of the first element that equals the value."""
    if type(values) is dict:
        return next((k for k, v in iterate_items(values) if is_same(v, match)), None)
    kind = type(match)
    for position, value in enumerate(iterate(values) or ()):
        if value is match or (value == match if type(value) is kind is str else is_same(value, match)):
            return position
    return None


# --- partition, group_by, unique


@function(
    "partition(Collection collection, Callable[1, 1] block) >> Tuple[Array, Array]",
    "partition(Array array, Callable[2, 2] block) >> Tuple[Array, Array]",
    "partition(Collection collection, Callable[2, 2] block) >> Tuple[Array, Array]",
)
def partition(collection: Value, block: LambdaBlock) -> list[list[Value]]:
    """Divide the elements into two arrays: those for which the block is true, and the others.

    The block gets the element, or with two parameters index and element, or key and value. The parts of a hash
    are arrays of `[key, value]`.

    > [1, 2, 3].partition |$x| { $x > 1 }
    [[2, 3], [1]]

    > { 'a' => 1, 'b' => 2 }.partition |$key, $value| { $value > 1 }
    [[['b', 2]], [['a', 1]]]
    """
    accepted: list[Value] = []
    others: list[Value] = []
    for element, verdict in _pair_with_results(collection, block):
        (accepted if is_true(verdict) else others).append(element)
    return [accepted, others]


@function(
    "group_by(Collection collection, Callable[1, 1] block) >> Hash",
    "group_by(Array array, Callable[2, 2] block) >> Hash",
    "group_by(Collection collection, Callable[2, 2] block) >> Hash",
)
def group_by(collection: Value, block: LambdaBlock) -> dict[Value, list[Value]]:
    """Group the elements in a hash by the value of the block for them.

    The block gets the element, or with two parameters index and element, or key and value.

    > [1, 2, 3].group_by |$x| { $x % 2 }
    {1 => [1, 3], 0 => [2]}

    > group_by(['a', 'b', 'c']) |$index, $value| { $index % 2 }
    {0 => ['a', 'c'], 1 => ['b']}

    > ['web1', 'db1', 'web2'].group_by |$host| { $host.regsubst(/\\d+$/, '') }
    {'web' => ['web1', 'web2'], 'db' => ['db1']}
    """
    groups: dict[Value, list[Value]] = {}
    for element, group in _pair_with_results(collection, block):
        groups.setdefault(make_key(group), []).append(element)
    return groups


def _pair_with_results(collection: Value, block: LambdaBlock) -> Iterator[tuple[Value, Value]]:
    """Return each element, `[key, value]` of a hash, with the value of the block for it."""
    elements = to_pairs(collection) if type(collection) is dict else collection
    return zip(elements, iterate_results(collection, block, takes_two=not block.accepts(1)), strict=True)


def _are_keys(values: Value) -> bool:
    """Return whether all are Strings, or all are Integers that `make_key` does not change."""
    if type(values) is str:
        return True
    classes = collect_classes(values)
    if classes != {int}:
        return bool(classes <= {str})
    parts = iterate_chunks(values) if len(values) > MOST_ELEMENTS else (values,)
    return not any(is_far(min(part)) or is_far(max(part)) for part in parts)


def list_distinct(values: Iterable[Value], block: LambdaBlock | None = None) -> list[Value]:
    """Return the elements without duplicates, or those with different values of the block."""
    call = block.fn if block is not None else None
    if call is None and isinstance(values, list | str) and _are_keys(values):
        return list(make_dict(values))
    if isinstance(values, list | str) and len(values) < 2:
        return list(values)  # nothing to compare: the block is not called
    seen: dict[Value, Value] = {}
    for value in values:
        seen.setdefault(make_key(call(value) if call else value), value)
    return list(seen.values())


@function("unique(String string, Callable[String] block?)")
def unique(string: str, block: LambdaBlock | None = None) -> str:
    """Return the elements without duplicates, or those with different values of the block.

    Case matters.

    For a hash it returns the keys grouped by their values.

    > unique([1, 2, 1, 'a', 'A'])
    [1, 2, 'a', 'A']

    > unique('hello')
    'helo'

    > unique([1, 2, 3, 4]) |$x| { $x % 2 }
    [1, 2]

    > unique({ 'a' => 1, 'b' => 2, 'c' => 1 })
    {['a', 'c'] => [1], ['b'] => [2]}
    """
    return "".join(list_distinct(string, block))


@unique.overload("unique(Hash hash, Callable[Any] block?)")
def unique_hash(hash_value: dict[Value, Value], block: LambdaBlock | None = None) -> dict[Value, Value]:
    """Group keys and values by the values, or by the value of the block for them."""
    groups: dict[Value, tuple[list[Value], list[Value]]] = {}
    for k, v in iterate_items(hash_value):
        group_keys, group_values = groups.setdefault(make_key(block.fn(v) if block else v), ([], []))
        group_keys.append(k)
        if not any(is_same(v, other) for other in group_values):
            group_values.append(v)
    return make_hash(groups.values())


@unique.overload(
    "unique(Array array, Callable[Any] block?)", "unique(Iterable iterable, Callable[Any] block?)"
)
def unique_values(values: Value, block: LambdaBlock | None = None) -> list[Value]:
    """Return the elements without duplicates."""
    return list_distinct(values if type(values) is list else check_length(iterate(values) or ()), block)


# --- sort

NUMBERS, TEXTS = {int, float}, {str}


@memoize_recursion
def compare_values(recurse: Value, left: Value, right: Value) -> int:
    """Return -1, 0 or 1 by the order of two values of one kind; raise Failure for others."""
    if type(left) in (int, float) and type(right) in (int, float):
        return int((left > right) - (left < right))
    if type(left) is list and type(right) is list:
        for left_element, right_element in zip(left, right, strict=False):
            try:
                result: int = recurse(left_element, right_element)
            except Failure:
                raise make_comparison_failure(left, right) from None
            if result:
                return result
        return (len(left) > len(right)) - (len(left) < len(right))
    if make_key(left) == make_key(right):
        return 0
    if type(left) is type(right) and type(left) not in (bool, dict, type(None)) and not is_type(left):
        with suppress(TypeError):
            return int((left > right) - (left < right))
    raise make_comparison_failure(left, right)


def sort_values(values: list[Value]) -> list[Value]:
    """Return the values in order. The sort can be interrupted at any size."""
    classes = collect_classes(values)
    is_plain = classes <= NUMBERS or classes <= TEXTS
    return sort_chunked(values) if is_plain else merge_sort(values, compare_values)


def make_comparison(block: LambdaBlock) -> Callable[[Value, Value], int]:
    """Return a function that returns -1, 0 or 1 by the result of a block.

    It raises Failure for a result that is neither a number nor a time.
    """

    def compare(left: Value, right: Value) -> int:
        result = block.fn(left, right)
        number: Value = getattr(result, "nanoseconds", result)  # times are compared with numbers
        if type(number) in (int, float):
            return int((number > 0) - (number < 0))
        if result is None:
            raise make_comparison_failure(left, right)
        raise Failure("COMPARISON_FAILED", left=get_ruby_class(result), right="0")

    return compare


def merge_sort(values: list[Value], compare: Callable[[Value, Value], int]) -> list[Value]:
    """Return the values in order.

    A block sees the same pairs in the same order as in the released Puppet.
    """
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    return merge_sorted(merge_sort(values[:middle], compare), merge_sort(values[middle:], compare), compare)


@function("sort(String string_value, Callable[2, 2] block?)")
def sort(string: str, block: LambdaBlock | None = None) -> str:
    """Sort the elements of an array or the characters of a String.

    A block compares two and returns -1, 0 or 1.

    Without a block the elements must be of one kind: all numbers, or all Strings, of which capitals come first.
    `compare` and `versioncmp` return such a result.

    > sort([3, 1, 2])
    [1, 2, 3]

    > sort('hello')
    'ehllo'

    > ['b', 'A', 'a'].sort
    ['A', 'a', 'b']

    > ['b', 'A', 'c'].sort |$a, $b| { compare($b, $a) }
    ['c', 'b', 'A']

    > sort([1, 'a'])
    ! Error while evaluating a Function Call, comparison of Integer with String failed
    """
    if block is None:
        return sort_characters(string)
    return "".join(merge_sort(list(string), make_comparison(block)))


@sort.overload("sort(Array array_value, Callable[2, 2] block?)")
def sort_array(values: list[Value], block: LambdaBlock | None = None) -> list[Value]:
    """Sort the elements of an array."""
    return sort_values(values) if block is None else merge_sort(values, make_comparison(block))


# --- tree_each


OPTIONS = (
    "OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean],"
    " 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean],"
    " 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?"
)
TREE = f"tree_each(Variant[Iterator, Array, Hash, Object] tree, {OPTIONS}"


def _iterate_children(value: Value, *, with_references: bool) -> Iterable[tuple[Value, Value]]:
    """Return the children of a value, each with its index, key or name.

    The children of an object are the attributes that its own type declares, without inherited ones;
    `with_references` includes the objects that it refers to.
    """
    if type(value) is dict:
        return iterate_items(value)
    if type(value) is list:
        return enumerate(value)
    attributes = getattr(value, "attributes", None)
    if type(attributes) is not dict:
        return ()
    declared = value.type.attributes.values() if type(value) is PuppetObject else ()
    return [
        (attribute.name, attributes.get(attribute.name, attribute.value))
        for attribute in declared
        if attribute.kind != "derived" and (with_references or attribute.kind != "reference")
    ]


def _is_container(value: Value, container_type: Value) -> bool:
    if container_type is not None:
        return bool(container_type.instance(value))
    return type(value) in (list, dict) or type(getattr(value, "attributes", None)) is dict


def _has_containers(kind: Value) -> bool:
    """Return whether a type's instances are arrays, hashes, objects, or Variants of them."""
    kind = kind.resolve()
    if kind.keyword in ("Optional", "NotUndef", "Variant"):
        inner = getattr(kind, "types", None) or (kind.type,)
        return all(part is not None and _has_containers(part) for part in inner)
    return kind.keyword in ("Array", "Hash", "Object", "Struct", "Tuple")


class TreeNodes:
    """The nodes of a tree as `[path, value]`, selected and ordered by the options.

    It can be iterated repeatedly. As released, the order breadth_first selects all values, and an Iterator has no
    nodes below it.
    """

    ruby_iterator = "Iterable::DepthFirstTreeIterator"

    def __init__(self, tree: Value, options: dict[str, Value]) -> None:
        self.tree = tree
        self.options = options
        container_type = options.get("container_type")
        if container_type is not None and not _has_containers(container_type):
            raise Failure("NO_CONTAINER_TYPE", actual=format_literal(container_type))

    def __iter__(self) -> Iterator[list[Value]]:
        containers = self.options.get("include_containers") is not False
        values = self.options.get("include_values") is not False
        require(containers or values, "TREE_EMPTY")
        container_type = self.options.get("container_type")
        with_references = bool(self.options.get("include_refs"))
        is_breadth_first = self.options.get("order") == "breadth_first"
        waiting: deque[tuple[list[Value], Value]] = deque([([], self.tree)])
        visited = 0
        while waiting:
            visited += 1
            limits.TREE.check(visited)
            path, value = waiting.popleft()
            is_container = _is_container(value, container_type)
            is_selected = containers if is_container else values or is_breadth_first
            if is_selected and (path or self.options.get("include_root") is not False):
                yield [path, value]
            require(
                path or is_container or type(value) not in (list, dict, PuppetIterator), "TREE_NO_CONTAINER"
            )
            if is_container:
                children = _iterate_children(value, with_references=with_references)
                below = [([*path, step], child) for step, child in children]
                if is_breadth_first:
                    waiting.extend(below)
                else:
                    waiting.extendleft(reversed(below))


_USAGE = "tree_each(Variant[Iterator, Array, Hash, Object] tree, Hash options?"


@function(
    f"{TREE}, Callable[2, 2] block)",
    usage=(f"{_USAGE})", f"{_USAGE}, Callable[1, 1] block)", f"{_USAGE}, Callable[2, 2] block)"),
)
def tree_each(tree: Value, options: dict[str, Value] | None = None, *, block: LambdaBlock) -> Value:
    """Visit every node of a tree of arrays and hashes, with the path to it.

    Options: include_root, include_containers, include_values (all true), order ('depth_first' or
    'breadth_first'), container_type. Without a block it returns an Iterator of `[path, value]`.

    > tree_each([1, [2]]).map |$node| { $node }
    [[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]

    > tree_each({ 'a' => [1] }, { 'include_containers' => false }) |$path, $value| { notice("${path} ${value}") }
    notice: [a, 0] 1
    {'a' => [1]}
    """
    run_each(starmap(block.fn, TreeNodes(tree, options or {})))
    return tree


@tree_each.overload(f"{TREE}, Callable[1, 1] block)")
def tree_each_value(tree: Value, options: dict[str, Value] | None = None, *, block: LambdaBlock) -> Value:
    """Visit every node with a block that gets only the value."""
    run_each(block.fn(value) for _, value in TreeNodes(tree, options or {}))
    return tree


@tree_each.overload(f"{TREE})")
def tree_each_iterator(tree: Value, options: dict[str, Value] | None = None) -> PuppetIterator:
    """Return an Iterator of `[path, value]`."""
    nodes = TreeNodes(tree, options or {})
    next(iter(nodes), None)  # reports contradictory options here rather than at the first use of the Iterator
    return PuppetIterator(nodes)
