"""Compilation of lambdas and functions: types, parameters, checks and bodies.

Specification: Types, Values, and Variables, "Callable[signature]".
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from evaluator.compiler import analysis
from evaluator.compiler.compiled_source import AssumedValue, Assumption
from evaluator.compiler.emitter import (
    CodeEmitter,
    CompilationUnit,
    FunctionFrame,
    compile_expression,
    emits,
)
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.issues import Failure, refuse_if
from evaluator.program.definitions import RESERVED_NAMES, ParameterSpec, Scope
from evaluator.program.environment import refers_to_same, trace_names
from evaluator.program.tracing import FUNCTION, LAMBDA
from evaluator.types import ANY, ArrayType, FloatType, IntegerType, StringType, Type, get_predicate
from evaluator.values import Value, add_article, describe_kind
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import Span
from lexer_parser.tree import nodes

CompiledFunction = Callable[..., Value]

# CPython 3.13 does not count a call with filled-in parameters against the recursion limit, so that recursion would
# take all memory. The plain call of `count_frame` inside it is counted, with everything around it.
_UNCOUNTED = sys.version_info[:2] == (3, 13)


def compile_type(emitter: CodeEmitter, node: nodes.Node | None) -> Type | DeferredType | None:
    """Return the Type of a parameter, deferred when it is not constant; None when untyped."""
    if node is None:
        return None
    constant = fold_constant(emitter, node)
    if isinstance(constant, Type):
        return constant
    declared: Type | DeferredType = DeferredType(emitter.unit, node)
    names = None
    if not _depends_on_scope(node):
        with suppress(PuppetError, Failure):  # the error is raised where the type is needed
            declared = declared.resolve()
            _, names = emitter.unit.compiled_source.types.get(node, (None, None))
    emitter.shared = emitter.shared and names is not None
    for name in names or ():
        emitter.assume("alias", name)
    return declared


def _depends_on_scope(node: nodes.Node) -> bool:
    """Return True for a type expression with variables or calls."""
    return any(isinstance(part, nodes.Variable | nodes.Call | nodes.MethodCall) for part in nodes.walk(node))


class DeferredType(Record):
    """A type expression that is not constant: evaluated when it is first needed.

    That is the first call of a function, and the definition of a class or define.
    """

    unit: CompilationUnit
    node: nodes.Node
    _resolved: Type | None = None

    def resolve(self, scope: Scope | None = None) -> Type:
        """Return the type, evaluated in the scope, by default the top scope."""
        if self._resolved is None:
            runtime = self.unit.runtime
            shared, aliases = self.unit.compiled_source.types.get(self.node, (None, {}))
            if shared is not None and refers_to_same(runtime.names, aliases):
                resolved = shared
            else:
                resolved = self._evaluate(scope or runtime.state.top)
            runtime.state.deferred_results.append(self)
            self._resolved = resolved
        return self._resolved

    def _evaluate(self, scope: Scope) -> Type:
        """Return the evaluated type, and share it with other programs if it refers to nothing of this one."""
        with trace_names() as trace:
            resolved = check_is_type(compile_expression(self.unit, self.node)(scope))
        if trace.is_shareable and not _depends_on_scope(self.node):
            self.unit.compiled_source.types[self.node] = resolved, trace.types
        return resolved

    def forget(self) -> Value:
        """Discard the evaluated type and return it; see `State.deferred_results`."""
        discarded, self._resolved = self._resolved, None
        return discarded

    def recall(self, discarded: Value) -> None:
        """Restore what `forget` returned."""
        self._resolved = discarded


class LocalType(Record):
    """A type of a lambda that is not constant: evaluated each time the lambda is reached.

    The value is in `local`, a Python local of the function around the lambda.
    """

    local: str
    node: nodes.Node


DeclaredType = Type | DeferredType | LocalType | None


class FunctionDeclaration(NamedTuple):
    """The declaration of a function; `least` and `most` are numbers of arguments."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    least: int
    most: int | None  # None for any number
    returns: DeclaredType


# The same for a lambda, without the name: the arguments of a LambdaBlock after its Python function. A plain tuple is
# unpacked faster, each time the lambda is reached.
BlockDeclaration = tuple[tuple[ParameterSpec, ...], int, int | None, DeclaredType]


def check_is_type(value: Value) -> Type:
    """Return the value of a parameter's type expression. Raises Failure when it is not a type."""
    if not isinstance(value, Type):
        raise Failure("NO_TYPE_OF_PARAMETER", actual=add_article(describe_kind(value)))
    return value


def resolve_type(declared: DeclaredType) -> Type | None:
    """Return the Type that a parameter or function declares; None without one."""
    # A LocalType is replaced by its value before the code that declares it runs.
    return declared.resolve() if isinstance(declared, DeferredType) else declared  # type: ignore[return-value]


# The most frequent types are tested inline, without a call.
_INLINE_TESTS = {"Integer": "int", "String": "str", "Float": "float"}


def emit_type_test(emitter: CodeEmitter, value: str, declared: DeclaredType) -> ast.expr | None:
    """Emit a test whether a local is an instance of a type; None when all values are."""
    if declared is None or declared == ANY:
        return None
    if isinstance(declared, DeferredType | LocalType):
        return emitter.call(
            "IS_DEFERRED_INSTANCE", emitter.name(value), _emit_deferred_type(emitter, declared)
        )
    # Printing other types may produce a long string.
    is_plain = isinstance(declared, IntegerType | StringType | FloatType)
    inline = _INLINE_TESTS.get(str(declared)) if is_plain else None
    if inline is not None:
        return emitter.compare(emitter.type_of(emitter.name(value)), (ast.Is(), emitter.name(inline)))
    predicate = emitter.add_global(get_predicate(declared), "P", ("test", declared))
    return emitter.call(predicate, emitter.name(value))


def _emit_deferred_type(emitter: CodeEmitter, declared: Type | DeferredType | LocalType) -> ast.expr:
    return emitter.name(declared.local) if isinstance(declared, LocalType) else emitter.constant(declared)


def _emit_check(emitter: CodeEmitter, test: ast.expr | None, failure: ast.expr) -> list[ast.stmt]:
    """Emit statements that raise `failure` unless a test holds; none without a test."""
    if test is None:
        return []
    rejected = ast.UnaryOp(ast.Not(), test, **emitter.position)
    return [ast.If(rejected, [ast.Expr(failure, **emitter.position)], [], **emitter.position)]


def emit_parameters(
    emitter: CodeEmitter,
    parameters: list[nodes.Parameter],
    specs: tuple[ParameterSpec, ...],
    subject: ast.expr,
    owner: str,
) -> tuple[list[str], str | None, list[ast.expr], list[ast.stmt]]:
    """Emit the defaults and the checks of parameters.

    Args:
        subject: An expression for the declaration of the function or lambda at run time.
        owner: The name of the function or lambda in failures of defaults.

    Returns:
        The Python parameters, the rest parameter, the Python defaults, and the statements of the checks.
    """
    frame, position = emitter.frame, emitter.position
    plain: list[str] = []
    rest: str | None = None
    defaults: list[ast.expr] = []
    body: list[ast.stmt] = []
    names = [parameter.name for parameter in parameters]
    local_names = [  # a lambda may repeat the name of a parameter; then the last one counts
        f"unseen{frame.depth}_{index}" if name in names[index + 1 :] else frame.local(name)
        for index, name in enumerate(names)
    ]
    # Most checks follow when all parameters have a value. A function checks some arguments earlier: those before the
    # first parameter with a default, and those that replace a default if a later default must be computed.
    is_function = frame.kind == "function"
    last_computed = -1  # the index of the last default that must be computed
    for index, parameter in enumerate(parameters):
        if parameter.default is not None and fold_constant(emitter, parameter.default) is NOT_CONSTANT:
            last_computed = index
    deferred_checks: list[ast.stmt] = []
    for index, parameter in enumerate(parameters):
        local = local_names[index]
        emitter.move_to(parameter)
        checks = _emit_argument_check(emitter, specs, local_names, index, subject)
        if parameter.default is not None:
            frame.unset = {other.name: (owner, parameter.name) for other in parameters[index:]}
        if parameter.splat:
            rest = local
            body.append(emitter.assign(local, emitter.call("REST", emitter.name(local))))
            if parameter.default is not None:
                body += _emit_rest_default(emitter, local, parameter)
        else:
            plain.append(local)
            if parameter.default is not None or defaults:
                defaults.append(emitter.name("MISSING"))
            if parameter.default is not None:
                checks_of_argument = checks if is_function and index < last_computed else []
                body.append(_emit_default(emitter, local, parameter.default, checks_of_argument))
        frame.assigned[parameter.name] = "yes"
        if is_function and parameter.default is None and not deferred_checks:
            body += checks
        else:
            deferred_checks += checks
    body += deferred_checks
    frame.integers.update(
        local
        for local, spec in zip(local_names, specs, strict=True)
        if isinstance(spec.type, IntegerType) and not spec.splat
    )
    frame.unset = {}
    if _UNCOUNTED and (defaults or rest):
        body.insert(0, ast.Expr(emitter.call("COUNTED"), **emitter.position))
    for parameter in parameters:
        if parameter.name in RESERVED_NAMES:
            refused = emitter.call("RESERVED_PARAMETER", emitter.literal(parameter.name))
            body.append(ast.Expr(refused, **emitter.position))
    emitter.position = position
    return plain, rest, defaults, body


def _emit_argument_check(
    emitter: CodeEmitter,
    specs: tuple[ParameterSpec, ...],
    local_names: list[str],
    index: int,
    subject: ast.expr,
) -> list[ast.stmt]:
    """Emit the check of one argument, or of the rest, against the type of its parameter."""
    spec, local = specs[index], local_names[index]
    values_left = emitter.py_tuple([emitter.name(name) for name in local_names[index:]])
    failure = emitter.call("BAD_ARGUMENT", subject, emitter.literal(index), values_left)
    if not spec.splat:
        return _emit_check(emitter, emit_type_test(emitter, local, spec.type), failure)
    test = spec.type and emitter.call(
        "REST_FITS", _emit_deferred_type(emitter, spec.type), emitter.name(local)
    )
    return _emit_check(emitter, test, failure)


def _emit_default(emitter: CodeEmitter, local: str, default: nodes.Node, checks: list[ast.stmt]) -> ast.stmt:
    """Emit the assignment of a default if there is no argument, else the checks."""
    value = emitter.emit_expression(default)
    if analysis.may_set_match(analysis.collect_body_nodes(default)):
        value = emitter.call("RESTORE_MATCH", emitter.match(), value)
    is_missing = emitter.compare(emitter.name(local), (ast.Is(), emitter.name("MISSING")))
    return ast.If(is_missing, [emitter.assign(local, value)], checks, **emitter.position)


def _emit_rest_default(emitter: CodeEmitter, local: str, parameter: nodes.Parameter) -> list[ast.stmt]:
    """Emit the assignment of a rest parameter's default if no arguments are left for it."""
    assert parameter.default is not None
    value = emitter.emit_expression(parameter.default)
    store_default = emitter.assign(local, emitter.call("AS_LIST", value))
    is_empty = ast.UnaryOp(ast.Not(), emitter.name(local), **emitter.position)
    list_of_undef = emitter.py_list([emitter.literal(None)])
    is_list_of_undef = emitter.compare(emitter.name(local), (ast.Eq(), list_of_undef))
    is_missing = ast.BoolOp(ast.Or(), [is_empty, is_list_of_undef], **emitter.position)
    # undef counts as a missing argument, but if the parameter has a type, undef is checked against it first
    return [ast.If(is_empty if parameter.type else is_missing, [store_default], [], **emitter.position)]


def make_specs(emitter: CodeEmitter, parameters: list[nodes.Parameter]) -> tuple[ParameterSpec, ...]:
    """Return the declared parameters as built-in functions and messages use them."""
    return tuple(
        ParameterSpec(
            parameter.name,
            compile_type(emitter, parameter.type),
            parameter.default is None and not parameter.splat,
            parameter.splat,
            Span(emitter.unit.source, parameter.start, parameter.end),
        )
        for parameter in parameters
    )


def check_parameter_order(specs: tuple[ParameterSpec, ...]) -> None:
    """Raise PuppetError when a required parameter follows an optional one or the rest."""
    optional = False
    for spec in specs:
        required = count_arguments((spec,))[0] > 0  # a rest parameter may have a type that requires some
        refuse_if(required and optional, "REQUIRED_PARAMETER_AFTER_OPTIONAL", span=spec.span, name=spec.name)
        optional = optional or not required


def count_arguments(specs: tuple[ParameterSpec, ...]) -> tuple[int, int | None]:
    """Return the least and the greatest number of arguments; None for any number."""
    required = sum(spec.required for spec in specs)
    rest = next((spec for spec in specs if spec.splat), None)
    if rest is None:
        return required, len(specs)
    if isinstance(rest.type, ArrayType) and rest.type.size is not None:
        low, high = rest.type.size
        return required + low, None if high is None else len(specs) - 1 + high
    return required, None


def emit_return_checks(
    emitter: CodeEmitter, body: list[ast.stmt], declared: DeclaredType, subject: ast.expr
) -> list[ast.stmt]:
    """Emit a body with checks of its returned values against the declared type."""
    if declared is None:
        return body
    return [part for statement in body for part in emit_return_check(emitter, statement, declared, subject)]


def emit_return_check(
    emitter: CodeEmitter, statement: ast.stmt, declared: DeclaredType, subject: ast.expr
) -> list[ast.stmt]:
    """Return a statement of a body, preceded by the check of the value that it returns."""
    if isinstance(statement, ast.If):
        statement.body = emit_return_checks(emitter, statement.body, declared, subject)
        statement.orelse = emit_return_checks(emitter, statement.orelse, declared, subject)
        return [statement]
    # `calls.emit_control_statement` marks a `return` whose value Puppet does not check with the attribute `unchecked`.
    if not isinstance(statement, ast.Return) or statement.value is None or hasattr(statement, "unchecked"):
        return [statement]
    result = emitter.temporary()
    store = emitter.assign(result, statement.value)
    failure = emitter.call("BAD_RETURN", subject, emitter.name(result))
    statement.value = emitter.name(result)
    return [store, *_emit_check(emitter, emit_type_test(emitter, result, declared), failure), statement]


def emit_guarded_body(
    emitter: CodeEmitter, body: list[ast.stmt], signals: list[str], restore: bool
) -> list[ast.stmt]:
    """Emit a body that catches unwinding signals and restores the match variables."""
    if not signals and not restore:
        return body
    handlers = [_emit_handler(emitter, signal, [_emit_signal_return(emitter)]) for signal in signals]
    after = [emitter.set_match(emitter.name("saved_match"))] if restore else []
    guarded = ast.Try(body, handlers, [], after, **emitter.position)
    return [emitter.assign("saved_match", emitter.match()), guarded] if restore else [guarded]


def _emit_signal_return(emitter: CodeEmitter) -> ast.stmt:
    """Emit the return of the value of the caught signal."""
    return ast.Return(emitter.attribute("signal", "value"), **emitter.position)


def _emit_handler(emitter: CodeEmitter, signal: str, body: list[ast.stmt]) -> ast.ExceptHandler:
    """Emit the handler of an unwinding signal."""
    return ast.ExceptHandler(emitter.name(signal), "signal", body, **emitter.position)


# --- lambdas


@emits(nodes.Lambda)
def emit_lambda(
    emitter: CodeEmitter, node: nodes.Lambda, integers: slice = slice(0), memo: bool = False
) -> ast.expr:
    """Emit the Block of a lambda.

    Args:
        integers: The parameters that receive only integers.
        memo: True in a call of `reduce`, whose first parameter is the previous result.
    """
    specs = make_specs(emitter, node.parameters)
    try:
        check_parameter_order(specs)
    except PuppetError as problem:
        emitter.shared = False
        return emitter.call("RAISE", emitter.constant(problem))
    least, most = count_arguments(specs)
    returns, local_types = _collect_local_types(emitter, node, specs)
    # With local types the declaration is incomplete until run time and cannot be made of the node again.
    declared = emitter.add_global(
        (specs, least, most, returns), "L", None if local_types else ("declared", node)
    )
    frame = FunctionFrame("lambda", emitter.frame)
    outer, emitter.frame = emitter.frame, frame
    try:
        subject = emitter.name(declared)
        if local_types:
            subject = emitter.call(
                "WITH_TYPES", subject, *(emitter.name(local_type.local) for local_type in local_types)
            )
        plain, rest, defaults, entry = emit_parameters(emitter, node.parameters, specs, subject, "lambda")
        frame.integers.update(plain[integers])
        frame.memo = plain[0] if memo and plain else ""
        body = emitter.emit_statements(node.body, True)
        body = [*entry, *emit_return_checks(emitter, body, returns, subject)]
        inside = analysis.collect_body_nodes(node)
        signals = ["NextIteration"] if analysis.calls_control(inside, "next") else []
        body = emit_guarded_body(emitter, body, signals, analysis.may_set_match(inside))
        maybes = [frame.local(name) for name in sorted(frame.maybes)]
        name = f"{LAMBDA}{frame.depth}_{node.start}"
        definition = emitter.build_function(
            name, plain, [*frame.prologue, *body], rest=rest, defaults=defaults, keyword_only=maybes
        )
    finally:
        emitter.frame = outer
    outer.prologue.append(definition)
    types = [
        emitter.bind(local_type.local, emitter.emit_expression(local_type.node)) for local_type in local_types
    ]
    block_declaration = emitter.name(declared)
    if types:
        block_declaration = emitter.call("WITH_TYPES", block_declaration, *types)
    unpacked = ast.Starred(block_declaration, ast.Load(), **emitter.position)
    return ast.Call(emitter.name("BLOCK"), [emitter.name(name), unpacked], [], **emitter.position)


def make_block_declaration(emitter: CodeEmitter, node: nodes.Lambda) -> BlockDeclaration:
    """Return the declaration of a lambda whose types are all constant."""
    specs = make_specs(emitter, node.parameters)
    return (specs, *count_arguments(specs), compile_type(emitter, node.returns))


def _collect_local_types(
    emitter: CodeEmitter, node: nodes.Lambda, specs: tuple[ParameterSpec, ...]
) -> tuple[DeclaredType, list[LocalType]]:
    """Replace types that are not constant by LocalTypes; return the return type and these."""
    local_types: list[LocalType] = []

    def localize(declared: DeclaredType) -> DeclaredType:
        if isinstance(declared, DeferredType):
            declared = LocalType(f"type{emitter.frame.depth}_{node.start}_{len(local_types)}", declared.node)
            local_types.append(declared)
        return declared

    for spec in specs:
        spec.type = localize(spec.type)
    return localize(compile_type(emitter, node.returns)), local_types


# --- user functions


def move_rest_last(parameters: list[nodes.Parameter]) -> list[nodes.Parameter]:
    """Return the parameters with the rest parameter after the others."""
    return sorted(parameters, key=lambda parameter: bool(parameter.splat))


def reorder_rest(function: CompiledFunction, rest: int, count: int) -> CompiledFunction:
    """Return a function whose rest parameter is not the last.

    The other parameters take the argument at their position, the rest takes the arguments from the position
    of the last parameter on.
    """

    def call(*arguments: Value) -> Value:
        plain = [argument for index, argument in enumerate(arguments[:count]) if index != rest]
        return function(*plain, *arguments[count - 1 :])

    return call


class UserFunction:
    """A function written in Puppet, compiled on its first call."""

    __slots__ = ("_assumptions", "_compiled", "_declaration", "name", "node", "unit")

    def __init__(self, unit: CompilationUnit, node: nodes.Function) -> None:
        self.unit = unit
        self.node = node
        self.name = node.name
        self._compiled: CompiledFunction | None = None
        self._declaration: FunctionDeclaration | None = None
        # the assumptions on which its parameters depend; None if the parameters differ in other programs
        self._assumptions: dict[Assumption, AssumedValue] | None = None

    @property
    def declaration(self) -> FunctionDeclaration:
        """The declaration, compiled when it is first needed; a rest parameter is the last in it."""
        if self._declaration is None:
            emitter = CodeEmitter(self.unit)
            check_parameter_order(make_specs(emitter, self.node.parameters))
            specs = make_specs(emitter, move_rest_last(self.node.parameters))
            self.unit.runtime.state.deferred_results.append(self)
            returns = compile_type(emitter, self.node.returns)
            self._declaration = FunctionDeclaration(self.name, specs, *count_arguments(specs), returns)
            self._assumptions = emitter.assumptions if emitter.shared else None
        return self._declaration

    @property
    def returns(self) -> Type | None:
        """The declared return type; None without one."""
        return resolve_type(self.declaration.returns)

    def accepts(self, scope: Scope, arguments: list[Value]) -> bool:
        """Return True when the arguments match the parameters."""
        _, specs, least, most, _ = self.declaration
        if len(arguments) < least or (most is not None and len(arguments) > most):
            return False
        for index, argument in enumerate(arguments):
            # The last parameter may take all remaining arguments.
            parameter_type = resolve_type(specs[min(index, len(specs) - 1)].type)
            if parameter_type is not None and not get_predicate(parameter_type)(argument):
                return False
        return True

    @property
    def fn(self) -> CompiledFunction:
        """The Python function: takes positional arguments, checks their types, returns the value."""
        if self._compiled is None:
            parameters, declared = self.node.parameters, self.declaration
            compiled: CompiledFunction = self.unit.compile_function(
                self.node, "function", lambda emitter: self._emit(emitter, declared)
            )
            rest_indexes = [index for index, parameter in enumerate(parameters) if parameter.splat]
            if rest_indexes and rest_indexes[0] < len(parameters) - 1:
                compiled = reorder_rest(compiled, rest_indexes[0], len(parameters))
            self.unit.runtime.state.deferred_results.append(self)
            self._compiled = compiled
        return self._compiled

    def forget(self) -> Value:
        """Discard declaration and code and return them; see `State.deferred_results`."""
        discarded = self._declaration, self._compiled
        self._declaration = self._compiled = None
        return discarded

    def recall(self, discarded: Value) -> None:
        """Restore what `forget` returned."""
        self._declaration, self._compiled = discarded

    def _emit(self, emitter: CodeEmitter, declared: FunctionDeclaration) -> ast.FunctionDef:
        node = self.node
        emitter.shared = self._assumptions is not None
        emitter.assumptions.update(self._assumptions or {})
        emitter.frame = frame = FunctionFrame("function")
        subject = emitter.constant(declared)
        plain, rest, defaults, entry = emit_parameters(
            emitter, move_rest_last(node.parameters), declared.parameters, subject, self.name
        )
        body = emitter.emit_statements(node.body, True)
        inside = analysis.collect_body_nodes(node)
        # a class or template that it evaluates reads the match too
        restores = frame.uses_scope or analysis.may_set_match(inside) or analysis.reads_match(node)
        body = emit_return_checks(emitter, body, declared.returns, subject)
        returns_early = analysis.calls_control(nodes.walk(node), "return")
        has_signals = returns_early or analysis.calls_control(inside, "next")
        signals = ["NextIteration", "ReturnValue"] if has_signals else []
        if signals and declared.returns is not None:
            # The return values of defaults are not checked.
            body = _emit_checked_signals(emitter, body, declared.returns, subject)
        clear = [emitter.set_match(emitter.literal(None))] if restores else []
        body = emit_guarded_body(emitter, [*clear, *entry, *body], signals, restores)
        maybes = [frame.local(name) for name in sorted(frame.maybes)]
        start: list[ast.stmt] = [emitter.assign(name, emitter.name("MISSING")) for name in maybes]
        if frame.uses_scope:
            start.append(emitter.assign("scope", emitter.call("TOP_SCOPE")))
        return emitter.build_function(
            f"{FUNCTION}_", plain, [*start, *frame.prologue, *body], rest=rest, defaults=defaults
        )


def _emit_checked_signals(
    emitter: CodeEmitter, body: list[ast.stmt], declared: DeclaredType, subject: ast.expr
) -> list[ast.stmt]:
    """Emit a body that checks the value of `next` against the declared type.

    The value of `return` is not checked.
    """
    checked = emit_return_check(emitter, _emit_signal_return(emitter), declared, subject)
    handlers = [
        _emit_handler(emitter, "NextIteration", checked),
        _emit_handler(emitter, "ReturnValue", [_emit_signal_return(emitter)]),
    ]
    return [ast.Try(body, handlers, [], [], **emitter.position)]
