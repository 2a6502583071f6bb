"""Statements of the same shape are compiled once, with the same results as one by one."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from evaluator import Session
from evaluator.compiler import definitions
from evaluator.compiler.emitter import CodeEmitter

COUNT = 12

# Statements of the same shape, by their number.
SHAPES = {
    "resources": "notify {{ 'n{n}': message => \"m{n}\", require => Notify['first'] }}",
    "names as titles": "notify {{ n{n}: loglevel => info }}",
    "numbers and arrays": "user {{ 'u{n}': uid => {n}, groups => ['g{n}', 'all'], home => undef }}",
    "hashes": "notify {{ 'n{n}': message => {{ 'a' => {n}, b => [{n}, true] }} }}",
    "variables in strings": "notify {{ 'n{n}': message => \"a {n} ${{x}} b {n}\" }}",
    "variables in arrays": "notify {{ 'n{n}': message => [$x, 'n{n}', {{ 'k{n}' => $x }}] }}",
    "references": "notify {{ 'n{n}': }}\nNotify['first'] -> Notify['n{n}'] ~> Notify['last', 'other']",
    "arrows between resources": "notify {{ 'n{n}': }} -> notify {{ 'm{n}': message => 'x' }}",
    "defines": "d {{ 'd{n}': p => {n} }}",
    "classes": "class {{ 'c{n}': p => 'a{n}' }}",
    "virtual resources": "@notify {{ 'n{n}': tag => 't{n}' }}\nrealize Notify['n{n}']",
    "calls": "notice('n{n}', {n}, $x)",
    "calls inside": "notify {{ 'n{n}': message => upcase('m{n}') }}",
    "calls of Puppet functions": "notify {{ 'n{n}': message => f({n}) }}",
}

PROGRAM = (
    "$x = 'x'\n"
    "function f($p) {{ $p * 2 }}\n"
    'define d($p = 1) {{ notify {{ "in ${{title}}": message => $p }} }}\n'
    "{classes}\n"
    "notify {{ ['first', 'last', 'other']: }}\n"
    "{statements}\n"
)

# A right statement, and a wrong one of the same shape.
WRONG = {
    "an unknown attribute": (
        "notify {{ 'n{n}': message => 'x' }}",
        "notify {{ 'n{n}': massage => 'x' }}",
    ),
    "a title that exists already": ("notify {{ 'n{n}': }}", "notify {{ 'first': }}"),
    "a reference to nothing": ("Notify['first'] -> Notify['last']", "Notify['first'] -> Notify['n{n}']"),
    "an attribute that refers to nothing": (
        "notify {{ 'n{n}': require => Notify['first'] }}",
        "notify {{ 'n{n}':\n  require => Notify['nowhere'] }}",
    ),
    "an argument of another type": ("f({n})", "f('a{n}')"),
    "a function that fails": ("notice(Integer('{n}'))", "notice('π', Integer('n{n}'))"),
    "a parameter of another type": ("d {{ 'd{n}': p => {n} }}", "d {{ 'd{n}': q => {n} }}"),
    "an unknown variable": (
        "notify {{ 'n{n}': message => $x }}",
        "notify {{ 'n{n}': message => $y }}",
    ),
    "an invalid tag": ("notify {{ 'n{n}': tag => 'a' }}", "notify {{ 'n{n}': tag => 'a b' }}"),
    "a string that cannot be realized": ("realize Notify['first']", "realize 'first{n}'"),
    "an unknown class": ("include c{n}", "include nowhere{n}"),
}


def make_program(statements: list[str]) -> str:
    classes = "\n".join(
        f"class c{n}($p = 1) {{ notify {{ 'in c{n}': message => \"p ${{p}}\" }} }}" for n in range(COUNT)
    )
    return PROGRAM.format(classes=classes, statements="\n".join(statements))


def collect_results(source: str, **options: Any) -> Any:
    """Return the catalog, all positions, the value, the log lines and the error of a program."""
    session = Session("puppet", **options)
    outcome = session.run(source)
    error = outcome.error
    resources = session.catalog().resources.values()
    return (
        session.catalog().to_json(),
        [
            (
                resource.reference,
                to_offsets(resource.span),
                [to_offsets(resource.find_place(name)) for name in resource.parameters],
            )
            for resource in resources
        ],
        [(repr(edge), edge.reason, to_offsets(edge.span)) for edge in outcome.change.edges_added]
        if not error
        else None,
        outcome.text,
        [(line.level, line.message, to_offsets(line.span)) for line in outcome.logs],
        (str(error), error.help, [(note.text, to_offsets(note.span)) for note in error.notes])
        if error
        else None,
        to_offsets(error.span) if error else None,
    )


def to_offsets(span: Any) -> Any:
    return None if span is None else (span.start, span.end)


def compare_with_single_statements(source: str, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
    """Return the results of a program; they must be the same if every statement is compiled."""
    results = collect_results(source, **options)
    with monkeypatch.context() as patch:
        patch.setattr(definitions, "make_steps", lambda *arguments: [])
        assert results == collect_results(source, **options)
    return results


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("inside", [False, True])
def test_statements_of_one_shape_have_the_results_of_single_statements(
    shape: str, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_program([shape.format(n=n) for n in range(COUNT)])
    if inside:
        source = (
            source.replace("notify { ['first'", "class body { $x = 'y'\nnotify { ['first'")
            + "}\ninclude body"
        )
    results = compare_with_single_statements(source, monkeypatch)
    assert results[5] is None, results[5]


@pytest.mark.parametrize(("right", "wrong"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("interactive", [False, True])
def test_a_mistake_in_one_statement_is_reported_with_its_own_text_and_position(
    right: str, wrong: str, interactive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = [(wrong if n == COUNT - 2 else right).format(n=n) for n in range(COUNT)]
    compare_with_single_statements(
        make_program(statements), monkeypatch, interactive=interactive, strict="error"
    )
    statements = [wrong.format(n=n) for n in range(COUNT)]
    compare_with_single_statements(
        make_program(statements), monkeypatch, interactive=interactive, strict_variables=True
    )


def test_warnings_have_the_position_of_their_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    source = make_program([f'notify {{ "n{n}":\n    message => "${{y{n % 2}}} {n}" }}' for n in range(COUNT)])
    logs = compare_with_single_statements(source, monkeypatch, strict="warning", strict_variables=False)[4]
    assert len({start for _, _, (start, _) in logs}) == len(logs) > 1


def test_a_shape_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    original = CodeEmitter._compile

    def compile_and_record(emitter: CodeEmitter, function: Any) -> Any:
        compiled.append(function)
        return original(emitter, function)

    monkeypatch.setattr(CodeEmitter, "_compile", compile_and_record)
    lines = [f"notify {{ 'n{n}': }}\nnotify {{ 'm{n}': require => Notify['n{n}'] }}" for n in range(300)]
    assert Session("puppet").run("\n".join(lines)).error is None
    assert len(compiled) == 2


def test_a_later_definition_of_a_function_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = "\n".join(f"class c{n} {{ notify {{ 'n{n}': message => upcase('a{n}') }} }}" for n in range(6))
    session = Session("puppet", interactive=True)
    session.run(bodies)
    session.run("include c0, c1, c2, c3")
    session.run('function upcase($x) { "mine ${x}" }')
    assert session.run("include c4, c5").error is None
    message = session.catalog().resources["notify", "n5"].parameters["message"]
    assert message == "mine a5"


def test_statements_are_compiled_one_by_one_while_lines_are_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"notify {{ 'n{n}': }}" for n in range(40)]
    monkeypatch.setattr(sys, "gettrace", lambda: print)
    monkeypatch.setattr(definitions, "make_steps", None)  # a call fails
    assert Session("puppet").run("\n".join(lines)).error is None
