"""tree_each: every node of nested arrays, hashes and objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from evaluator import limits
from evaluator.calling.registry import function
from evaluator.functions.elements import sequence
from evaluator.issues import Failure
from evaluator.program.unwinding import BreakIteration
from evaluator.values import PuppetIterator, items, literal
from evaluator.values.objects import PuppetObject

OPTIONS = (
    "OptionsType = Struct[{'container_type' => Optional[Type], 'include_root' => Optional[Boolean],"
    " 'include_containers' => Optional[Boolean], 'include_values' => Optional[Boolean],"
    " 'order' => Optional[Enum['breadth_first', 'depth_first']], 'include_refs' => Optional[Boolean]}] options?"
)
TREE = f"tree_each(Variant[Iterator, Array, Hash, Object] tree, {OPTIONS}"


def _children(value: Any, references: bool) -> Iterable[tuple[Any, Any]]:
    """The values right below a value, each after its index, key or name; `references`: also what an object refers to.

    Of an object they are what its own type declares, without what that inherits.
    """
    if type(value) is dict:
        return items(value)
    if type(value) in (list, PuppetIterator):
        return enumerate(sequence(value))
    attributes = getattr(value, "attributes", None)
    if type(attributes) is not dict:
        return ()
    declared = value.type.attributes.values() if type(value) is PuppetObject else ()
    return [
        (each.name, attributes.get(each.name, each.value))
        for each in declared
        if each.kind != "derived" and (references or each.kind != "reference")
    ]


def _is_container(value: Any, container_type: Any) -> bool:
    if container_type is not None:
        return bool(container_type.instance(value))
    return type(value) in (list, dict, PuppetIterator) or type(getattr(value, "attributes", None)) is dict


def _holds(kind: Any) -> bool:
    """Whether a type is one of containers: arrays, hashes, objects, and Variants of such."""
    kind = kind.resolve()
    if kind.keyword in ("Optional", "NotUndef", "Variant"):
        inner = getattr(kind, "types", None) or (kind.type,)
        return all(part is not None and _holds(part) for part in inner)
    return kind.keyword in ("Array", "Hash", "Object", "Struct", "Tuple")


class Tree:
    """The nodes of a tree as `[path, value]`, in the order and selection of the options; iterable many times."""

    __slots__ = ("options", "tree")

    host_iterator = "Iterable::DepthFirstTreeIterator"

    def __init__(self, tree: Any, options: dict[str, Any]) -> None:
        self.tree = tree
        self.options = options
        container_type = options.get("container_type")
        if container_type is not None and not _holds(container_type):
            raise Failure("NO_CONTAINER_TYPE", actual=literal(container_type))

    def __iter__(self) -> Iterator[list[Any]]:
        containers = self.options.get("include_containers") is not False
        values = self.options.get("include_values") is not False
        if not containers and not values:
            raise Failure("TREE_EMPTY")
        container_type = self.options.get("container_type")
        references = bool(self.options.get("include_refs"))
        breadth = self.options.get("order") == "breadth_first"
        waiting: deque[tuple[list[Any], Any]] = deque([([], self.tree)])
        visited = 0
        while waiting:
            visited += 1
            limits.TREE.check(visited)
            path, value = waiting.popleft()
            container = _is_container(value, container_type)
            wanted = containers if container else values
            if wanted and (path or self.options.get("include_root") is not False):
                yield [path, value]
            if container:
                below = [([*path, step], child) for step, child in _children(value, references)]
                if breadth:
                    waiting.extend(below)
                else:
                    waiting.extendleft(reversed(below))


@function(f"{TREE}, Callable[2, 2] block)")
def tree_each(tree: Any, options: dict[str, Any] | None = None, *, block: Any) -> Any:
    """Visits every node of a tree of arrays and hashes, with the path that leads to it.

    Options: include_root, include_containers, include_values (all true), order ('depth_first' or
    'breadth_first'), container_type. Without a block it gives an Iterator of `[path, value]`.

    > tree_each([1, [2]]).map |$node| { $node }
    [[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]

    > tree_each({ 'a' => [1] }, { 'include_containers' => false }) |$path, $value| { notice("${path} ${value}") }
    notice: [a, 0] 1
    {'a' => [1]}
    """
    try:
        for path, value in Tree(tree, options or {}):
            block.fn(path, value)
    except BreakIteration:
        pass
    return tree


@tree_each.overload(f"{TREE}, Callable[1, 1] block)")
def tree_each_value(tree: Any, options: dict[str, Any] | None = None, *, block: Any) -> Any:
    """Visits every node; the block gets the value only."""
    try:
        for _, value in Tree(tree, options or {}):
            block.fn(value)
    except BreakIteration:
        pass
    return tree


@tree_each.overload(f"{TREE})")
def tree_each_iterator(tree: Any, options: dict[str, Any] | None = None) -> PuppetIterator:
    """An Iterator of `[path, value]`."""
    nodes = Tree(tree, options or {})
    next(iter(nodes), None)  # reports options that contradict each other here, not where it is iterated
    return PuppetIterator(nodes)
