"""Statements that are alike are compiled once; nothing else about them changes."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from evaluator import Session
from evaluator.compiler import definitions
from evaluator.compiler.emitter import CodeEmitter

COUNT = 12

# Statements by their number, which stand between others of the same shape.
SHAPES = {
    "resources": "notify {{ 'n{n}': message => \"m{n}\", require => Notify['first'] }}",
    "names as titles": "notify {{ n{n}: loglevel => info }}",
    "numbers and arrays": "user {{ 'u{n}': uid => {n}, groups => ['g{n}', 'all'], home => undef }}",
    "hashes": "notify {{ 'n{n}': message => {{ 'a' => {n}, b => [{n}, true] }} }}",
    "variables in texts": "notify {{ 'n{n}': message => \"a {n} ${{x}} b {n}\" }}",
    "variables in arrays": "notify {{ 'n{n}': message => [$x, 'n{n}', {{ 'k{n}' => $x }}] }}",
    "references": "notify {{ 'n{n}': }}\nNotify['first'] -> Notify['n{n}'] ~> Notify['last', 'other']",
    "arrows between resources": "notify {{ 'n{n}': }} -> notify {{ 'm{n}': message => 'x' }}",
    "defines": "d {{ 'd{n}': p => {n} }}",
    "classes": "class {{ 'c{n}': p => 'a{n}' }}",
    "virtual ones": "@notify {{ 'n{n}': tag => 't{n}' }}\nrealize Notify['n{n}']",
    "calls": "notice('n{n}', {n}, $x)",
    "calls inside": "notify {{ 'n{n}': message => upcase('m{n}') }}",
    "calls of Puppet functions": "notify {{ 'n{n}': message => f({n}) }}",
}

AROUND = (
    "$x = 'x'\n"
    "function f($p) {{ $p * 2 }}\n"
    'define d($p = 1) {{ notify {{ "in ${{title}}": message => $p }} }}\n'
    "{classes}\n"
    "notify {{ ['first', 'last', 'other']: }}\n"
    "{statements}\n"
)

# Each is wrong, and stands among some of its shape that are not.
WRONG = {
    "an attribute that is not there": (
        "notify {{ 'n{n}': message => 'x' }}",
        "notify {{ 'n{n}': massage => 'x' }}",
    ),
    "a title that is there": ("notify {{ 'n{n}': }}", "notify {{ 'first': }}"),
    "a reference to nothing": ("Notify['first'] -> Notify['last']", "Notify['first'] -> Notify['n{n}']"),
    "an attribute that refers to nothing": (
        "notify {{ 'n{n}': require => Notify['first'] }}",
        "notify {{ 'n{n}':\n  require => Notify['nowhere'] }}",
    ),
    "an argument of another type": ("f({n})", "f('a{n}')"),
    "a function that fails": ("notice(Integer('{n}'))", "notice('π', Integer('n{n}'))"),
    "a parameter of another type": ("d {{ 'd{n}': p => {n} }}", "d {{ 'd{n}': q => {n} }}"),
    "a variable that is not there": (
        "notify {{ 'n{n}': message => $x }}",
        "notify {{ 'n{n}': message => $y }}",
    ),
    "a tag that is none": ("notify {{ 'n{n}': tag => 'a' }}", "notify {{ 'n{n}': tag => 'a b' }}"),
    "what cannot be realized": ("realize Notify['first']", "realize 'first{n}'"),
    "a class that is not there": ("include c{n}", "include nowhere{n}"),
}


def program(statements: list[str]) -> str:
    classes = "\n".join(
        f"class c{n}($p = 1) {{ notify {{ 'in c{n}': message => \"p ${{p}}\" }} }}" for n in range(COUNT)
    )
    return AROUND.format(classes=classes, statements="\n".join(statements))


def told(source: str, **options: Any) -> Any:
    """Return all results of a program: catalog, positions of resources and edges, value, log lines, error."""
    session = Session("puppet", **options)
    outcome = session.run(source)
    error = outcome.error
    resources = session.catalog().resources.values()
    return (
        session.catalog().to_json(),
        [
            (one.reference, place(one.span), [place(one.find_place(name)) for name in one.parameters])
            for one in resources
        ],
        [(repr(edge), edge.reason, place(edge.span)) for edge in outcome.change.edges_added]
        if not error
        else None,
        outcome.text,
        [(line.level, line.message, place(line.span)) for line in outcome.logs],
        (str(error), error.help, [(note.text, place(note.span)) for note in error.notes]) if error else None,
        place(error.span) if error else None,
    )


def place(span: Any) -> Any:
    return None if span is None else (span.start, span.end)


def check(source: str, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
    """Return the results of a program, which must be the same when every statement is compiled."""
    moulded = told(source, **options)
    with monkeypatch.context() as patch:
        patch.setattr(definitions, "make_steps", lambda *arguments: [])
        assert moulded == told(source, **options)
    return moulded


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("inside", [False, True])
def test_what_is_alike_gives_what_it_gives_alone(
    shape: str, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = program([shape.format(n=n) for n in range(COUNT)])
    if inside:
        source = (
            source.replace("notify { ['first'", "class body { $x = 'y'\nnotify { ['first'")
            + "}\ninclude body"
        )
    found = check(source, monkeypatch)
    assert found[5] is None, found[5]


@pytest.mark.parametrize(("right", "wrong"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("interactive", [False, True])
def test_what_is_wrong_is_told_in_the_same_words_at_the_same_place(
    right: str, wrong: str, interactive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = [(wrong if n == COUNT - 2 else right).format(n=n) for n in range(COUNT)]
    check(program(statements), monkeypatch, interactive=interactive, strict="error")
    alike = [wrong.format(n=n) for n in range(COUNT)]
    check(program(alike), monkeypatch, interactive=interactive, strict_variables=True)


def test_warnings_stand_where_their_statement_does(monkeypatch: pytest.MonkeyPatch) -> None:
    source = program([f'notify {{ "n{n}":\n    message => "${{y{n % 2}}} {n}" }}' for n in range(COUNT)])
    logs = check(source, monkeypatch, strict="warning", strict_variables=False)[4]
    assert len({start for _, _, (start, _) in logs}) == len(logs) > 1


def test_a_shape_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    original = CodeEmitter._compile

    def counting(emitter: CodeEmitter, function: Any) -> Any:
        compiled.append(function)
        return original(emitter, function)

    monkeypatch.setattr(CodeEmitter, "_compile", counting)
    lines = [f"notify {{ 'n{n}': }}\nnotify {{ 'm{n}': require => Notify['n{n}'] }}" for n in range(300)]
    assert Session("puppet").run("\n".join(lines)).error is None
    assert len(compiled) == 2


def test_a_function_that_comes_later_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = "\n".join(f"class c{n} {{ notify {{ 'n{n}': message => upcase('a{n}') }} }}" for n in range(6))
    session = Session("puppet", interactive=True)
    session.run(bodies)
    session.run("include c0, c1, c2, c3")
    session.run('function upcase($x) { "mine ${x}" }')
    assert session.run("include c4, c5").error is None
    found = session.catalog().resources["notify", "n5"].parameters["message"]
    assert found == "mine a5"


def test_who_follows_the_lines_of_a_program_sees_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"notify {{ 'n{n}': }}" for n in range(40)]
    monkeypatch.setattr(sys, "gettrace", lambda: print)
    monkeypatch.setattr(definitions, "make_steps", None)  # is not called
    assert Session("puppet").run("\n".join(lines)).error is None
