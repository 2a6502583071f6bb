"""Object types without a name: messages call them `Object`.

A `type` statement names its own type, but not the types in its definition.
"""

from __future__ import annotations

import pytest

from evaluator import Session

PREFIX = "Error while evaluating a '[]' expression, "


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("attributes => { a => 1 }", "attribute Object[a] has wrong type, expects a Type value, got Integer"),
        (
            "functions => { a => 1 }",
            "function Object[a] has wrong type, expects a Type[Callable] value, got Integer",
        ),
        (
            "attributes => { a => Integer }, equality => b",
            "Object equality is referencing non existent attribute 'b'",
        ),
        (
            "parent => Object[{ attributes => { a => Integer } }], attributes => { a => Integer }",
            "attribute Object[a] attempts to override attribute Object[a] without having override => true",
        ),
        (
            "name => 'X', attributes => { a => 1 }",
            "attribute X[a] has wrong type, expects a Type value, got Integer",
        ),
    ],
)
def test_messages_call_a_type_without_a_name_object(definition: str, message: str) -> None:
    assert f"{PREFIX}{message} " in str(Session("puppet").run(f"Object[{{ {definition} }}]").error)


@pytest.mark.parametrize(
    ("right_side", "printed"),
    [
        (
            "Object[{ parent => Object[{ attributes => { a => Integer } }], attributes => { b => Integer } }]",
            "Object[{name => 'X', parent => Object, attributes => {'b' => Integer}}]",
        ),
        (
            "Object[{ attributes => { b => Object[{ attributes => { c => Integer } }] } }]",
            "Object[{name => 'X', attributes => {'b' => Object}}]",
        ),
        (
            "Array[Object[{ attributes => { c => Integer } }]]",
            "X = Array[Object[{attributes => {'c' => Integer}}]]",
        ),
        ("Object[{ attributes => { b => Optional[X] } }]", None),
    ],
)
def test_types_nested_in_a_type_statement_have_no_name(right_side: str, printed: str | None) -> None:
    outcome = Session("puppet").run(f"type X = {right_side}\nnotice(X)")
    assert outcome.error is None
    assert printed is None or [line.message for line in outcome.logs] == [printed]


def test_the_error_names_the_type_with_the_mistake() -> None:
    error = Session("puppet").run("type X = Array[Object[{ attributes => { c => 1 } }]]\nnotice(X)").error
    assert "attribute Object[c] has wrong type" in str(error)
