"""Explanations: why an expression has its value, by its kind.

`explain_expression` selects the function for a match, a comparison of types, `case` and selector, the node definitions,
or a call. The functions evaluate the parts of the expression to see why the whole has its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

LONGEST_VALUE = 1000  # characters of a value in an explanation
_RELATIONS = ("<", "<=", ">", ">=")


def evaluate_alone(session: Session, source: str) -> Value:
    """Return the value of an expression, which leaves no trace, or raise its PuppetError."""
    outcome = session.look(source)
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def explain_expression(session: Session, source: str) -> Explanation | None:
    """Return why an expression has its value; None for a kind of expression without an explanation.

    The word `node` is no expression: it requests the explanation of the node definitions.

    Raises:
        PuppetError: The expression cannot be parsed, or evaluating its parts fails.
    """
    if source.strip() == "node":
        return session.call_supervised(lambda: explain_node_definitions(session))
    node = nodes.strip_parentheses(parse(source, dialect=session.runtime.dialect, interactive=True).body)
    if isinstance(node, nodes.Match):
        return _explain_match(session, node, source)
    if isinstance(node, nodes.Comparison) and node.operator in _RELATIONS:
        return _explain_types(session, node, source)
    if isinstance(node, nodes.Case | nodes.Selector):
        return explain_branches(session, node, source)
    if isinstance(node, nodes.Call | nodes.MethodCall) and nodes.get_callee_name(node):
        return explain_call(session, node, source)
    return None


def _explain_match(session: Session, node: nodes.Match, source: str) -> Explanation:
    """Explain `=~` and `!~`: a type and its parts, or a regular expression."""
    left, right, whole = (get_expression_text(operand, source) for operand in (node.left, node.right, node))
    value, right_value, result = (evaluate_alone(session, text) for text in (left, right, whole))
    if is_type(right_value):
        part = session.call_supervised(lambda: explain_instance(left, value, right_value))
    else:
        holds = result is (node.operator == "=~")
        words = (
            f"{format_value(right_value)} matches it"
            if holds
            else f"{format_value(right_value)} does not match it"
        )
        part = Explanation(left, holds, words, value=value)
    return Explanation(f"{whole} is {format_value(result)}", result, "", [part])


def _explain_types(session: Session, node: nodes.Comparison, source: str) -> Explanation | None:
    """Explain `<`, `<=`, `>` and `>=` between types; return None for other values."""
    left, right = (
        evaluate_alone(session, get_expression_text(operand, source)) for operand in (node.left, node.right)
    )
    if not is_type(left) or not is_type(right):
        return None
    narrow, wide = (left, right) if node.operator in ("<", "<=") else (right, left)
    explanation = session.call_supervised(lambda: explain_subtype(narrow, wide, node.operator in ("<", ">")))
    text = f"{get_expression_text(node, source)} is {format_value(explanation.holds)}"
    return Explanation(text, explanation.holds, explanation.words, explanation.parts)


def format_value(value: Value) -> str:
    """Return a value in words."""
    return format_literal(value, LONGEST_VALUE)


# --- case and selector


def explain_branches(session: Session, node: nodes.Case | nodes.Selector, source: str) -> Explanation:
    """Explain which option of a `case` or selector matches the value, and why the others do not."""
    test = get_expression_text(node.test if isinstance(node, nodes.Case) else node.left, source)
    value = evaluate_alone(session, test)
    # A selector may end at `default`, even if there are options behind it.
    ends_at_default = isinstance(node, nodes.Selector) and session.runtime.dialect.selector_order
    parts: list[Explanation] = []
    default: Explanation | None = None
    taken_option = ""
    for option in _collect_options(node):
        option_text = get_expression_text(option, source)
        if isinstance(option, nodes.Default):
            default = Explanation("default", None, "is used if no other option matches")
            parts.append(default)
            if ends_at_default and not taken_option:
                break
        elif taken_option:
            parts.append(Explanation(option_text, None, "is not tested: an option before it matches"))
        else:
            explanation = _explain_option(session, test, value, option, option_text)
            taken_option = option_text if explanation.holds else ""
            parts.append(explanation)
    if default is not None and not taken_option:
        taken_option = "default"
        default.holds, default.words = True, "matches, because no other option does"
    words = f"matches the option {taken_option}" if taken_option else "no option matches it"
    return Explanation(test, bool(taken_option), words, parts, value=value)


def _collect_options(node: nodes.Case | nodes.Selector) -> list[nodes.Node]:
    if isinstance(node, nodes.Case):
        return [value for option in node.options for value in option.values]
    return [entry.match for entry in node.entries]


def _explain_option(
    session: Session, test: str, value: Value, option: nodes.Node, option_text: str
) -> Explanation:
    """Explain whether an option matches, which a `case` with no other option decides."""
    holds = evaluate_alone(session, f"case ({test}) {{ {option_text}: {{ true }} default: {{ false }} }}")
    if isinstance(option, nodes.Splat):
        return Explanation(
            option_text, holds, "one of its elements matches" if holds else "none of its elements matches"
        )
    option_value = evaluate_alone(session, option_text)
    if is_type(option_value) and not is_type(value):
        explanation = session.call_supervised(lambda: explain_instance("", value, option_value))
        return Explanation(option_text, holds, explanation.words, explanation.parts)
    return Explanation(
        option_text, holds, session.call_supervised(lambda: _describe_match(value, option_value, holds))
    )


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
    # The catalog has a resource of the type `node` for the definition that applies.
    taken_definition = next(
        (item.definition for key, item in session.catalog().resources.items() if key[0] == "node"), None
    )
    parts = []
    for definition in runtime.state.definitions.nodes:
        hosts = definition.evaluate_matches(runtime.state.top)
        is_taken = taken_definition is not None and definition.site is taken_definition.site
        words = "; ".join(_describe_host(host, name, is_taken) for host in hosts)
        hosts_text = ", ".join("default" if host is DEFAULT else format_literal(host) for host in hosts)
        parts.append(Explanation(f"node {hosts_text}", is_taken, words, span=definition.site.span()))
    if not parts:
        return Explanation(
            format_literal(name), True, "there are no node definitions: the program is for every node"
        )
    words = "an equal name takes precedence, then the first regular expression that matches, then `default`"
    return Explanation(format_literal(name), taken_definition is not None, words, parts)


def _describe_host(host: Value, name: str, is_taken: bool) -> str:
    if host is DEFAULT:
        return (
            "matches, because no other definition does"
            if is_taken
            else "is used if no other definition matches"
        )
    if isinstance(host, RegexpValue):
        is_match = host.search(name.lower()) is not None
        words = (
            f"{format_literal(host)} matches"
            if is_match
            else f"{format_literal(host)} does not match {format_literal(name)}"
        )
    else:
        is_match = host.lower() == name.lower()
        words = "is the node's name" if is_match else f"{format_literal(host)} is another name"
    return f"{words}, but another definition takes precedence" if is_match and not is_taken else words


# --- signatures


def explain_call(session: Session, node: nodes.Call | nodes.MethodCall, source: str) -> Explanation:
    """Explain which signature of a function accepts the arguments of a call, and why the others do not."""
    name, argument_nodes = nodes.get_callee_name(node), nodes.list_arguments(node)
    arguments = (
        evaluate_alone(
            session,
            f"[{', '.join(get_expression_text(argument_node, source) for argument_node in argument_nodes)}]",
        )
        if argument_nodes
        else []
    )
    block = _to_block(node.block)
    parts = session.call_supervised(
        lambda: _explain_signatures(_find_signatures(session, name), arguments, block)
    )
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
    return [one.signature for one in function.overloads if one.belongs_to(session.runtime.dialect)]


def _to_signature(function: UserFunction) -> Signature:
    """Return the signature of a function that is written in Puppet."""
    specs = function.declaration.parameters
    parameters = []
    for spec in specs:
        parameter_type = resolve_type(spec.type) or ANY
        mode = "*" if spec.splat else "" if spec.required else "?"
        parameters.append(SignatureParameter(str(parameter_type), f"${spec.name}", mode, parameter_type))
    returns = function.returns
    return Signature(function.name, parameters, None, str(returns) if returns is not None else "")


def _to_block(node: nodes.Lambda | None) -> LambdaBlock | None:
    """Return a lambda as the signatures see it."""
    if node is None:
        return None
    specs = tuple(
        ParameterSpec(
            parameter.name,
            required=parameter.default is None and not parameter.splat,
            splat=parameter.splat,
        )
        for parameter in node.parameters
    )
    least = sum(spec.required for spec in specs)
    most = None if any(spec.splat for spec in specs) else len(specs)
    return LambdaBlock(_never_called, specs, min=least, max=most)


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
