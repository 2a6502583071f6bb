"""The checks of exercises: a table of functions by the name of the check.

In the YAML of an exercise a check is a name and its argument:

    value: $url == 'https://web01/'         # an expression that is true; `both`: in both dialects
    call: {double(2): 4, double(0): 0}      # calls and their values
    type: {$x: Integer}                     # the type of an expression
    each: {value: $d, spec: 1, puppet: 2}   # the value of an expression in each dialect
    resource: {File[/a]: {mode: '0644'}}    # a resource with attributes
    no: File[/b]                            # a resource that must not exist
    edge: [A[x], B[y]]                      # an order; `notify-edge`: with a notification
    acyclic: true                           # no dependency cycle
    fails: CODE                             # the error of the answer
    uses: map                               # a function or type that the answer calls
    avoids: each                            # one that it must not call
    reads: [$host, $ports]                  # variables from which the answer computes its value
    refuses: double('a')                    # a call that raises an error
    nodes: {web01: {value: $x}}             # checks on other nodes
    with: {values: {$host: "'db7'", '[1, 2]': '[3]'}, value: $x}   # checks with other values, see `exercise`
    with: {below: "file { '/b': }", acyclic: true}                 # checks with more code below the answer
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evaluator import Session
from evaluator.catalog.graph import CatalogGraph, build_graph
from evaluator.catalog.references import parse_reference
from evaluator.values import format_literal
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.record import Record
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import walk
from puppet_kernel.exercises import Answer
from puppet_kernel.exercises.exercise import parse_tree, replace_literals, replace_variables
from puppet_kernel.rendering.graphs.catalog_graph import find_reachable

GUESS = "$guess"  # the beginning of the names of predicted values; feedback does not reveal the actual values


class CheckResult(Record):
    """The result of a check: True if it holds, its subject, and the actual value if not."""

    holds: bool
    words: str
    actual: str = ""


class Work(Record):
    """A program with an answer in it, which checks can run with other settings.

    Attributes:
        session: The session in which the answer ran.
        answer: The answer, or None if none has run yet.
        fork_session: Returns a session with other settings in which the first `cells` cells have run, by default all.
    """

    session: Session
    answer: Answer | None
    fork_session: Callable[..., Session]

    def move(self, **settings: Any) -> Work:
        """Return the same program with other settings."""
        same = all(getattr(self.session, name) == value for name, value in settings.items())
        return self if same else Work(self.fork_session(**settings), self.answer, self.fork_session)

    def vary(self, values: Mapping[str, str], below: str) -> Work | None:
        """Return the program with other values and more code below; None if a literal is missing."""
        source = self.answer.source if self.answer is not None else ""
        variables = {name: text for name, text in values.items() if name.startswith("$")}
        literals = {name: text for name, text in values.items() if name not in variables}
        answer = replace_literals(source, literals, self.session)
        if literals and answer == source:
            return None
        cells = [
            (
                replace_variables(
                    answer if cell.source == source else cell.source, variables, self.session.dialect
                ),
                cell,
            )
            for cell in self.session.cells
        ]

        def fork_session(**settings: Any) -> Session:
            session = self.fork_session(cells=0, **settings)
            for text, cell in cells:
                session.run(text, cell.cell_id, number=cell.number)
            if below:
                session.run(below)
            return session

        return Work(fork_session(), Answer(answer, None), fork_session)

    def tree(self) -> nodes.Program:
        """Return the syntax tree of the answer."""
        return self.parse(self.answer.source if self.answer is not None else "")

    def parse(self, source: str) -> nodes.Program:
        """Return the syntax tree of a text in the dialect of the session; see `parse_tree`."""
        return parse_tree(source, self.session.dialect)


Check = Callable[[Work, Any], Iterable[CheckResult]]


def _check_true(work: Work, expression: str, where: str = "") -> CheckResult:
    """Check that an expression is true; `where` says in which dialect."""
    outcome = work.session.look(expression)
    if outcome.error is None and outcome.value is True:
        return CheckResult(True, f"{expression}{where}")
    subject = _find_subject(expression, work)
    words = "what you predict" if subject.startswith(GUESS) else expression
    missing = find_unset(work, expression)
    if missing:
        actual = f"{missing} has no value"
    elif outcome.error is not None:
        actual = str(outcome.error.message)
    else:
        actual = f"{subject} is {work.session.look(subject).text}" if subject else f"it is {outcome.text}"
    return CheckResult(False, f"{words}{where}", actual)


def _find_subject(expression: str, work: Work) -> str:
    """Return the left side of a comparison, unless it is a literal; "" for other expressions."""
    node = work.parse(expression).body
    if not isinstance(node, nodes.Comparison | nodes.Match):
        return ""
    is_found = any(
        isinstance(part, nodes.Variable | nodes.Call | nodes.MethodCall | nodes.Access)
        for part in walk(node.left)
    )
    return expression[node.left.start : node.left.end] if is_found else ""


def find_unset(work: Work, expression: str) -> str:
    """Return the first variable of an expression without a value, with its `$`; "" for none."""
    tree = work.parse(expression)
    inside = {node.name for node in walk(tree) if isinstance(node, nodes.Parameter)}
    names = (name for name in _list_read_variables(tree) if name not in inside)
    return next((f"${name}" for name in names if work.session.look(f"defined('${name}')").value is False), "")


def _check_both(work: Work, expression: Any) -> Iterable[CheckResult]:
    for dialect in (SPEC.name, PUPPET.name):
        yield _check_true(work.move(dialect=dialect), str(expression), f" ({dialect})")


def _check_each(work: Work, given: Any) -> Iterable[CheckResult]:
    for dialect in (SPEC.name, PUPPET.name):
        yield _compare(work.move(dialect=dialect), given["value"], given[dialect], f" ({dialect})")


def _check_calls(work: Work, given: Any) -> Iterable[CheckResult]:
    for call, expected in given.items():
        yield _compare(work, call, expected)


def _compare(work: Work, expression: str, expected: Any, where: str = "") -> CheckResult:
    """Compare the values and types of two expressions."""
    wanted, found = (work.session.look(str(text)) for text in (expected, expression))
    words = f"{expression} evaluates to {wanted.text}{where}"
    if found.error is not None:
        return CheckResult(False, words, str(found.error.message))
    return CheckResult(
        (found.text, found.type) == (wanted.text, wanted.type), words, f"it evaluates to {found.text}"
    )


def _check_refusals(work: Work, given: Any) -> Iterable[CheckResult]:
    for call in given if isinstance(given, list) else (given,):
        found = work.session.look(str(call))
        yield CheckResult(found.error is not None, f"{call} is rejected", f"it evaluates to {found.text}")


def _check_type(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check the types of expressions."""
    for expression, expected in given.items():
        outcome = work.session.look(f"{expression} =~ {expected}")
        actual = work.session.look(expression)
        text = str(actual.error.message) if actual.error is not None else f"it is {actual.type}"
        yield CheckResult(outcome.value is True, f"{expression} is an instance of {expected}", text)


# --- the catalog


def _check_resource(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check that resources exist, with these attributes."""
    for name, attributes in given.items() if isinstance(given, dict) else ((given, {}),):
        found = work.session.catalog().resources.get(_read_key(name))
        if found is None or found.virtual:
            state = "it does not exist" if found is None else "it is virtual: declared, and not realized"
            yield CheckResult(False, f"{name} is in the catalog", state)
            continue
        if not attributes:
            yield CheckResult(True, f"{name} is in the catalog")
        for attribute, expected in attributes.items():
            actual = found.parameters.get(attribute)
            words = f"{name} has {attribute} => {format_literal(expected)}"
            yield CheckResult(actual == expected, words, f"it has {format_literal(actual)}")


def _check_no(work: Work, name: Any) -> Iterable[CheckResult]:
    found = work.session.catalog().resources.get(_read_key(name))
    yield CheckResult(found is None or found.virtual, f"{name} is not in the catalog", "it is in the catalog")


def _read_key(name: str) -> Any:
    """Return the key of `File[/a]`, or raise ValueError."""
    found = parse_reference(name)
    if found is None:
        raise ValueError(f"'{name}' is not a reference such as File[/a]")
    return found


def _check_edge(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check that one resource is applied before another."""
    first, second = map(_read_key, given)
    order = build_graph(work.session.catalog())
    missing = [name for name in given if _read_key(name) not in order.nodes]
    actual = f"{missing[0]} is not in the catalog" if missing else "no relationship requires this"
    holds = not missing and _is_ordered(order, first, second)
    yield CheckResult(holds, f"{given[0]} comes before {given[1]}", actual)


def _is_ordered(order: CatalogGraph, first: Any, second: Any) -> bool:
    """Return True if all of the first is applied before the second begins."""
    start = ("end" if first in order.containers else "", first)
    goal = ("begin" if second in order.containers else "", second)
    return goal in find_reachable(order.build_steps(), start)


def _check_notify_edge(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check that a change of one resource, or in it, notifies another."""
    first, second = map(_read_key, given)
    order = build_graph(work.session.catalog())
    inside = {edge.target: edge.source for edge in order.contains}
    found = any(
        edge.kind == "notify"
        and edge.source in _list_containers(first, inside)
        and edge.target in _list_containers(second, inside)
        for edge in order.order
    )
    yield CheckResult(found, f"{given[0]} notifies {given[1]} of changes", "no relationship requires this")


def _list_containers(key: Any, inside: dict[Any, Any]) -> set[Any]:
    """Return a resource and all its containers."""
    found = set()
    while key is not None and key not in found:
        found.add(key)
        key = inside.get(key)
    return found


def _check_no_cycle(work: Work, given: Any) -> Iterable[CheckResult]:
    message = build_graph(work.session.catalog()).describe_cycles()
    yield CheckResult(message is None, "there is no dependency cycle", message or "")


# --- the answer itself


def _check_error(work: Work, code: Any) -> Iterable[CheckResult]:
    error = work.answer.error if work.answer is not None else None
    actual = "the cell runs without an error" if error is None else f"it is {error.code}"
    yield CheckResult(error is not None and error.code == code, f"the cell ends in the error {code}", actual)


def _find_calls(tree: nodes.Program) -> set[str]:
    """Return the functions and types that a program calls, `Integer` for `Integer.new('1')`."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, nodes.Call):
            names = [node.functor]
        elif isinstance(node, nodes.MethodCall):
            names = [node.name, node.receiver]
        else:
            continue
        found.update(name.value for name in names if isinstance(name, nodes.Name | nodes.TypeName))
    return found


def _check_reads(work: Work, given: Any) -> Iterable[CheckResult]:
    read = _list_read_variables(work.tree())
    for name in given if isinstance(given, list) else (given,):
        yield CheckResult(name.removeprefix("$") in read, f"the answer reads {name}", "it does not")


def _list_read_variables(tree: nodes.Program) -> list[str]:
    """Return the variables whose values a program uses, in the order of the text."""
    set_here = {id(node.left) for node in walk(tree) if isinstance(node, nodes.Assignment)}
    return [node.name for node in walk(tree) if isinstance(node, nodes.Variable) and id(node) not in set_here]


# --- the program with other facts or data


def _check_nodes(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check the program on other nodes."""
    for node, checks in given.items():
        for result in run_checks(work.move(node=node), [checks]):
            result.words = f"on {node}: {result.words}"
            yield result


def _check_with(work: Work, given: Any) -> Iterable[CheckResult]:
    """Check the program with other values, or with more code below the answer."""
    checks = dict(given)
    values, below = checks.pop("values", {}), checks.pop("below", "")
    other = work.vary(values, below)
    if other is None:
        yield CheckResult(False, f"the answer uses {' and '.join(values)}", "it does not")
        return
    changes = [
        *(f"{text} for {name}" for name, text in values.items()),
        *([f"{below} below it"] if below else []),
    ]
    for result in run_checks(other, [checks]):
        result.words = f"with {' and '.join(changes)}: {result.words}"
        yield result


CHECKS: dict[str, Check] = {
    "value": lambda work, expression: [_check_true(work, str(expression))],
    "both": _check_both,
    "each": _check_each,
    "call": _check_calls,
    "type": _check_type,
    "resource": _check_resource,
    "no": _check_no,
    "edge": _check_edge,
    "notify-edge": _check_notify_edge,
    "acyclic": _check_no_cycle,
    "fails": _check_error,
    "uses": lambda work, name: [
        CheckResult(name in _find_calls(work.tree()), f"the answer calls {name}", "it does not")
    ],
    "avoids": lambda work, name: [
        CheckResult(name not in _find_calls(work.tree()), f"the answer does not call {name}", "it calls it")
    ],
    "reads": _check_reads,
    "refuses": _check_refusals,
    "nodes": _check_nodes,
    "with": _check_with,
}


def run_checks(work: Work, checks: Iterable[dict[str, Any]]) -> Iterable[CheckResult]:
    """Yield the results of all checks in order; raise ValueError for a malformed check."""
    for check in checks:
        for name, given in check.items():
            if name not in CHECKS:
                raise ValueError(f"there is no check '{name}'")
            try:
                yield from CHECKS[name](work, given)
            except (AttributeError, KeyError, TypeError) as problem:
                raise ValueError(f"the check '{name}' cannot use {given!r}: {problem}") from None
