"""Explanations of expressions, and of the branches that a program takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator.calling.call_mismatches import find_signature_mismatches
from evaluator.calling.signatures import Signature, SignatureParameter
from evaluator.compiler.functions import UserFunction, resolve_type
from evaluator.issues import make_error
from evaluator.program.definitions import LambdaBlock, ParameterSpec
from evaluator.types.algebra import format_general_type
from evaluator.types.base import ANY
from evaluator.types.learner_wording import Explanation, explain_instance, explain_subtype
from evaluator.types.puppet_wording import to_sentence
from evaluator.values import DEFAULT, RegexpValue, Value, add_article, format_literal, is_type
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import get_expression_text

if TYPE_CHECKING:
    from evaluator.session.session import Session

_RELATIONS = ("<", "<=", ">", ">=")


def evaluate_alone(session: Session, source: str) -> Value:
    """Return the value of an expression, which leaves no trace, or raise its PuppetError."""
    outcome = session.look(source)
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def explain_expression(session: Session, source: str) -> Explanation | None:
    """Return why an expression has its value; None for a kind of expression without an explanation.

    Raises:
        PuppetError: The expression cannot be parsed, or evaluating its parts fails.
    """
    evaluate = partial(evaluate_alone, session)
    if source.strip() == "node":
        return session.supervised(lambda: explain_node_definitions(session))
    body = parse(source, dialect=session.runtime.dialect, interactive=True).body
    node = nodes.strip_parentheses(body)
    if isinstance(node, nodes.Match):
        return _explain_match(session, node, source, evaluate)
    if isinstance(node, nodes.Comparison) and node.operator in _RELATIONS:
        return _explain_types(session, node, source, evaluate)
    if isinstance(node, nodes.Case | nodes.Selector):
        return explain_branches(session, node, source, evaluate)
    if isinstance(node, nodes.Call | nodes.MethodCall) and nodes.get_callee_name(node):
        return explain_call(session, node, source, evaluate)
    return None


def _explain_match(session: Session, node: nodes.Match, source: str, evaluate: Evaluate) -> Explanation:
    """Explain `=~` and `!~`: a type and its parts, or a regular expression."""
    left, right, whole = (get_expression_text(each, source) for each in (node.left, node.right, node))
    value, wanted, found = evaluate(left), evaluate(right), evaluate(whole)
    if is_type(wanted):
        part = session.supervised(lambda: explain_instance(left, value, wanted))
    else:
        holds = found is (node.operator == "=~")
        words = f"{format_value(wanted)} matches it" if holds else f"{format_value(wanted)} does not match it"
        part = Explanation(left, holds, words, value=value)
    return Explanation(f"{whole} is {format_value(found)}", found, "", [part])


def _explain_types(
    session: Session, node: nodes.Comparison, source: str, evaluate: Evaluate
) -> Explanation | None:
    left, right = (evaluate(get_expression_text(each, source)) for each in (node.left, node.right))
    if not is_type(left) or not is_type(right):
        return None
    narrow, wide = (left, right) if node.operator in ("<", "<=") else (right, left)
    found = session.supervised(lambda: explain_subtype(narrow, wide, node.operator in ("<", ">")))
    what = f"{get_expression_text(node, source)} is {format_value(found.holds)}"
    return Explanation(what, found.holds, found.words, found.parts)


Evaluate = Callable[[str], Any]
LONGEST_VALUE = 1000  # characters of a value in an explanation


def format_value(value: Value) -> str:
    """Return a value in words."""
    return format_literal(value, LONGEST_VALUE)


# --- case and selector


def explain_branches(
    session: Session, node: nodes.Case | nodes.Selector, source: str, evaluate: Evaluate
) -> Explanation:
    """Explain which option of a `case` or selector matches the value, and why the others do not."""
    test = get_expression_text(node.test if isinstance(node, nodes.Case) else node.left, source)
    value = evaluate(test)
    parts: list[Explanation] = []
    default: Explanation | None = None
    taken = ""
    for option in _collect_options(node):
        written = get_expression_text(option, source)
        if isinstance(option, nodes.Default):
            default = Explanation("default", None, "is used if no other option matches")
            parts.append(default)
            if isinstance(node, nodes.Selector) and session.runtime.dialect.selector_order and not taken:
                break
        elif taken:
            parts.append(Explanation(written, None, "is not tested: an option before it matches"))
        else:
            found = _explain_option(session, test, value, option, written, evaluate)
            taken = written if found.holds else ""
            parts.append(found)
    if not taken and default is not None:
        taken, default.holds, default.words = "default", True, "matches, because no other option does"
    words = f"matches the option {taken}" if taken else "no option matches it"
    return Explanation(test, bool(taken), words, parts, value=value)


def _collect_options(node: nodes.Case | nodes.Selector) -> list[nodes.Node]:
    if isinstance(node, nodes.Case):
        return [value for option in node.options for value in option.values]
    return [entry.match for entry in node.entries]


def _explain_option(
    session: Session, test: str, value: Value, option: nodes.Node, written: str, evaluate: Evaluate
) -> Explanation:
    holds = evaluate(f"case ({test}) {{ {written}: {{ true }} default: {{ false }} }}")
    if isinstance(option, nodes.Splat):
        return Explanation(
            written, holds, "one of its elements matches" if holds else "none of its elements matches"
        )
    given = evaluate(written)
    if is_type(given) and not is_type(value):
        found = session.supervised(lambda: explain_instance("", value, given))
        return Explanation(written, holds, found.words, found.parts)
    return Explanation(written, holds, session.supervised(lambda: _describe_match(value, given, holds)))


def _describe_match(value: Value, option: Value, holds: bool) -> str:
    if isinstance(option, RegexpValue):
        if type(value) is not str:
            return f"matches Strings only, and this is {add_article(format_general_type(value))}"
        return "matches it" if holds else "does not match it"
    return (
        f"{format_value(value)} == {format_value(option)}"
        if holds
        else f"{format_value(value)} is not {format_value(option)}"
    )


# --- node definitions


def explain_node_definitions(session: Session) -> Explanation:
    """Explain which node definition applies: an equal name, else the first regexp, else `default`."""
    runtime = session.runtime
    name = runtime.settings.node
    taken = next(
        (item.definition for key, item in session.catalog().resources.items() if key[0] == "node"), None
    )
    parts = []
    for definition in runtime.state.definitions.nodes:
        hosts = definition.hosts(runtime.state.top)
        is_taken = taken is not None and definition.site is taken.site
        words = "; ".join(_describe_host(host, name, is_taken) for host in hosts)
        written = ", ".join("default" if host is DEFAULT else format_literal(host) for host in hosts)
        parts.append(Explanation(f"node {written}", is_taken, words, span=definition.site.span()))
    if not parts:
        return Explanation(
            format_literal(name), True, "there are no node definitions: the program is for every node"
        )
    words = "an equal name takes precedence, then the first regular expression that matches, then `default`"
    return Explanation(format_literal(name), taken is not None, words, parts)


def _describe_host(host: Value, name: str, is_taken: bool) -> str:
    if host is DEFAULT:
        return (
            "matches, because no other definition does"
            if is_taken
            else "is used if no other definition matches"
        )
    if isinstance(host, RegexpValue):
        found = host.search(name.lower()) is not None
        words = (
            f"{format_literal(host)} matches"
            if found
            else f"{format_literal(host)} does not match {format_literal(name)}"
        )
    else:
        found = host.lower() == name.lower()
        words = "is the node's name" if found else f"{format_literal(host)} is another name"
    return f"{words}, but another definition takes precedence" if found and not is_taken else words


# --- signatures


def explain_call(
    session: Session, node: nodes.Call | nodes.MethodCall, source: str, evaluate: Evaluate
) -> Explanation:
    """Explain which signature of a function accepts the arguments of a call, and why the others do not."""
    name, given = nodes.get_callee_name(node), nodes.list_arguments(node)
    arguments = (
        evaluate(f"[{', '.join(get_expression_text(each, source) for each in given)}]") if given else []
    )
    block = _to_block(node.block)
    parts = session.supervised(lambda: _explain_signatures(_find_signatures(session, name), arguments, block))
    is_taken = any(part.holds for part in parts)
    words = f"{name} accepts the call" if is_taken else f"{name} has no signature for these arguments"
    return Explanation(
        get_expression_text(node, source) if node.block is None else f"{name}(…)", is_taken, words, parts
    )


def _explain_signatures(
    signatures: list[Signature], arguments: list[Value], block: LambdaBlock | None
) -> list[Explanation]:
    """Return the explanation of each signature, up to the first that accepts the call."""
    parts: list[Explanation] = []
    for signature in signatures:
        if any(part.holds for part in parts):
            parts.append(
                Explanation(signature.text, None, "is not tested: a signature before it accepts the call")
            )
        else:
            parts.append(_explain_signature(signature, arguments, block))
    return parts


def _find_signatures(session: Session, name: str) -> list[Signature]:
    function = session.runtime.names.find_function(name)
    if function is None:
        raise make_error("UNKNOWN_FUNCTION", name=name)
    if isinstance(function, UserFunction):
        return [_to_signature(function)]
    dialect = session.runtime.dialect
    return [each.signature for each in function.overloads if each.belongs_to(dialect)]


def _to_signature(function: UserFunction) -> Signature:
    """Return the signature of a function that is written in Puppet."""
    _, specs, _, _, returns = function.declared
    parameters = []
    for spec in specs:
        kind = resolve_type(spec.type) or ANY
        mode = "*" if spec.splat else "" if spec.required else "?"
        parameters.append(SignatureParameter(str(kind), f"${spec.name}", mode, kind))
    returned = resolve_type(returns)
    return Signature(function.name, parameters, None, str(returned) if returned is not None else "")


def _to_block(node: nodes.Lambda | None) -> LambdaBlock | None:
    """Return a lambda as the signatures see it."""
    if node is None:
        return None
    specs = tuple(
        ParameterSpec(each.name, None, each.default is None and not each.splat, each.splat)
        for each in node.parameters
    )
    most = None if any(spec.splat for spec in specs) else len(specs)
    return LambdaBlock(_never_called, specs, sum(spec.required for spec in specs), most)


def _never_called(*arguments: Value) -> Value:
    """Return nothing: the body of a block that is never called."""


def _explain_signature(
    signature: Signature, arguments: list[Value], block: LambdaBlock | None
) -> Explanation:
    problems = find_signature_mismatches(signature, arguments, block)
    if not problems:
        return Explanation(signature.text, True, "accepts the call")
    if signature.takes_count(len(arguments)):
        wrong = [
            explain_instance(parameter.name, argument, parameter.type)
            for index, argument in enumerate(arguments)
            if not (parameter := signature.parameter_at(index)).type.instance(argument)
        ]
        if wrong:
            return Explanation(signature.text, False, "", wrong)
    return Explanation(signature.text, False, "; ".join(to_sentence(problem) for problem in problems))
