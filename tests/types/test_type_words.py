"""The help about types is true: every type has a description, and its examples and instances hold."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.assistance.words import ReferenceEntry, find_type, list_types
from evaluator.types import find_builtin_type, list_builtin_names
from lexer_parser.dialect import DIALECTS, PUPPET, SPEC

CASES = [
    (name, dialect.name)
    for dialect in (SPEC, PUPPET)  # all releases have the same types
    for name in list_types()
    if find_builtin_type(name, dialect)
]
MAKERS_ARE_CLEAR = {"Pcore", "Annotation", "Puppet::LookupContext", "Literal", "Ruby", "Runtime", "TypeSet"}


def words_of(name: str) -> ReferenceEntry:
    """The words about a type that has some."""
    found = find_type(name)
    assert found is not None
    return found


def instances(dialect: str, values: str, operator: str, type_text: str) -> str:
    """The values for which the operator and the type do not hold, as the session prints them."""
    if values == "-":
        return "[]"
    outcome = Session(dialect, interactive=True).run(
        f"[{values}].filter |$x| {{ $x {operator} {type_text} }}"
    )
    return outcome.text if outcome.error is None else str(outcome.error)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_type_has_words(dialect: str) -> None:
    assert set(list_builtin_names(DIALECTS[dialect])) <= set(list_types())


@pytest.mark.parametrize("name", list_types())
def test_words_are_complete(name: str) -> None:
    words = words_of(name)
    assert words.usage and words.words.endswith(".")
    assert words.instance_rows or any(words.examples(dialect) for dialect in (SPEC, PUPPET))
    if name not in MAKERS_ARE_CLEAR:
        assert any(len(words.examples(dialect)) >= 2 for dialect in (SPEC, PUPPET))
    assert find_type(name.upper()) is not None


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_instances_are_and_the_others_are_not(name: str, dialect: str) -> None:
    for type_text, yes, no in words_of(name).instance_rows:
        assert instances(dialect, yes, "!~", type_text) == "[]", f"{yes} are to be of {type_text}"
        assert instances(dialect, no, "=~", type_text) == "[]", f"{no} are not to be of {type_text}"


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_a_type_is_a_kind_of_its_parents(name: str, dialect: str) -> None:
    for parent in words_of(name).supertypes:
        assert Session(dialect, interactive=True).run(f"{name} <= {parent}").value is True, parent


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_examples(name: str, dialect: str) -> None:
    from tests.completion.examples import check_example

    for example in words_of(name).examples(DIALECTS[dialect]):
        check_example(example, dialect)
