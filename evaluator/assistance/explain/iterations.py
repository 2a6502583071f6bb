"""The iterations of a lambda: the values of its parameters each time, and the steps of its body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from evaluator.values import Value, keys
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import Lambda, expression_text, walk

MOST_ITERATIONS = 50
_ITERATING = ("map", "filter", "each", "all", "any", "flat_map", "find", "partition", "group_by", "sort_by")
_CONTROL_FLOW = ("break", "return", "next")
Evaluate = Callable[[str], Any]
Stages = Callable[[str, Evaluate], Iterator[str]]
WriteElement = Callable[[Value], str]


class Iteration:
    """A turn: what the parameters are, the stages of the body, and whether the last of them is an error."""

    __slots__ = ("failed", "parameters", "stages")

    def __init__(self, parameters: dict[str, str]) -> None:
        self.parameters = parameters
        self.stages: list[str] = []
        self.failed = False


def trace_iterations(
    node: nodes.Node, source: str, evaluate: Evaluate, stages: Stages, write: WriteElement
) -> list[Iteration]:
    """Return the iterations of a call with a lambda, up to the first that fails.

    Args:
        node: The call. For functions that call their lambda in another way nothing is returned.
        source: The source of the expression.
        evaluate: Returns the value of a source.
        stages: Yields the forms of a body until it is a value.
        write: Returns the literal of a value, of a long one the beginning.
    """
    while isinstance(node, nodes.Paren):
        node = node.expr
    if not isinstance(node, nodes.Call | nodes.MethodCall) or not isinstance(node.block, Lambda):
        return []
    name, arguments = _split_call(node)
    block, written = node.block, [expression_text(argument, source) for argument in arguments]
    plain = not any(parameter.splat or parameter.default for parameter in block.parameters)
    if not (plain and written) or isinstance(block.body, nodes.Nop) or _has_control_flow(block.body):
        return []
    names = [parameter.name for parameter in block.parameters]
    body = expression_text(block.body, source)
    if isinstance(block.body, nodes.Block):
        body, stages = body[1:-1].strip(), _as_one_stage(write)
    found: list[Iteration] = []
    with suppress(PuppetError):  # of what is handed over: the call says that as well
        for given in _iterate_parameters(name, written, len(names), evaluate, write, found):
            turn = Iteration(dict(zip(names, given, strict=True)))
            found.append(turn)
            _trace_body(turn, body, evaluate, stages)
            if turn.failed or len(found) == MOST_ITERATIONS:
                break
    return found


def _iterate_parameters(
    name: str, written: list[str], count: int, evaluate: Evaluate, write: WriteElement, before: list[Iteration]
) -> Iterator[list[str]]:
    """Yield the arguments of a lambda with `count` parameters in each iteration; `before` has those so far."""
    if name == "with" and count == len(written):
        yield written
    elif name == "reduce" and count == 2 and len(written) <= 2:
        values = _write_elements(_to_collection(written[0], evaluate), 1, write)
        memo = written[1] if len(written) == 2 else "".join(next(values, []))
        for value in values:
            yield [memo, *value]
            memo = before[-1].stages[-1]
    elif name in _ITERATING and count in (1, 2) and len(written) == 1:
        yield from _write_elements(_to_collection(written[0], evaluate), count, write)


def _as_one_stage(write: WriteElement) -> Stages:
    """Return the stages of several statements, which depend on each other: all of them, and their value."""

    def stages(body: str, evaluate: Evaluate) -> Iterator[str]:
        yield body
        yield write(evaluate(body))

    return stages


def _has_control_flow(body: nodes.Node) -> bool:
    """Return True if a body may leave the loop or the function."""
    calls = (node.functor for node in walk(body) if isinstance(node, nodes.Call))
    return any(isinstance(functor, nodes.Name) and functor.value in _CONTROL_FLOW for functor in calls)


def _split_call(node: nodes.Call | nodes.MethodCall) -> tuple[str, list[nodes.Node]]:
    """Return the name of the function, and its arguments."""
    if isinstance(node, nodes.MethodCall):
        return node.name.value, [node.receiver, *node.arguments]
    return (node.functor.value if isinstance(node.functor, nodes.Name) else ""), node.arguments


def _to_collection(written: str, evaluate: Evaluate) -> Value:
    """Return a value as an array or hash of the elements to iterate over."""
    value = evaluate(written)
    return value if isinstance(value, list | dict) else evaluate(f"({written}).map |$x| {{ $x }}")


def _write_elements(value: Value, count: int, write: WriteElement) -> Iterator[list[str]]:
    """Yield the literals of the arguments in each iteration."""
    if isinstance(value, dict):
        for name, one in zip(keys(value), value.values(), strict=True):
            pair = [write(name), write(one)]
            yield pair if count == 2 else [f"[{', '.join(pair)}]"]
    else:
        for index, one in enumerate(value):
            yield [str(index), write(one)] if count == 2 else [write(one)]


def _trace_body(turn: Iteration, body: str, evaluate: Evaluate, stages: Stages) -> None:
    """Find the stages of an iteration; an error is the last of them."""
    values, names = ", ".join(turn.parameters.values()), ", ".join(f"${name}" for name in turn.parameters)
    try:
        for stage in stages(body, lambda part: evaluate(f"with({values}) |{names}| {{ {part} }}")):
            turn.stages.append(stage)
    except PuppetError as problem:
        turn.failed = True
        turn.stages.append(problem.code)
