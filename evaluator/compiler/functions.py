"""Lambdas and user functions: Python functions with Puppet's rules for arguments and values."""

from __future__ import annotations

import ast
from typing import Any

from evaluator.compiler import analysis
from evaluator.compiler.emitter import Emitter, Frame, Position, Unit, emits
from evaluator.compiler.parameters import (
    LateType,
    PassedType,
    attribute_of,
    check_order,
    check_returns,
    counts,
    enter_parameters,
    parameter_type,
    protected,
    returning,
    set_match,
    specs_of,
)
from evaluator.program.callables import ParameterSpec
from evaluator.program.scope import Scope
from evaluator.types import predicate
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes


@emits(nodes.Lambda)
def lambda_(emitter: Emitter, node: nodes.Lambda, integers: slice = slice(0), memo: bool = False) -> ast.expr:
    """The Block of a lambda.

    integers  its parameters that are only given integers
    memo      the first parameter is what the block gave before: it is one of `reduce`
    """
    specs = specs_of(emitter, node.parameters)
    try:
        check_order(specs)
    except PuppetError as wrong:
        emitter.shared = False
        return emitter.call("RAISE", emitter.constant(wrong))
    least, most = counts(specs)
    returns, passed = _passed_types(emitter, node, specs)
    # With passed types it is only known when the lambda is met, so it cannot be made of the node again.
    declared = emitter.keep((specs, least, most, returns), "L", None if passed else ("declared", node))
    frame = Frame("lambda", emitter.frame)
    outer, emitter.frame = emitter.frame, frame
    try:
        emitter.at(node)
        position: Position = emitter.position
        subject = emitter.name(declared)
        if passed:
            subject = emitter.call("WITH_TYPES", subject, *(emitter.name(kind.local) for kind in passed))
        plain, rest, defaults, entry = enter_parameters(emitter, node.parameters, specs, subject, "lambda")
        frame.integers.update(plain[integers])
        frame.memo = plain[0] if memo and plain else ""
        body = emitter.statements(node.body, True)
        emitter.position = position
        body = [*entry, *returning(emitter, body, returns, subject)]
        inside = analysis.body_nodes(node)
        signals = ["NextIteration"] if analysis.calls_control(inside, "next") else []
        body = protected(emitter, body, signals, analysis.sets_match(inside))
        maybes = [frame.local(name) for name in sorted(frame.maybes)]
        name = f"lambda{frame.depth}_{node.start}"
        definition = emitter.function(
            name, plain, [*frame.prologue, *body], rest=rest, defaults=defaults, keyword_only=maybes
        )
    finally:
        emitter.frame = outer
    outer.prologue.append(definition)
    types = [emitter.bind(kind.local, emitter.expression(kind.node)) for kind in passed]
    emitter.at(node)
    known = emitter.name(declared)
    if types:
        known = emitter.call("WITH_TYPES", known, *types)
    star = ast.Starred(known, ast.Load(), **emitter.position)
    return ast.Call(emitter.name("BLOCK"), [emitter.name(name), star], [], **emitter.position)


def declared_by(emitter: Emitter, node: nodes.Lambda) -> tuple[Any, ...]:
    """What a Block is given beside its function: what a lambda declares, all of whose types are known by then."""
    specs = specs_of(emitter, node.parameters)
    return (specs, *counts(specs), parameter_type(emitter, node.returns))


def _passed_types(
    emitter: Emitter, node: nodes.Lambda, specs: tuple[ParameterSpec, ...]
) -> tuple[Any, list[PassedType]]:
    """The type of what a lambda returns, and the types that are evaluated where it stands; `specs` refer to them."""
    passed: list[PassedType] = []

    def evaluated(kind: Any) -> Any:
        if isinstance(kind, LateType):
            kind = PassedType(f"type{emitter.frame.depth}_{node.start}_{len(passed)}", kind.node)
            passed.append(kind)
        return kind

    for spec in specs:
        spec.type = evaluated(spec.type)
    return evaluated(parameter_type(emitter, node.returns)), passed


# --- user functions


def rest_last(parameters: list[nodes.Parameter]) -> list[nodes.Parameter]:
    """Parameters with the one that takes the rest behind the others."""
    return sorted(parameters, key=lambda parameter: bool(parameter.splat))


def by_place(function: Any, rest: int, count: int) -> Any:
    """A function of which the parameter for the rest is not the last.

    Every other parameter takes the argument at its place, the rest what there is from the place of the last on.
    """

    def called(*arguments: Any) -> Any:
        plain = [argument for place, argument in enumerate(arguments[:count]) if place != rest]
        return function(*plain, *arguments[count - 1 :])

    return called


# what a function declares: its name, parameters, least and most number of arguments, return type
Declared = tuple[str, tuple[ParameterSpec, ...], int, int | None, Any]


class UserFunction:
    """A function written in Puppet; compiled on its first call."""

    __slots__ = ("_compiled", "_declared", "_is_shared", "name", "node", "unit")

    def __init__(self, unit: Unit, node: nodes.Function) -> None:
        self.unit = unit
        self.node = node
        self.name = node.name
        self._compiled: Any = None
        self._declared: Declared | None = None
        self._is_shared = False  # whether its parameters are the same in every program

    @property
    def declared(self) -> Declared:
        """What the function declares of itself."""
        if self._declared is None:
            emitter = Emitter(self.unit)
            check_order(specs_of(emitter, self.node.parameters))
            specs = specs_of(emitter, rest_last(self.node.parameters))
            self.unit.runtime.state.learnt.append(self)
            self._declared = (self.name, specs, *counts(specs), parameter_type(emitter, self.node.returns))
            self._is_shared = emitter.shared
        return self._declared

    @property
    def returns(self) -> Any:
        """The type that it says it returns, None when it says none."""
        return self.declared[4]

    def accepts(self, scope: Scope, arguments: list[Any]) -> bool:
        """True when a call with these arguments fits."""
        _, specs, least, most, _ = self.declared
        if len(arguments) < least or (most is not None and len(arguments) > most):
            return False
        for place, argument in enumerate(arguments):
            declared = specs[min(place, len(specs) - 1)].type  # the last one may take the rest
            kind = declared.resolve() if isinstance(declared, LateType) else declared
            if kind is not None and not predicate(kind)(argument):
                return False
        return True

    @property
    def fn(self) -> Any:
        """The Python function: positional arguments, checks their types, returns the value."""
        if self._compiled is None:
            compiled = self._compile()
            places = [index for index, parameter in enumerate(self.node.parameters) if parameter.splat]
            early = places and places[0] < len(self.node.parameters) - 1
            self.unit.runtime.state.learnt.append(self)
            self._compiled = by_place(compiled, places[0], len(self.node.parameters)) if early else compiled
        return self._compiled

    def forget(self) -> Any:
        """Compiles anew on the next call; see `State.learnt`."""
        known, self._declared, self._compiled = (self._declared, self._compiled), None, None
        return known

    def recall(self, known: Any) -> None:
        """Takes back what `forget` gave."""
        self._declared, self._compiled = known

    def _compile(self) -> Any:
        declared = self.declared
        return self.unit.compiled(self.node, "function", lambda emitter: self._emitted(emitter, declared))

    def _emitted(self, emitter: Emitter, declared: Declared) -> ast.FunctionDef:
        node = self.node
        emitter.shared = self._is_shared
        frame = Frame("function")
        emitter.frame = frame
        emitter.at(node)
        position = emitter.position
        subject = emitter.constant(declared)
        plain, rest, defaults, entry = enter_parameters(
            emitter, rest_last(node.parameters), declared[1], subject, self.name
        )
        body = emitter.statements(node.body, True)
        emitter.position = position
        inside = analysis.body_nodes(node)
        restores = analysis.sets_match(inside) or analysis.reads_match(node)
        body = returning(emitter, body, declared[4], subject)
        signals = []
        if analysis.calls_control(inside, "next", "return") or analysis.lambda_returns(node):
            signals = ["NextIteration", "ReturnValue"]
        if signals and declared[4] is not None:
            body = self._checked_unwinding(emitter, body, declared[4], subject)
            signals = []
        clear: list[ast.stmt] = []
        if restores:
            clear = [set_match(emitter, emitter.literal(None))]
        body = protected(emitter, [*clear, *entry, *body], signals, restores)
        maybes = [frame.local(name) for name in sorted(frame.maybes)]
        start: list[ast.stmt] = [emitter.assign(name, emitter.name("MISSING")) for name in maybes]
        if frame.uses_scope:
            start.append(emitter.assign("scope", emitter.call("TOP_SCOPE")))
        return emitter.function(
            "function_", plain, [*start, *frame.prologue, *body], rest=rest, defaults=defaults
        )

    @staticmethod
    def _checked_unwinding(
        emitter: Emitter, body: list[ast.stmt], declared: Any, subject: ast.expr
    ) -> list[ast.stmt]:
        """A value given to `next` is checked like one that is reached at the end, one given to `return` is not."""
        handlers = []
        for signal in ("NextIteration", "ReturnValue"):
            value: ast.stmt = ast.Return(attribute_of(emitter, "signal", "value"), **emitter.position)
            made = [value] if signal == "ReturnValue" else check_returns(emitter, value, declared, subject)
            handlers.append(ast.ExceptHandler(emitter.name(signal), "signal", made, **emitter.position))
        return [ast.Try(body, handlers, [], [], **emitter.position)]
