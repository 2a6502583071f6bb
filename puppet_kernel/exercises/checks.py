"""The checks of exercises, a table of functions by name, and the verdict on an answer.

In the YAML of an exercise a check is a name and its argument:

    value: $url == 'https://web01/'         # an expression that is true
    both: 1 + 1 == 2                        # the same, in both dialects
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
from itertools import chain
from typing import Any

from evaluator import Session
from evaluator.catalog.graph import CatalogGraph, build_graph
from evaluator.catalog.references import parse_reference
from evaluator.values import format_literal
from lexer_parser.dialect import DIALECTS, PUPPET, SPEC
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.record import Record
from lexer_parser.tree import nodes
from puppet_kernel.exercises import NEARLY, NOT_TRIED, NOT_YET, RIGHT, Answer
from puppet_kernel.exercises.exercise import Exercise, parse_tree, replace_literals, replace_variables
from puppet_kernel.rendering.graphs.catalog_graph import find_reachable

GUESS = "$guess"  # the beginning of the names of predicted values; feedback does not reveal the actual values


class CheckResult(Record):
    """The result of a check.

    Attributes:
        holds: True if the program passes the check.
        words: The condition, such as `$x is an instance of Integer`.
        actual: What is the case instead, such as `it is String`; read if the check fails.
    """

    holds: bool
    words: str
    actual: str = ""


class CheckedProgram(Record):
    """The program of a learner, with the answer; checks can run it with other settings.

    Attributes:
        session: The session in which the answer ran.
        answer: The answer, or None if none has run yet.
        fork_session: Returns a session with other settings in which the first `cells` cells have run, by default all.
    """

    session: Session
    answer: Answer | None
    fork_session: Callable[..., Session]

    def change_settings(self, **settings: Any) -> CheckedProgram:
        """Return the same program with other settings of its session."""
        is_same = all(getattr(self.session, name) == value for name, value in settings.items())
        return (
            self if is_same else CheckedProgram(self.fork_session(**settings), self.answer, self.fork_session)
        )

    def change_values(self, values: Mapping[str, str], below: str) -> CheckedProgram | None:
        """Return the program with other values and more code; None if a literal is missing.

        Args:
            values: The new values as code, by a variable with its `$` or a literal of the answer.
            below: The code below the answer.
        """
        source = self.answer.source if self.answer is not None else ""
        variables = {name: text for name, text in values.items() if name.startswith("$")}
        literals = {name: text for name, text in values.items() if name not in variables}
        answer = replace_literals(source, literals, self.session)
        if literals and answer == source:
            return None
        cells = self.session.cells
        texts = [answer if cell.source == source else cell.source for cell in cells]
        texts = [replace_variables(text, variables, self.session.dialect) for text in texts]

        def fork_session(**settings: Any) -> Session:
            session = self.fork_session(cells=0, **settings)
            for text, cell in zip(texts, cells, strict=True):
                session.run(text, cell.cell_id, number=cell.number)
            if below:
                session.run(below)
            return session

        return CheckedProgram(fork_session(), Answer(answer, None), fork_session)

    def parse_answer(self) -> nodes.Program:
        """Return the syntax tree of the answer."""
        return self.parse(self.answer.source if self.answer is not None else "")

    def parse(self, source: str) -> nodes.Program:
        """Return the syntax tree of a text in the dialect of the session; see `parse_tree`."""
        return parse_tree(source, self.session.dialect)


Check = Callable[[CheckedProgram, Any], Iterable[CheckResult]]


def _check_true(program: CheckedProgram, expression: str, where: str = "") -> CheckResult:
    """Check that an expression is true; `where` names the dialect in the words of the result."""
    outcome = program.session.look(expression)
    if outcome.error is None and outcome.value is True:
        return CheckResult(True, f"{expression}{where}")
    subject = _find_subject(expression, program)
    words = "what you predict" if subject.startswith(GUESS) else expression
    unset = find_unset_variable(program, expression)
    if unset:
        actual = f"{unset} has no value"
    elif outcome.error is not None:
        actual = str(outcome.error.message)
    else:
        actual = f"{subject} is {program.session.look(subject).text}" if subject else f"it is {outcome.text}"
    return CheckResult(False, f"{words}{where}", actual)


def _find_subject(expression: str, program: CheckedProgram) -> str:
    """Return the left side of a comparison, unless it is a literal; "" for other expressions."""
    node = program.parse(expression).body
    if not isinstance(node, nodes.Comparison | nodes.Match):
        return ""
    is_computed = any(
        isinstance(part, nodes.Variable | nodes.Call | nodes.MethodCall | nodes.Access)
        for part in nodes.walk(node.left)
    )
    return expression[node.left.start : node.left.end] if is_computed else ""


def find_unset_variable(program: CheckedProgram, expression: str) -> str:
    """Return the first variable of an expression without a value, with its `$`; else ""."""
    tree = program.parse(expression)
    parameters = {node.name for node in nodes.walk(tree) if isinstance(node, nodes.Parameter)}
    names = (name for name in _list_read_variables(tree) if name not in parameters)
    return next(
        (f"${name}" for name in names if program.session.look(f"defined('${name}')").value is False), ""
    )


def _check_both(program: CheckedProgram, expression: Any) -> Iterable[CheckResult]:
    for dialect in (SPEC.name, PUPPET.name):
        yield _check_true(program.change_settings(dialect=dialect), str(expression), f" ({dialect})")


def _check_each(program: CheckedProgram, argument: Any) -> Iterable[CheckResult]:
    for dialect in (SPEC.name, PUPPET.name):
        yield _compare(
            program.change_settings(dialect=dialect), argument["value"], argument[dialect], f" ({dialect})"
        )


def _check_calls(program: CheckedProgram, values: Any) -> Iterable[CheckResult]:
    for call, expected in values.items():
        yield _compare(program, call, expected)


def _compare(program: CheckedProgram, expression: str, expected: Any, where: str = "") -> CheckResult:
    """Compare the values and types of two expressions."""
    goal, actual = (program.session.look(str(text)) for text in (expected, expression))
    words = f"{expression} evaluates to {goal.text}{where}"
    if actual.error is not None:
        return CheckResult(False, words, str(actual.error.message))
    return CheckResult(
        (actual.text, actual.type) == (goal.text, goal.type), words, f"it evaluates to {actual.text}"
    )


def _check_refusals(program: CheckedProgram, calls: Any) -> Iterable[CheckResult]:
    for call in calls if isinstance(calls, list) else (calls,):
        outcome = program.session.look(str(call))
        yield CheckResult(outcome.error is not None, f"{call} is rejected", f"it evaluates to {outcome.text}")


def _check_type(program: CheckedProgram, types: Any) -> Iterable[CheckResult]:
    """Check the types of expressions."""
    for expression, expected in types.items():
        outcome = program.session.look(f"{expression} =~ {expected}")
        actual = program.session.look(expression)
        text = str(actual.error.message) if actual.error is not None else f"it is {actual.type}"
        yield CheckResult(outcome.value is True, f"{expression} is an instance of {expected}", text)


# --- the catalog


def _check_resource(program: CheckedProgram, resources: Any) -> Iterable[CheckResult]:
    """Check that resources exist, with these attributes; a reference alone has none."""
    expected_resources = resources if isinstance(resources, dict) else {resources: {}}
    for name, attributes in expected_resources.items():
        resource = program.session.catalog().resources.get(_read_key(name))
        if resource is None or resource.virtual:
            state = "it does not exist" if resource is None else "it is virtual: declared, and not realized"
            yield CheckResult(False, f"{name} is in the catalog", state)
            continue
        if not attributes:
            yield CheckResult(True, f"{name} is in the catalog")
        for attribute, expected in attributes.items():
            actual = resource.parameters.get(attribute)
            words = f"{name} has {attribute} => {format_literal(expected)}"
            yield CheckResult(actual == expected, words, f"it has {format_literal(actual)}")


def _check_absence(program: CheckedProgram, name: Any) -> Iterable[CheckResult]:
    resource = program.session.catalog().resources.get(_read_key(name))
    is_absent = resource is None or resource.virtual
    yield CheckResult(is_absent, f"{name} is not in the catalog", "it is in the catalog")


def _read_key(name: str) -> Any:
    """Return the key of `File[/a]`, or raise ValueError."""
    key = parse_reference(name)
    if key is None:
        raise ValueError(f"'{name}' is not a reference such as File[/a]")
    return key


def _check_edge(program: CheckedProgram, names: Any) -> Iterable[CheckResult]:
    """Check that the first of two resources is applied before the second."""
    first, second = map(_read_key, names)
    order = build_graph(program.session.catalog())
    missing = [name for name in names if _read_key(name) not in order.nodes]
    actual = f"{missing[0]} is not in the catalog" if missing else "no relationship requires this"
    holds = not missing and _is_ordered(order, first, second)
    yield CheckResult(holds, f"{names[0]} comes before {names[1]}", actual)


def _is_ordered(order: CatalogGraph, first: Any, second: Any) -> bool:
    """Return True if all of the first is applied before the second begins.

    A container has two points in the graph, its beginning and its end; any other resource has one.
    """
    start = ("end" if first in order.containers else "", first)
    goal = ("begin" if second in order.containers else "", second)
    return goal in find_reachable(order.build_steps(), start)


def _check_notify_edge(program: CheckedProgram, names: Any) -> Iterable[CheckResult]:
    """Check that a change of the first of two resources, or in it, notifies the second."""
    first, second = map(_read_key, names)
    order = build_graph(program.session.catalog())
    containers = {edge.target: [edge.source] for edge in order.contains}
    sources, targets = find_reachable(containers, first), find_reachable(containers, second)
    is_notified = any(
        edge.kind == "notify" and edge.source in sources and edge.target in targets for edge in order.order
    )
    words = f"{names[0]} notifies {names[1]} of changes"
    yield CheckResult(is_notified, words, "no relationship requires this")


def _check_no_cycle(program: CheckedProgram, argument: Any) -> Iterable[CheckResult]:
    message = build_graph(program.session.catalog()).describe_cycles()
    yield CheckResult(message is None, "there is no dependency cycle", message or "")


# --- the answer itself


def _check_error(program: CheckedProgram, code: Any) -> Iterable[CheckResult]:
    error = program.answer.error if program.answer is not None else None
    actual = "the cell runs without an error" if error is None else f"it is {error.code}"
    yield CheckResult(error is not None and error.code == code, f"the cell ends in the error {code}", actual)


def _find_calls(tree: nodes.Program) -> set[str]:
    """Return the functions and types that a program calls, `Integer` for `Integer.new('1')`."""
    called: set[str] = set()
    for node in nodes.walk(tree):
        if isinstance(node, nodes.Call):
            names = [node.functor]
        elif isinstance(node, nodes.MethodCall):
            names = [node.name, node.receiver]
        else:
            continue
        called.update(name.value for name in names if isinstance(name, nodes.Name | nodes.TypeName))
    return called


def _check_reads(program: CheckedProgram, names: Any) -> Iterable[CheckResult]:
    read = _list_read_variables(program.parse_answer())
    for name in names if isinstance(names, list) else (names,):
        yield CheckResult(name.removeprefix("$") in read, f"the answer reads {name}", "it does not")


def _list_read_variables(tree: nodes.Program) -> list[str]:
    """Return the variables whose values a program uses, in the order of the text."""
    assigned = {id(node.left) for node in nodes.walk(tree) if isinstance(node, nodes.Assignment)}
    return [
        node.name
        for node in nodes.walk(tree)
        if isinstance(node, nodes.Variable) and id(node) not in assigned
    ]


# --- the program with other facts or data


def _check_nodes(program: CheckedProgram, checks_by_node: Any) -> Iterable[CheckResult]:
    """Check the program on other nodes."""
    for node, checks in checks_by_node.items():
        for result in run_checks(program.change_settings(node=node), [checks]):
            result.words = f"on {node}: {result.words}"
            yield result


def _check_with(program: CheckedProgram, argument: Any) -> Iterable[CheckResult]:
    """Check the program with other values, or with more code below the answer."""
    checks = dict(argument)
    values, below = checks.pop("values", {}), checks.pop("below", "")
    changed_program = program.change_values(values, below)
    if changed_program is None:
        yield CheckResult(False, f"the answer uses {' and '.join(values)}", "it does not")
        return
    changes = [
        *(f"{text} for {name}" for name, text in values.items()),
        *([f"{below} below it"] if below else []),
    ]
    for result in run_checks(changed_program, [checks]):
        result.words = f"with {' and '.join(changes)}: {result.words}"
        yield result


CHECKS: dict[str, Check] = {
    "value": lambda program, expression: [_check_true(program, str(expression))],
    "both": _check_both,
    "each": _check_each,
    "call": _check_calls,
    "type": _check_type,
    "resource": _check_resource,
    "no": _check_absence,
    "edge": _check_edge,
    "notify-edge": _check_notify_edge,
    "acyclic": _check_no_cycle,
    "fails": _check_error,
    "uses": lambda program, name: [
        CheckResult(name in _find_calls(program.parse_answer()), f"the answer calls {name}", "it does not")
    ],
    "avoids": lambda program, name: [
        CheckResult(
            name not in _find_calls(program.parse_answer()), f"the answer does not call {name}", "it calls it"
        )
    ],
    "reads": _check_reads,
    "refuses": _check_refusals,
    "nodes": _check_nodes,
    "with": _check_with,
}


def run_checks(program: CheckedProgram, checks: Iterable[dict[str, Any]]) -> Iterable[CheckResult]:
    """Yield the results of all checks in order; raise ValueError for a malformed check."""
    for check in checks:
        for name, argument in check.items():
            if name not in CHECKS:
                raise ValueError(f"there is no check '{name}'")
            try:
                yield from CHECKS[name](program, argument)
            except (AttributeError, KeyError, TypeError) as problem:
                raise ValueError(f"the check '{name}' cannot use {argument!r}: {problem}") from None


# --- the verdict


class Verdict(Record):
    """The verdict on an answer.

    Attributes:
        state: NOT_TRIED, NEARLY, NOT_YET or RIGHT.
        results: The results of the checks, up to the first check that fails.
        explanation: The explanation of a known mistake in the answer; else "".
    """

    state: str
    results: list[CheckResult]
    explanation: str = ""


def judge(exercise: Exercise, program: CheckedProgram) -> Verdict:
    """Check an answer, or raise ValueError for a malformed exercise."""
    results: list[CheckResult] = []
    for result in run_checks(program, exercise.checks):
        results.append(result)
        if not result.holds:
            break
    else:
        return Verdict(RIGHT, results)
    answer = program.answer
    if answer is None or answer.source.strip() in ("", exercise.start.strip()) or not answer.code:
        return Verdict(NOT_TRIED, [])
    should_fail = any("fails" in check for check in exercise.checks)
    if answer.error is not None and not should_fail:
        results = [CheckResult(False, "your answer runs", _find_error(answer.error))]
    has_passed_some = len(results) > 1  # only the last check fails
    return Verdict(NEARLY if has_passed_some else NOT_YET, results, _find_known_mistake(exercise, program))


def _find_error(error: PuppetError) -> str:
    """Return the first error of an answer; all of it is displayed below the answer."""
    first = next(iter(error.related), error)
    return f"it ends in {first.code}: {str(first.message).partition(chr(10))[0]}"


def _find_known_mistake(exercise: Exercise, program: CheckedProgram) -> str:
    """Return the explanation of the known mistake in an answer; "" for none.

    A known mistake is the same program, or one with the same effect. An answer that failed, or that assigns another
    name, has no effect to compare.
    """
    assert program.answer is not None
    answer = _normalize_program(program.answer.code, program)
    equal = (wrong for wrong in exercise.wrong if _normalize_program(wrong.code, program) == answer)
    equivalent = (
        wrong
        for wrong in exercise.wrong
        if wrong.when
        and program.answer.error is None
        and not find_unset_variable(program, wrong.when)
        and program.session.look(wrong.when).value is True
    )
    return next((wrong.says for wrong in chain(equal, equivalent)), "")


def _normalize_program(code: str, program: CheckedProgram) -> nodes.Node | str:
    """Return the syntax tree of a program, or its words if it cannot be parsed."""
    try:
        return parse(code, dialect=DIALECTS[program.session.dialect]).body
    except PuppetError:
        return " ".join(code.split())
