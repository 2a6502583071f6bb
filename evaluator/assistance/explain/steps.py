"""Stepwise evaluation: each step replaces the innermost computable part by its value.

A value that cannot be written into an expression, such as a secret or a long array, leaves its part as it is. Calls of
a lambda are shown as iterations: the values of its parameters, and the steps of its body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from evaluator.values import Value, list_keys
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import (
    Lambda,
    find_expression_extent,
    get_callee_name,
    get_expression_text,
    list_arguments,
    walk,
)

MOST_STEPS, LONGEST = 100, 2_000  # steps; characters of an expression
_ATOMS = (
    *(nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Undef, nodes.Default),
    *(nodes.Name, nodes.TypeName, nodes.Regexp),
)
Evaluate = Callable[[str], Any]  # returns the value of a source
Write = Callable[[Value, int], str]  # returns the literal of a value, up to a number of characters
WriteElement = Callable[[Value], str]  # returns the literal of a value
Stages = Callable[[str, Evaluate], Iterator[str]]  # yields the forms of a source until it is a value


class EvaluationStep(Record):
    """A step: an expression, the part that is computed, and its replacement.

    Attributes:
        source: The expression before the step.
        start: The start of the part in the source.
        end: The end of the part.
        replacement: The literal that replaces the part.
        problem: The error that evaluating the part raises, or None.
        iterations: The iterations of the lambda that the part calls.
    """

    source: str
    start: int
    end: int
    replacement: str
    problem: PuppetError | None = None
    iterations: list[Iteration] = fresh(factory=list)

    @property
    def after(self) -> str:
        """The expression after it."""
        return self.source[: self.start] + self.replacement + self.source[self.end :]


def compute_steps(
    source: str, dialect: Dialect, evaluate: Evaluate, write: Write
) -> Iterator[EvaluationStep]:
    """Yield the steps of an expression, at most MOST_STEPS.

    Args:
        source: The source of the expression.
        dialect: The dialect it is written in.
        evaluate: Returns the value of a part without further parts to evaluate.
        write: Returns the literal of a value, or its beginning if the literal exceeds a number of characters.

    Raises:
        PuppetError: The expression cannot be parsed, or `evaluate` fails; the steps before are yielded first.
    """

    def iterate_stages(body: str, evaluate_in_lambda: Evaluate) -> Iterator[str]:
        yield body
        yield from (step.after for step in _iterate_steps(body, dialect, evaluate_in_lambda, write))

    for step in _iterate_steps(source, dialect, evaluate, write, yields_error=True):
        part = step.source[step.start : step.end]
        node = parse(part, dialect=dialect, interactive=True).body
        step.iterations = trace_iterations(
            node, part, evaluate, iterate_stages, lambda value: write(value, LONGEST)
        )
        yield step
        if step.problem is not None:
            raise step.problem


def _iterate_steps(
    source: str, dialect: Dialect, evaluate: Evaluate, write: Write, *, yields_error: bool = False
) -> Iterator[EvaluationStep]:
    """Yield the steps without iterations; an error is raised, or else yielded in its step."""
    values = _PartValues(dialect, evaluate, write)
    for _ in range(MOST_STEPS):
        node = parse(source, dialect=dialect, interactive=True).body
        step = _find_next(node, source, values)
        if step is None:
            if not _is_value(node):
                start, end = find_expression_extent(node, source)
                yield EvaluationStep(source, start, end, write(evaluate(source[start:end]), LONGEST))
            return
        if step.problem is not None and not yields_error:
            raise step.problem
        yield step
        if step.after == source:
            return
        source = step.after


class _PartValues(Record):
    """The values of parts of an expression."""

    _dialect: Dialect
    evaluate: Evaluate
    write: Write
    _without_literal: set[str] = fresh(factory=set)  # parts whose values cannot be written

    def write_value(self, part: str, room: int) -> str | None:
        """Return the literal of a part's value; None if it has no literal or no room."""
        if part in self._without_literal:
            return None
        shown = self.write(self.evaluate(part), room)
        with suppress(PuppetError, RecursionError):
            if len(shown) <= room and _is_value(parse(shown, dialect=self._dialect, interactive=True).body):
                return shown
        self._without_literal.add(part)
        return None


def _find_next(node: nodes.Node, source: str, values: _PartValues) -> EvaluationStep | None:
    """Return the next step in a part; None if it is computed, or stays as it is written."""
    if _is_value(node):
        return None
    if isinstance(node, nodes.And | nodes.Or | nodes.If | nodes.Unless | nodes.Case | nodes.Selector):
        return _find_choice(node, source, values)
    for part in _find_parts(node):
        step = _find_next(part, source, values)
        if step is not None:
            if isinstance(node, nodes.Paren) and (step.start, step.end) == find_expression_extent(
                part, source
            ):
                step.start, step.end = find_expression_extent(node, source)
            return step
    return _compute(node, source, values)


def _compute(node: nodes.Node, source: str, values: _PartValues) -> EvaluationStep | None:
    """Return the step that replaces a part by its value; None if that has no literal."""
    start, end = find_expression_extent(node, source)
    others = len(source) - (end - start)
    try:
        shown = values.write_value(source[start:end], LONGEST - others)
    except PuppetError as problem:
        return EvaluationStep(source, start, end, "", problem)
    if shown is None:
        return None
    return EvaluationStep(source, start, end, f"({shown})" if others and shown.startswith("-") else shown)


def _is_value(node: nodes.Node) -> bool:
    """Return True for a literal, which is not computed any further."""
    match node:
        case nodes.Paren(expr=nodes.Minus() as inner):
            return _is_value(inner)
        case nodes.Minus():
            return isinstance(node.expr, nodes.Integer | nodes.Float)
        case nodes.Array():
            return all(map(_is_value, node.values))
        case nodes.Hash():
            return all(_is_value(pair.key) and _is_value(pair.value) for pair in node.entries)
        case nodes.Access(left=nodes.TypeName()):
            return all(map(_is_value, node.keys))
    return isinstance(node, _ATOMS)


def _find_parts(node: nodes.Node) -> list[nodes.Node]:
    """Return the parts to compute before a part, in order; a lambda or a string is computed as a whole."""
    match node:
        case nodes.Call() | nodes.MethodCall():
            return list_arguments(node)
        case nodes.Access() if _is_stored(node.left):
            return node.keys
        case nodes.Assignment():
            return [node.right]
        case nodes.Concat() | nodes.Heredoc() | nodes.Variable():
            return []
    return [
        part
        for child in node.children()
        for part in ([child.key, child.value] if isinstance(child, nodes.Pair) else [child])
    ]


def _is_stored(node: nodes.Node) -> bool:
    """Return True for a variable or a part of one: facts are long, so their parts are computed at once."""
    return isinstance(node, nodes.Variable) or (isinstance(node, nodes.Access) and _is_stored(node.left))


# --- expressions that evaluate only the operands they need


def _find_choice(
    node: nodes.And | nodes.Or | nodes.If | nodes.Unless | nodes.Case | nodes.Selector,
    source: str,
    values: _PartValues,
) -> EvaluationStep | None:
    """Return the next step in a test, or in the operand or branch that the test selects."""
    test: nodes.Node = node.left if isinstance(node, nodes.And | nodes.Or | nodes.Selector) else node.test
    step = _find_next(test, source, values)
    if step is not None:
        return step
    if isinstance(node, nodes.And | nodes.Or):
        truth = _is_true(test, source, values)
        if truth is isinstance(node, nodes.Or):
            return EvaluationStep(source, *find_expression_extent(node, source), values.write(truth, LONGEST))
        rest = _find_next(node.right, source, values)
        return rest if rest is not None else _compute(node, source, values)
    if isinstance(node, nodes.If | nodes.Unless):
        chosen = node.then if _is_true(test, source, values) is isinstance(node, nodes.If) else node.otherwise
        return _replace_by_branch(node, chosen, source, values)
    return _compute(node, source, values)


def _is_true(node: nodes.Node, source: str, values: _PartValues) -> bool:
    value = values.evaluate(get_expression_text(node, source))
    return value is not None and value is not False


def _replace_by_branch(
    node: nodes.Node, branch: nodes.Node, source: str, values: _PartValues
) -> EvaluationStep | None:
    """Return the step that puts the chosen branch in the place of the whole.

    A branch of several statements is computed at once.
    """
    if isinstance(branch, nodes.Nop):
        return EvaluationStep(source, *find_expression_extent(node, source), "undef")
    if isinstance(branch, nodes.Block):
        return _compute(node, source, values)
    return EvaluationStep(source, *find_expression_extent(node, source), get_expression_text(branch, source))


MOST_ITERATIONS = 50
_ITERATING = ("map", "filter", "each", "all", "any", "flat_map", "find", "partition", "group_by", "sort_by")
_CONTROL_FLOW = ("break", "return", "next")


class Iteration(Record):
    """One call of a lambda.

    Attributes:
        parameters: The literal of each parameter, by name.
        stages: The successive forms of the body until it is a value.
        failed: True if the last stage is the code of an error.
    """

    parameters: dict[str, str]
    stages: list[str] = fresh(factory=list)
    failed: bool = False


def trace_iterations(
    node: nodes.Node, source: str, evaluate: Evaluate, stages: Stages, write: WriteElement
) -> list[Iteration]:
    """Return the iterations of a call with a lambda, up to the first that fails.

    Args:
        node: The call. Nothing is returned for functions that call their lambda in another way.
        source: The source of the expression.
        evaluate: Returns the value of a source.
        stages: Yields the successive forms of a body until it is a value.
        write: Returns the literal of a value, or the beginning of a long one.
    """
    node = nodes.strip_parentheses(node)
    if not isinstance(node, nodes.Call | nodes.MethodCall) or not isinstance(node.block, Lambda):
        return []
    name, arguments = get_callee_name(node), list_arguments(node)
    block, texts = node.block, [get_expression_text(argument, source) for argument in arguments]
    is_plain = not any(parameter.splat or parameter.default for parameter in block.parameters)
    if not (is_plain and texts) or isinstance(block.body, nodes.Nop) or _has_control_flow(block.body):
        return []
    names = [parameter.name for parameter in block.parameters]
    body = get_expression_text(block.body, source)
    if isinstance(block.body, nodes.Block):
        body, stages = body[1:-1].strip(), _join_stages(write)
    iterations: list[Iteration] = []
    with suppress(PuppetError):  # raised by an argument: the call raises it as well
        for values in _iterate_parameters(name, texts, len(names), evaluate, write, iterations):
            iteration = Iteration(dict(zip(names, values, strict=True)))
            iterations.append(iteration)
            _trace_body(iteration, body, evaluate, stages)
            if iteration.failed or len(iterations) == MOST_ITERATIONS:
                break
    return iterations


def _iterate_parameters(
    name: str,
    arguments: list[str],
    count: int,
    evaluate: Evaluate,
    write: WriteElement,
    iterations: list[Iteration],
) -> Iterator[list[str]]:
    """Yield the literals of the parameters of a lambda in each iteration.

    Args:
        name: The function that calls the lambda.
        arguments: The sources of its arguments.
        count: The number of parameters of the lambda.
        evaluate: Returns the value of a source.
        write: Returns the literal of a value.
        iterations: The iterations so far. The caller adds each one before it requests the next parameters, because
            `reduce` passes the result of an iteration to the next one.
    """
    if name == "with" and count == len(arguments):
        yield arguments
    elif name == "reduce" and count == 2 and len(arguments) <= 2:
        values = _write_elements(_to_collection(arguments[0], evaluate), 1, write)
        memo = arguments[1] if len(arguments) == 2 else "".join(next(values, []))
        for value in values:
            yield [memo, *value]
            memo = iterations[-1].stages[-1]
    elif name in _ITERATING and count in (1, 2) and len(arguments) == 1:
        yield from _write_elements(_to_collection(arguments[0], evaluate), count, write)


def _join_stages(write: WriteElement) -> Stages:
    """Return a function that yields several statements as a whole, and their value."""

    def iterate_stages(body: str, evaluate: Evaluate) -> Iterator[str]:
        yield body
        yield write(evaluate(body))

    return iterate_stages


def _has_control_flow(body: nodes.Node) -> bool:
    """Return True if a body may leave the loop or the function."""
    return any(isinstance(node, nodes.Call) and get_callee_name(node) in _CONTROL_FLOW for node in walk(body))


def _to_collection(argument: str, evaluate: Evaluate) -> Value:
    """Return the value of an argument as an array or hash of the elements to iterate over."""
    value = evaluate(argument)
    return value if isinstance(value, list | dict) else evaluate(f"({argument}).map |$x| {{ $x }}")


def _write_elements(value: Value, count: int, write: WriteElement) -> Iterator[list[str]]:
    """Yield the literals of the arguments in each iteration."""
    if isinstance(value, dict):
        for key, entry in zip(list_keys(value), value.values(), strict=True):
            pair = [write(key), write(entry)]
            yield pair if count == 2 else [f"[{', '.join(pair)}]"]
    else:
        for index, element in enumerate(value):
            yield [str(index), write(element)] if count == 2 else [write(element)]


def _trace_body(iteration: Iteration, body: str, evaluate: Evaluate, stages: Stages) -> None:
    """Add the stages of an iteration to it; the code of an error is the last of them."""
    values = ", ".join(iteration.parameters.values())
    names = ", ".join(f"${name}" for name in iteration.parameters)
    try:
        for stage in stages(body, lambda part: evaluate(f"with({values}) |{names}| {{ {part} }}")):
            iteration.stages.append(stage)
    except PuppetError as problem:
        iteration.failed = True
        iteration.stages.append(problem.code)
