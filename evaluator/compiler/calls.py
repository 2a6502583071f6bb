"""Function and method calls, lambdas and user functions."""

from __future__ import annotations

import ast
from typing import Any

from evaluator.callables import ParameterSpec
from evaluator.compiler import analysis
from evaluator.compiler.emitter import Emitter, Frame, Position, Unit, emits, emits_statement
from evaluator.compiler.literals import constant_value, value_list
from evaluator.compiler.variables import visible_locals
from evaluator.errors import Failure
from evaluator.functions import registry
from evaluator.issues import error
from evaluator.types import ArrayType, IntegerType, Type, predicate
from lexer_parser import nodes
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

# Functions that look at the variables around their call; they get a Scope that holds the locals.
_SEES_LOCALS = frozenset(
    {"inline_epp", "epp", "inline_template", "template", "getvar", "defined", "call", "lookup"}
)


# --- calls


@emits(nodes.Call)
def call(emitter: Emitter, node: nodes.Call) -> ast.expr:
    functor = node.functor
    if isinstance(functor, nodes.Name):
        return _named_call(emitter, functor.value.removeprefix("::"), node.arguments, node.block, node)
    target = emitter.expression(functor)
    arguments = value_list(emitter, node.arguments, node)
    block = _block(emitter, node.block)
    emitter.at(node)
    return emitter.call("NEW", emitter.scope(), target, arguments, block)


@emits(nodes.MethodCall)
def method_call(emitter: Emitter, node: nodes.MethodCall) -> ast.expr:
    name = node.name.value
    if name in _CONTROL or (_builtin(emitter, name) is not None and not _may_be_member(name)):
        return _named_call(emitter, name, [node.receiver, *node.arguments], node.block, node)
    arguments = value_list(emitter, [node.receiver, *node.arguments], node)
    block = _block(emitter, node.block)
    emitter.at(node)
    return emitter.call("CALL_METHOD", emitter.literal(name), _call_scope(emitter, name), arguments, block)


def _builtin(emitter: Emitter, name: str) -> registry.Function | None:
    """The built-in function of that name, if the dialect has it and the program defines none of that name."""
    if name in emitter.runtime.state.definitions.functions:
        return None
    found = registry.lookup(name)
    return found if found is not None and found.available(emitter.dialect) else None


def _may_be_member(name: str) -> bool:
    """Methods of values come before functions of the same name for these (`Deferred(…).call`, `T.new`)."""
    return name in ("call", "new")


def _named_call(
    emitter: Emitter, name: str, arguments: list[nodes.Node], block: nodes.Lambda | None, node: nodes.Node
) -> ast.expr:
    control = _CONTROL.get(name)
    if control is not None:
        return control(emitter, arguments, node)
    splat = any(isinstance(argument, nodes.Splat) for argument in arguments)
    builtin = _builtin(emitter, name)
    if builtin is not None:
        values = value_list(emitter, arguments, node)
        passed = _block(emitter, block)
        emitter.at(node)
        # Looked up at each call: the first call replaces `invoke` by one made for the function's signatures.
        invoke = _attribute(emitter, emitter.unit.constant(builtin, "F"), "invoke")
        # CPython moves the position of a method call that ends on another line to that line: keep it on one.
        invoke.end_lineno, invoke.end_col_offset = invoke.lineno, invoke.col_offset
        return ast.Call(invoke, [_call_scope(emitter, name), values, passed], [], **emitter.position)
    if splat or block is not None:
        values = value_list(emitter, arguments, node)
        passed = _block(emitter, block)
        emitter.at(node)
        return emitter.call("CALL", emitter.literal(name), _call_scope(emitter, name), values, passed)
    # `FUNCTIONS["name/2"]` is a dictionary that finds the Python function for that many arguments when asked.
    passed_values = [emitter.expression(argument) for argument in arguments]
    emitter.at(node)
    key = emitter.literal(f"{name}/{len(arguments)}")
    function = ast.Subscript(emitter.name("FUNCTIONS"), key, ast.Load(), **emitter.position)
    return ast.Call(function, passed_values, [], **emitter.position)


def _call_scope(emitter: Emitter, name: str) -> ast.expr:
    if name not in _SEES_LOCALS or emitter.frame.kind == "scope":
        return emitter.scope()
    known = visible_locals(emitter)
    keys: list[ast.expr | None] = [emitter.literal(puppet) for puppet in known]
    items = [emitter.name(python) for python in known.values()]
    return emitter.call("LOCAL_SCOPE", emitter.scope(), ast.Dict(keys, items, **emitter.position))


# --- control functions


def _argument(emitter: Emitter, arguments: list[nodes.Node]) -> ast.expr:
    return emitter.expression(arguments[0]) if arguments else emitter.literal(None)


def _inside(emitter: Emitter, kind: str) -> bool:
    """True when the code being emitted stands in a frame of that kind, lambdas around it included."""
    frame: Frame | None = emitter.frame
    while frame is not None:
        if frame.kind == kind:
            return True
        frame = frame.outer
    return False


def _next(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    if len(arguments) > 1:
        return _builtin_control(emitter, "next", arguments, node)
    value = _argument(emitter, arguments)
    emitter.at(node)
    if emitter.frame.kind != "scope":
        return emitter.call("RAISE_NEXT", value)
    return emitter.call("NEXT", emitter.scope(), value)


def _break(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    if arguments:
        return _builtin_control(emitter, "break", arguments, node)
    emitter.at(node)
    return emitter.call("BREAK")


def _return(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    if len(arguments) > 1:
        return _builtin_control(emitter, "return", arguments, node)
    value = _argument(emitter, arguments)
    emitter.at(node)
    if _inside(emitter, "function"):
        return emitter.call("RAISE_RETURN", value)
    return emitter.call("RETURN", emitter.scope(), value)


@emits_statement(nodes.Call)
def control_statement(emitter: Emitter, node: nodes.Call, returns: bool) -> list[ast.stmt]:
    """`return(x)` in a function and `next(x)` in a lambda are Python's `return` where statements stand."""
    name = node.functor.value if isinstance(node.functor, nodes.Name) else ""
    kind = emitter.frame.kind
    if len(node.arguments) < 2 and (
        (name == "return" and kind == "function") or (name == "next" and kind in ("function", "lambda"))
    ):
        value = _argument(emitter, node.arguments)
        emitter.at(node)
        return [ast.Return(value, **emitter.position)]
    value = emitter.expression(node)
    if returns:
        return [ast.Return(value, **emitter.position)]
    return [ast.Expr(value, **emitter.position)]


def _builtin_control(emitter: Emitter, name: str, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    """A control function with wrong arguments: the function itself says so."""
    values = value_list(emitter, arguments, node)
    emitter.at(node)
    return emitter.call("CALL", emitter.literal(name), emitter.scope(), values, emitter.literal(None))


_CONTROL: dict[str, Any] = {"next": _next, "break": _break, "return": _return}


# --- parameters


def _parameter_type(emitter: Emitter, node: nodes.Node | None) -> Any:
    """The Type of a parameter, looked up when it is not known yet; None when untyped."""
    if node is None:
        return None
    found = constant_value(emitter, node)
    if isinstance(found, Type):
        return found
    late = LateType(emitter.unit, node)
    try:
        return late.resolve()
    except (PuppetError, Failure):
        return late  # an error where the type is needed, if it is


class LateType:
    """A type expression that cannot be folded: evaluated when it is first needed."""

    __slots__ = ("_found", "node", "unit")

    def __init__(self, unit: Unit, node: nodes.Node) -> None:
        self.unit = unit
        self.node = node
        self._found: Type | None = None

    def resolve(self) -> Type:
        """The type; evaluated in the top scope."""
        if self._found is None:
            self._found = evaluate_expression(self.unit, self.node)(self.unit.runtime.state.top)
        return self._found


def resolve_type(declared: Any) -> Type | None:
    """The Type of a ParameterSpec or a return type, None when there is none."""
    return declared.resolve() if isinstance(declared, LateType) else declared


def evaluate_expression(unit: Unit, node: nodes.Node) -> Any:
    """A Python function `(scope) -> value` for one expression."""
    emitter = Emitter(unit)
    value = emitter.expression(node)
    emitter.at(node)
    name = unit.constant(None, "E")
    body = [*emitter.frame.prologue, ast.Return(value, **emitter.position)]
    return emitter.finish(emitter.function(name, ["scope"], body))


# What a parameter test looks like inline: no call for the commonest types.
_INLINE_TESTS: dict[str, tuple[str, ...]] = {"Integer": ("int",), "String": ("str",), "Float": ("float",)}


def _type_test(emitter: Emitter, value: str, declared: Any) -> ast.expr | None:
    """A Python test that is true when the local `value` is an instance; None when any value is."""
    if declared is None or str(declared) == "Any":
        return None
    if isinstance(declared, LateType):
        return emitter.call("IS_LATE", emitter.name(value), emitter.constant(declared))
    inline = _INLINE_TESTS.get(str(declared))
    if inline is not None:
        return emitter.compare(emitter.type_of(emitter.name(value)), (ast.Is(), emitter.name(inline[0])))
    return emitter.call(emitter.unit.constant(predicate(declared), "P"), emitter.name(value))


def _check(emitter: Emitter, value: str, declared: Any, failure: ast.expr) -> list[ast.stmt]:
    test = _type_test(emitter, value, declared)
    if test is None:
        return []
    rejected = ast.UnaryOp(ast.Not(), test, **emitter.position)
    return [ast.If(rejected, [ast.Expr(failure, **emitter.position)], [], **emitter.position)]


def _enter_parameters(
    emitter: Emitter, parameters: list[nodes.Parameter], specs: tuple[ParameterSpec, ...], subject: ast.expr
) -> tuple[list[str], str | None, list[ast.expr], list[ast.stmt]]:
    """Python parameters, the rest parameter, Python defaults, and the statements that check them."""
    frame = emitter.frame
    plain: list[str] = []
    rest: str | None = None
    defaults: list[ast.expr] = []
    body: list[ast.stmt] = []
    for parameter, spec in zip(parameters, specs, strict=True):
        local = frame.local(parameter.name)
        emitter.at(parameter)
        if parameter.splat:
            rest = local
            body.append(emitter.assign(local, emitter.call("REST", emitter.name(local))))
            if parameter.default is not None:
                body += _default_rest(emitter, local, parameter)
        else:
            plain.append(local)
            if parameter.default is not None or defaults:
                defaults.append(emitter.name("MISSING"))
        if parameter.default is not None and not parameter.splat:
            value = emitter.expression(parameter.default)
            emitter.at(parameter)
            if analysis.sets_match(parameter.default):
                value = emitter.call("RESTORE_MATCH", emitter.call("CURRENT_MATCH"), value)
            missing = emitter.compare(emitter.name(local), (ast.Is(), emitter.name("MISSING")))
            body.append(ast.If(missing, [emitter.assign(local, value)], [], **emitter.position))
        frame.assigned[parameter.name] = "yes"
        index = emitter.literal(len(plain) - 1 if not parameter.splat else len(plain))
        failure = emitter.call("BAD_ARGUMENT", subject, index, emitter.name(local))
        if parameter.splat:
            if spec.type is not None:
                accepted = emitter.call("REST_FITS", emitter.constant(spec), emitter.name(local))
                rejected = ast.UnaryOp(ast.Not(), accepted, **emitter.position)
                body.append(ast.If(rejected, [ast.Expr(failure, **emitter.position)], [], **emitter.position))
        else:
            body += _check(emitter, local, spec.type, failure)
            if isinstance(spec.type, IntegerType):
                frame.integers.add(local)
    return plain, rest, defaults, body


def _default_rest(emitter: Emitter, local: str, parameter: nodes.Parameter) -> list[ast.stmt]:
    assert parameter.default is not None
    value = emitter.expression(parameter.default)
    emitter.at(parameter)
    chosen = emitter.assign(local, emitter.call("AS_LIST", value))
    empty = ast.UnaryOp(ast.Not(), emitter.name(local), **emitter.position)
    return [ast.If(empty, [chosen], [], **emitter.position)]


def _specs(emitter: Emitter, parameters: list[nodes.Parameter]) -> tuple[ParameterSpec, ...]:
    return tuple(
        ParameterSpec(
            p.name,
            _parameter_type(emitter, p.type),
            p.default is None and not p.splat,
            p.splat,
            Span(emitter.unit.source, p.start, p.end),
        )
        for p in parameters
    )


def _check_order(specs: tuple[ParameterSpec, ...]) -> None:
    """Raises when a required parameter follows an optional one, or an optional one the rest."""
    optional = False
    rest: ParameterSpec | None = None
    for spec in specs:
        if rest is not None and not spec.required:
            raise error("CAPTURES_REST_NOT_LAST", rest.span, name=rest.name)
        rest = spec if spec.splat else rest
        if spec.required and optional:
            raise error("REQUIRED_PARAMETER_AFTER_OPTIONAL", spec.span, name=spec.name)
        optional = optional or not spec.required


def _counts(specs: tuple[ParameterSpec, ...]) -> tuple[int, int | None]:
    required = sum(spec.required for spec in specs)
    rest = next((spec for spec in specs if spec.splat), None)
    if rest is None:
        return required, len(specs)
    if isinstance(rest.type, ArrayType) and rest.type.size is not None:
        low, high = rest.type.size
        return required + low, None if high is None else len(specs) - 1 + high
    return required, None


def _returning(emitter: Emitter, body: list[ast.stmt], declared: Any, subject: ast.expr) -> list[ast.stmt]:
    """Checks what a body returns against its declared type."""
    if declared is None:
        return body
    checked: list[ast.stmt] = []
    for statement in body:
        checked += _check_returns(emitter, statement, declared, subject)
    return checked


def _check_returns(emitter: Emitter, statement: ast.stmt, declared: Any, subject: ast.expr) -> list[ast.stmt]:
    if isinstance(statement, ast.If):
        statement.body = _returning(emitter, statement.body, declared, subject)
        statement.orelse = _returning(emitter, statement.orelse, declared, subject)
        return [statement]
    if not isinstance(statement, ast.Return) or statement.value is None:
        return [statement]
    held = emitter.temporary()
    keep = emitter.assign(held, statement.value)
    wrong = emitter.call("BAD_RETURN", subject, emitter.name(held))
    statement.value = emitter.name(held)
    return [keep, *_check(emitter, held, declared, wrong), statement]


def _protected(
    emitter: Emitter, body: list[ast.stmt], handlers: list[tuple[str, bool]], restore: bool
) -> list[ast.stmt]:
    """Wraps a body: catches the unwinding signals it ends, restores the match variables it changed."""
    if restore:
        before = emitter.assign("saved_match", emitter.call("CURRENT_MATCH"))
        after: list[ast.stmt] = [
            ast.Expr(emitter.call("SET_MATCH", emitter.name("saved_match")), **emitter.position)
        ]
    else:
        after = []
    if not handlers and not restore:
        return body
    caught = [
        ast.ExceptHandler(
            emitter.name(signal),
            "signal",
            [ast.Return(_attribute(emitter, "signal", "value"), **emitter.position)],
            **emitter.position,
        )
        for signal, _ in handlers
    ]
    guarded = ast.Try(body, caught, [], after, **emitter.position)
    return [before, guarded] if restore else [guarded]


def _attribute(emitter: Emitter, name: str, attribute: str) -> ast.expr:
    return ast.Attribute(emitter.name(name), attribute, ast.Load(), **emitter.position)


# --- lambdas


def _block(emitter: Emitter, node: nodes.Lambda | None) -> ast.expr:
    """The Block for a lambda, None when there is none."""
    if node is None:
        return emitter.literal(None)
    return emitter.expression(node)


@emits(nodes.Lambda)
def lambda_(emitter: Emitter, node: nodes.Lambda) -> ast.expr:
    specs = _specs(emitter, node.parameters)
    try:
        _check_order(specs)
    except PuppetError as wrong:
        return emitter.call("RAISE", emitter.constant(wrong))
    least, most = _counts(specs)
    returns = _parameter_type(emitter, node.returns)
    facts = emitter.unit.constant((specs, least, most, returns), "L")
    frame = Frame("lambda", emitter.frame, analysis.assigned_names(node))
    outer, emitter.frame = emitter.frame, frame
    try:
        emitter.at(node)
        position: Position = emitter.position
        subject = emitter.name(facts)
        plain, rest, defaults, entry = _enter_parameters(emitter, node.parameters, specs, subject)
        body = emitter.statements(node.body, True)
        emitter.position = position
        body = [*entry, *_returning(emitter, body, returns, subject)]
        handlers = [("NextIteration", True)] if analysis.calls_control(node, "next") else []
        body = _protected(emitter, body, handlers, analysis.sets_match(node))
        maybes = [frame.local(name) for name, state in frame.assigned.items() if state == "maybe"]
        name = f"lambda{frame.depth}_{node.start}"
        definition = emitter.function(
            name, plain, [*frame.prologue, *body], rest=rest, defaults=defaults, keyword_only=maybes
        )
    finally:
        emitter.frame = outer
    outer.prologue.append(definition)
    emitter.at(node)
    star = ast.Starred(emitter.name(facts), ast.Load(), **emitter.position)
    return ast.Call(emitter.name("BLOCK"), [emitter.name(name), star], [], **emitter.position)


# --- user functions


class UserFunction:
    """A function written in Puppet; compiled on its first call."""

    __slots__ = ("_compiled", "_facts", "name", "node", "unit")

    def __init__(self, unit: Unit, node: nodes.Function) -> None:
        self.unit = unit
        self.node = node
        self.name = node.name
        self._compiled: Any = None
        self._facts: Any = None

    @property
    def facts(self) -> tuple[str, tuple[ParameterSpec, ...], int, int | None, Any]:
        """Name, parameters, least and most number of arguments, return type."""
        if self._facts is None:
            emitter = Emitter(self.unit)
            specs = _specs(emitter, self.node.parameters)
            _check_order(specs)
            self._facts = (self.name, specs, *_counts(specs), _parameter_type(emitter, self.node.returns))
        return self._facts

    @property
    def fn(self) -> Any:
        """The Python function: positional arguments, checks their types, returns the value."""
        if self._compiled is None:
            self._compiled = self._compile()
        return self._compiled

    def _compile(self) -> Any:
        node = self.node
        facts = self.facts
        emitter = Emitter(self.unit)
        frame = Frame("function", None, analysis.assigned_names(node))
        emitter.frame = frame
        emitter.at(node)
        position = emitter.position
        subject = emitter.constant(facts)
        plain, rest, defaults, entry = _enter_parameters(emitter, node.parameters, facts[1], subject)
        body = emitter.statements(node.body, True)
        emitter.position = position
        restores = analysis.sets_match(node) or analysis.reads_match(node)
        body = _returning(emitter, body, facts[4], subject)
        handlers = []
        if analysis.calls_control(node, "next", "return") or analysis.lambda_returns(node):
            handlers = [("NextIteration", True), ("ReturnValue", True)]
        if handlers and facts[4] is not None:
            body = self._checked_unwinding(emitter, body, facts[4], subject)
            handlers = []
        clear: list[ast.stmt] = []
        if restores:
            clear = [ast.Expr(emitter.call("SET_MATCH", emitter.literal(None)), **position)]
        body = _protected(emitter, [*clear, *entry, *body], handlers, restores)
        maybes = [frame.local(name) for name, state in frame.assigned.items() if state == "maybe"]
        start: list[ast.stmt] = [emitter.assign(name, emitter.name("MISSING")) for name in maybes]
        if frame.uses_scope:
            start.append(emitter.assign("scope", emitter.call("TOP_SCOPE")))
        name = self.unit.constant(None, "function_")
        function = emitter.function(
            name, plain, [*start, *frame.prologue, *body], rest=rest, defaults=defaults
        )
        return emitter.finish(function)

    @staticmethod
    def _checked_unwinding(
        emitter: Emitter, body: list[ast.stmt], declared: Any, subject: ast.expr
    ) -> list[ast.stmt]:
        """A value given to `return` is checked like one that is reached at the end."""
        handlers = []
        for signal in ("NextIteration", "ReturnValue"):
            value = ast.Return(_attribute(emitter, "signal", "value"), **emitter.position)
            checked = _check_returns(emitter, value, declared, subject)
            handlers.append(ast.ExceptHandler(emitter.name(signal), "signal", checked, **emitter.position))
        return [ast.Try(body, handlers, [], [], **emitter.position)]


__all__ = ["LateType", "UserFunction", "evaluate_expression", "resolve_type"]
