"""Compilation of blocks and conditionals.

A conditional is emitted as an expression, or as statements where its value is not used or is that of a function. Then
`returns` is True if the statements return the value of the conditional from the function around them. `local` is the
name of the local variable with the value that options are compared with.

Specification: Expressions, "Conditional Expressions".
"""

from __future__ import annotations

import ast

from evaluator import values
from evaluator.compiler import analysis
from evaluator.compiler.emitter import CodeEmitter, emits, emits_statement
from evaluator.compiler.expressions import emit_condition
from evaluator.compiler.literals import fold_constant
from evaluator.types import Type, get_predicate
from evaluator.values import Value
from lexer_parser.tree import nodes


@emits(nodes.Block)
def emit_block(emitter: CodeEmitter, node: nodes.Block) -> ast.expr:
    return emitter.sequence([emitter.emit_expression(statement) for statement in node.statements])


@emits_statement(nodes.Block)
def emit_block_statements(emitter: CodeEmitter, node: nodes.Block, returns: bool) -> list[ast.stmt]:
    *others, last = node.statements
    body = [part for statement in others for part in emitter.emit_statements(statement, False)]
    return body + emitter.emit_statements(last, returns)


# --- match variables are restored after a conditional


def _emit_match_restore(emitter: CodeEmitter, node: nodes.Node, value: ast.expr) -> ast.expr:
    """Emit an expression after which the match variables have their former values."""
    if not analysis.may_match(node, emitter.unit.compiled_source.may_match):
        return value
    return emitter.call("RESTORE_MATCH", emitter.match(), value)


def _emit_match_restore_statements(
    emitter: CodeEmitter, node: nodes.Node, body: list[ast.stmt], returns: bool
) -> list[ast.stmt]:
    """Emit statements after which the match variables have their former values."""
    # A function or lambda that returns restores the match itself. A program does not.
    ends_function = returns and emitter.frame.kind != "scope"
    if ends_function or not analysis.may_match(node, emitter.unit.compiled_source.may_match):
        return body
    saved_match = emitter.temporary()
    before = emitter.assign(saved_match, emitter.match())
    after = [emitter.set_match(emitter.name(saved_match))]
    if returns:
        return [before, ast.Try(body, [], [], after, **emitter.position)]
    return [before, *body, *after]


# --- if and unless


def _emit_test(emitter: CodeEmitter, node: nodes.If | nodes.Unless) -> ast.expr:
    test = emit_condition(emitter, node.test)
    if isinstance(node, nodes.Unless):
        return ast.UnaryOp(ast.Not(), test, **emitter.position)
    return test


@emits(nodes.If, nodes.Unless)
def emit_if(emitter: CodeEmitter, node: nodes.If | nodes.Unless) -> ast.expr:
    test = _emit_test(emitter, node)
    then, otherwise = emitter.emit_branches(
        [lambda: emitter.emit_expression(node.then), lambda: emitter.emit_expression(node.otherwise)]
    )
    return _emit_match_restore(emitter, node, emitter.if_else(test, then, otherwise))


@emits_statement(nodes.If, nodes.Unless)
def emit_if_statement(emitter: CodeEmitter, node: nodes.If | nodes.Unless, returns: bool) -> list[ast.stmt]:
    test = _emit_test(emitter, node)
    then, otherwise = emitter.emit_branches(
        [
            lambda: emitter.emit_statements(node.then, returns),
            lambda: emitter.emit_statements(node.otherwise, returns),
        ]
    )
    return _emit_match_restore_statements(
        emitter, node, [ast.If(test, then, otherwise, **emitter.position)], returns
    )


# --- case and selector


def _emit_option_test(emitter: CodeEmitter, local: str, option: nodes.Node) -> ast.expr:
    """Emit the test whether a local matches an option; errors blame the whole conditional.

    Variables that the test assigns may stay unassigned, because an earlier option may match.
    """
    test: ast.expr
    test, _ = emitter.emit_branches([lambda: _emit_option(emitter, local, option), lambda: None])
    return test


def _emit_option(emitter: CodeEmitter, local: str, option: nodes.Node) -> ast.expr:
    """Emit the test whether a local matches an option, or one that a splat yields."""
    splat = analysis.find_splat(option)
    if splat is not None:
        inner = emitter.emit_expression(splat.expr)
        return emitter.call("ANY_OPTION", emitter.name(local), emitter.call("SPLICE", inner))
    constant = fold_constant(emitter, option)
    if not emitter.dialect.option_match and not emitter.dialect.string_numbers:
        inlined = _emit_constant_option(emitter, local, option, constant)
        if inlined is not None:
            return inlined
    return emitter.call("OPTION", emitter.name(local), emitter.emit_expression(option))


def _emit_constant_option(
    emitter: CodeEmitter, local: str, option: nodes.Node, constant: Value
) -> ast.expr | None:
    """Emit an inline test whether a local matches a constant option; None for other options."""
    if isinstance(constant, Type):
        return emitter.call(
            emitter.add_global(get_predicate(constant), "P", ("test", constant)), emitter.name(local)
        )
    if isinstance(constant, values.RegexpValue):
        regexp = emitter.constant(constant, ("value", option))
        is_string = emitter.compare(emitter.type_of(emitter.name(local)), (ast.Is(), emitter.name("str")))
        return emitter.all_of(is_string, emitter.call("SEARCH", regexp, emitter.name(local)))
    if constant is None:
        return emitter.compare(emitter.name(local), (ast.Is(), emitter.literal(None)))
    if type(constant) is int:
        return _emit_equality(emitter, local, constant, "int", "NO_NUMBERS")
    if type(constant) is str:
        return _emit_equality(emitter, local, constant, "str", "NO_TEXTS")
    return None


def _emit_equality(
    emitter: CodeEmitter, local: str, constant: int | str, python_type: str, other_types: str
) -> ast.expr:
    """Emit a test for equality with a constant.

    It is inline for values of the type of the constant, false for some other types, and else a call of the operator.

    Args:
        emitter: The emitter.
        local: The local variable with the value.
        constant: The constant.
        python_type: The name of the constant's Python type.
        other_types: The name of the types in compiled code whose values never equal the constant.
    """

    def is_kind(test: ast.cmpop, kinds: str) -> ast.expr:
        return emitter.compare(emitter.type_of(emitter.name(local)), (test, emitter.name(kinds)))

    operator_call = emitter.call("OPTION", emitter.name(local), emitter.literal(constant))
    is_equal = emitter.compare(emitter.name(local), (ast.Eq(), emitter.literal(constant)))
    # Strings that differ in case are equal, too.
    if isinstance(constant, str) and constant.lower() != constant.upper():
        length = emitter.call("len", emitter.name(local))
        has_same_length = emitter.compare(length, (ast.Eq(), emitter.literal(len(constant))))
        folded_test = (
            [_emit_lower_equality(emitter, local, constant)] if constant.isascii() else [operator_call]
        )
        is_equal = ast.BoolOp(
            ast.Or(), [is_equal, emitter.all_of(has_same_length, *folded_test)], **emitter.position
        )
    other_test = emitter.all_of(is_kind(ast.NotIn(), other_types), operator_call)
    return emitter.if_else(is_kind(ast.Is(), python_type), is_equal, other_test)


def _emit_lower_equality(emitter: CodeEmitter, local: str, constant: str) -> ast.expr:
    """Emit a test for equality apart from the case of ASCII letters.

    Other letters may become ASCII in lower case.
    """
    lower = emitter.method(local, "lower")
    is_equal = emitter.compare(lower, (ast.Eq(), emitter.literal(constant.lower())))
    return emitter.all_of(is_equal, emitter.method(local, "isascii"))


def _emit_options(
    emitter: CodeEmitter, node: nodes.Case, local: str
) -> tuple[list[tuple[ast.expr, nodes.CaseOption]], nodes.CaseOption | None]:
    """Emit the tests of the options of a `case`; return them and the option with `default`.

    `default` comes last wherever it is written; the other values of its option keep their place.
    """
    tested: list[tuple[ast.expr, nodes.CaseOption]] = []
    default: nodes.CaseOption | None = None
    for option in node.options:
        tests = [
            _emit_option_test(emitter, local, value)
            for value in option.values
            if not isinstance(value, nodes.Default)
        ]
        if len(tests) < len(option.values):
            default = option
        if tests:
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests, **emitter.position)
            tested.append((test, option))
    return tested, default


@emits_statement(nodes.Case)
def emit_case_statement(emitter: CodeEmitter, node: nodes.Case, returns: bool) -> list[ast.stmt]:
    test = emitter.emit_expression(node.test)
    local = emitter.temporary()
    before = emitter.assign(local, test)
    tested, default = _emit_options(emitter, node, local)
    emitters = [lambda option=option: emitter.emit_statements(option.then, returns) for _, option in tested]
    *bodies, otherwise = emitter.emit_branches(
        [*emitters, lambda: _emit_default_body(emitter, default, returns)]
    )
    for (test, option), body in zip(reversed(tested), reversed(bodies), strict=True):
        with emitter.at(option):
            otherwise = [ast.If(test, body, otherwise, **emitter.position)]
    return _emit_match_restore_statements(emitter, node, [before, *otherwise], returns)


def _emit_default_body(
    emitter: CodeEmitter, default: nodes.CaseOption | None, returns: bool
) -> list[ast.stmt]:
    if default is not None:
        return emitter.emit_statements(default.then, returns)
    if returns:
        return [ast.Return(emitter.literal(None), **emitter.position)]
    return [ast.Pass(**emitter.position)]


@emits(nodes.Case)
def emit_case(emitter: CodeEmitter, node: nodes.Case) -> ast.expr:
    test = emitter.emit_expression(node.test)
    local = emitter.temporary()
    before = emitter.bind(local, test)
    tested, default = _emit_options(emitter, node, local)
    pairs = [(test, option.then) for test, option in tested]
    chain = _emit_chain(emitter, pairs, default.then if default else None, None)
    return _emit_match_restore(emitter, node, emitter.sequence([before, chain]))


def _emit_chain(
    emitter: CodeEmitter,
    pairs: list[tuple[ast.expr, nodes.Node]],
    default: nodes.Node | None,
    unmatched: ast.expr | None,
) -> ast.expr:
    """Emit `value if test else …`, ending in the default or in the error for no match.

    Args:
        pairs: The test and the value of each option.
        default: The value of the option `default`; None if there is none.
        unmatched: Emitted where no option matches and there is no default; None for undef.
    """
    result: ast.expr
    emitters = [lambda node=node: emitter.emit_expression(node) for _, node in pairs]
    if default is not None:
        emitters.append(lambda node=default: emitter.emit_expression(node))
        *results, result = emitter.emit_branches(emitters)
    else:
        # no option may match: without a further alternative, variables that all options assign would be certain
        results = emitter.emit_branches([*emitters, lambda: None])[:-1]
        result = unmatched if unmatched is not None else emitter.literal(None)
    for (test, _), value in zip(reversed(pairs), reversed(results), strict=True):
        result = emitter.if_else(test, value, result)
    return result


@emits(nodes.Selector)
def emit_selector(emitter: CodeEmitter, node: nodes.Selector) -> ast.expr:
    left = emitter.emit_expression(node.left)
    local = emitter.temporary()
    before = emitter.bind(local, left)
    pairs: list[tuple[ast.expr, nodes.Node]] = []
    default: nodes.Node | None = None
    for entry in node.entries:
        if isinstance(entry.match, nodes.Default):
            default = entry.value
            if emitter.dialect.selector_order:
                break
        else:
            pairs.append((_emit_option_test(emitter, local, entry.match), entry.value))
    unmatched = None
    if not emitter.dialect.selector_order:
        unmatched = emitter.call("UNMATCHED_SELECTOR", emitter.name(local))
    return _emit_match_restore(
        emitter, node, emitter.sequence([before, _emit_chain(emitter, pairs, default, unmatched)])
    )
