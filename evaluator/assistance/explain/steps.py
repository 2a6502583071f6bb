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

MOST_STEPS = 100
LONGEST_EXPRESSION = 2_000  # characters, also of a literal
_ATOMS = (
    *(nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Undef, nodes.Default),
    *(nodes.Name, nodes.TypeName, nodes.Regexp),
)
Evaluate = Callable[[str], Any]  # returns the value of a source
Write = Callable[[Value, int], str]  # returns the literal of a value, cut after a number of characters


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


class ExpressionContext(Record):
    """The surroundings of an expression, which is the whole input or the body of a lambda.

    Attributes:
        dialect: The dialect in which it is written.
        evaluate: Returns the value of a part. In the body of a lambda, the part can read the parameters.
        write: Returns the literal of a value, cut after a number of characters.
    """

    dialect: Dialect
    evaluate: Evaluate
    write: Write
    _without_literal: set[str] = fresh(factory=set)  # parts whose values cannot be written

    def parse(self, source: str) -> nodes.Node:
        """Return the syntax tree of an expression."""
        return parse(source, dialect=self.dialect, interactive=True).body

    def write_whole(self, part: str, room: int) -> str | None:
        """Return the literal of a part's value; None if it has none, or a longer one."""
        if part in self._without_literal:
            return None
        literal = self.write(self.evaluate(part), room)
        with suppress(PuppetError, RecursionError):
            if len(literal) <= room and _is_value(self.parse(literal)):
                return literal
        self._without_literal.add(part)
        return None

    def write_start(self, value: Value) -> str:
        """Return the literal of a value, or the beginning of a long one."""
        return self.write(value, LONGEST_EXPRESSION)


def compute_steps(
    source: str, dialect: Dialect, evaluate: Evaluate, write: Write
) -> Iterator[EvaluationStep]:
    """Yield the steps of an expression, at most MOST_STEPS.

    Args:
        source: The source of the expression.
        dialect: The dialect in which it is written.
        evaluate: Returns the value of a part without further parts to evaluate.
        write: Returns the literal of a value, cut after a number of characters.

    Raises:
        PuppetError: The expression cannot be parsed, or `evaluate` fails; the steps before are yielded first.
    """
    context = ExpressionContext(dialect, evaluate, write)
    for step in _iterate_steps(source, context):
        part = step.source[step.start : step.end]
        step.iterations = _trace_iterations(context.parse(part), part, context)
        yield step
        if step.problem is not None:
            raise step.problem


def _iterate_steps(source: str, context: ExpressionContext) -> Iterator[EvaluationStep]:
    """Yield the steps of an expression without iterations, up to the first one with a problem."""
    for _ in range(MOST_STEPS):
        node = context.parse(source)
        step = _find_next(node, source, context)
        if step is None:
            if not _is_value(node):
                start, end = find_expression_extent(node, source)
                yield EvaluationStep(
                    source, start, end, context.write_start(context.evaluate(source[start:end]))
                )
            return
        yield step
        if step.problem is not None or step.after == source:
            return
        source = step.after


def _find_next(node: nodes.Node, source: str, context: ExpressionContext) -> EvaluationStep | None:
    """Return the next step in a part; None if it is computed, or stays as it is written."""
    if _is_value(node):
        return None
    if isinstance(node, nodes.And | nodes.Or | nodes.If | nodes.Unless | nodes.Case | nodes.Selector):
        return _find_choice(node, source, context)
    for part in _find_parts(node):
        step = _find_next(part, source, context)
        if step is not None:
            is_all_of_part = (step.start, step.end) == find_expression_extent(part, source)
            if isinstance(node, nodes.Paren) and is_all_of_part:  # the parentheses are replaced, too
                step.start, step.end = find_expression_extent(node, source)
            return step
    return _compute(node, source, context)


def _compute(node: nodes.Node, source: str, context: ExpressionContext) -> EvaluationStep | None:
    """Return the step that replaces a part by its value; None if that has no literal."""
    start, end = find_expression_extent(node, source)
    rest = len(source) - (end - start)  # characters around the part
    try:
        literal = context.write_whole(source[start:end], LONGEST_EXPRESSION - rest)
    except PuppetError as problem:
        return EvaluationStep(source, start, end, "", problem)
    if literal is None:
        return None
    is_operand = rest > 0  # where a minus in front of a number needs parentheses
    return EvaluationStep(
        source, start, end, f"({literal})" if is_operand and literal.startswith("-") else literal
    )


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
    context: ExpressionContext,
) -> EvaluationStep | None:
    """Return the next step in a test, or in the operand or branch that the test selects."""
    test: nodes.Node = node.left if isinstance(node, nodes.And | nodes.Or | nodes.Selector) else node.test
    step = _find_next(test, source, context)
    if step is not None:
        return step
    if isinstance(node, nodes.Case | nodes.Selector):
        return _compute(node, source, context)
    truth = _is_true(test, source, context)
    if isinstance(node, nodes.If | nodes.Unless):
        is_then = truth if isinstance(node, nodes.If) else not truth
        return _replace_by_branch(node, node.then if is_then else node.otherwise, source, context)
    is_decided = truth if isinstance(node, nodes.Or) else not truth
    if is_decided:
        return EvaluationStep(source, *find_expression_extent(node, source), context.write_start(truth))
    rest = _find_next(node.right, source, context)
    return rest if rest is not None else _compute(node, source, context)


def _is_true(node: nodes.Node, source: str, context: ExpressionContext) -> bool:
    value = context.evaluate(get_expression_text(node, source))
    return value is not None and value is not False


def _replace_by_branch(
    node: nodes.Node, branch: nodes.Node, source: str, context: ExpressionContext
) -> EvaluationStep | None:
    """Return the step that puts the chosen branch in the place of the whole.

    A branch of several statements is computed at once.
    """
    if isinstance(branch, nodes.Nop):
        return EvaluationStep(source, *find_expression_extent(node, source), "undef")
    if isinstance(branch, nodes.Block):
        return _compute(node, source, context)
    return EvaluationStep(source, *find_expression_extent(node, source), get_expression_text(branch, source))


# --- Iterations of a lambda


MOST_ITERATIONS = 50
# functions that call their lambda with an element, or with its index or key and the element
_ITERATING = ("map", "filter", "each", "all", "any", "flat_map", "find", "partition", "group_by", "sort_by")
# calls that end a lambda, its iteration, or the function around it
_CONTROL_FLOW = ("break", "return", "next")


def _trace_iterations(node: nodes.Node, source: str, context: ExpressionContext) -> list[Iteration]:
    """Return the iterations of a call with a lambda, up to the first that fails.

    Nothing is returned for a function that calls its lambda in a way that is not known here.
    """
    node = nodes.strip_parentheses(node)
    if not isinstance(node, nodes.Call | nodes.MethodCall) or not isinstance(node.block, Lambda):
        return []
    name, block = get_callee_name(node), node.block
    arguments = [get_expression_text(argument, source) for argument in list_arguments(node)]
    names = [parameter.name for parameter in block.parameters]
    is_plain = not any(parameter.splat or parameter.default for parameter in block.parameters)
    calls = [inner for inner in walk(block.body) if isinstance(inner, nodes.Call)]
    has_control_flow = any(get_callee_name(call) in _CONTROL_FLOW for call in calls)
    if not (is_plain and arguments) or isinstance(block.body, nodes.Nop) or has_control_flow:
        return []
    iterations: list[Iteration] = []
    with suppress(PuppetError):  # raised by an argument: the call raises it as well
        values = _iterate_parameters(name, arguments, len(names), context)
        # The first parameter of `reduce` is its second argument or the first element, then the last result.
        memo = (arguments[1:] or next(values, [])) if name == "reduce" else []
        for literals in values:
            iteration = Iteration(dict(zip(names, [*memo, *literals], strict=True)))
            iterations.append(iteration)
            _trace_body(iteration, block.body, source, context)
            if iteration.failed or len(iterations) == MOST_ITERATIONS:
                break
            memo = iteration.stages[-1:] if name == "reduce" else []
    return iterations


def _iterate_parameters(
    name: str, arguments: list[str], count: int, context: ExpressionContext
) -> Iterator[list[str]]:
    """Yield the literals of the parameters of a lambda in each iteration.

    For `reduce` these are the elements, without the result of the iteration before.

    Args:
        name: The function that calls the lambda.
        arguments: The sources of its arguments.
        count: The number of parameters of the lambda.
        context: The surroundings of the call.
    """
    if name == "with" and count == len(arguments):
        yield arguments
    elif name == "reduce" and count == 2 and len(arguments) <= 2:
        yield from _iterate_elements(arguments[0], 1, context)
    elif name in _ITERATING and count in (1, 2) and len(arguments) == 1:
        yield from _iterate_elements(arguments[0], count, context)


def _iterate_elements(argument: str, count: int, context: ExpressionContext) -> Iterator[list[str]]:
    """Yield the literals of each element of an argument; for a `count` of 2, also of its key."""
    value = context.evaluate(argument)
    if not isinstance(value, list | dict):  # such as a range or a string
        value = context.evaluate(f"({argument}).map |$x| {{ $x }}")
    if isinstance(value, dict):
        for key, entry in zip(list_keys(value), value.values(), strict=True):
            pair = [context.write_start(key), context.write_start(entry)]
            yield pair if count == 2 else [f"[{', '.join(pair)}]"]
    else:
        for index, element in enumerate(value):
            literal = context.write_start(element)
            yield [str(index), literal] if count == 2 else [literal]


def _trace_body(iteration: Iteration, body: nodes.Node, source: str, context: ExpressionContext) -> None:
    """Add the stages of an iteration to it; the code of an error is the last of them."""
    values = ", ".join(iteration.parameters.values())
    names = ", ".join(f"${name}" for name in iteration.parameters)

    def evaluate(part: str) -> Value:
        return context.evaluate(f"with({values}) |{names}| {{ {part} }}")

    try:
        for stage in _iterate_stages(
            body, source, ExpressionContext(context.dialect, evaluate, context.write)
        ):
            iteration.stages.append(stage)
    except PuppetError as problem:
        iteration.failed = True
        iteration.stages.append(problem.code)


def _iterate_stages(body: nodes.Node, source: str, context: ExpressionContext) -> Iterator[str]:
    """Yield the forms of a body until it is a value; several statements are evaluated at once."""
    text = get_expression_text(body, source)
    if isinstance(body, nodes.Block):
        text = text[1:-1].strip()  # without the braces
        yield text
        yield context.write_start(context.evaluate(text))
        return
    yield text
    for step in _iterate_steps(text, context):
        if step.problem is not None:
            raise step.problem
        yield step.after
