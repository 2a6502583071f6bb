"""Every type has help, and its examples and lists of instances are right."""

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
# Types of which programs make no values: they need no second example.
FEW_EXAMPLES = {"Pcore", "Annotation", "Puppet::LookupContext", "Literal", "Ruby", "Runtime", "TypeSet"}


def find_entry(name: str) -> ReferenceEntry:
    """Return the help of a type that has some."""
    entry = find_type(name)
    assert entry is not None
    return entry


def filter_values(dialect: str, values: str, operator: str, type_text: str) -> str:
    """Return the values for which the operator with the type is true, as text.

    Args:
        values: The values as Puppet code, separated by commas; `-` if there are none.
        operator: `=~` or `!~`.
    """
    if values == "-":
        return "[]"
    outcome = Session(dialect, interactive=True).run(
        f"[{values}].filter |$x| {{ $x {operator} {type_text} }}"
    )
    return outcome.text if outcome.error is None else str(outcome.error)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_type_has_help(dialect: str) -> None:
    assert set(list_builtin_names(DIALECTS[dialect])) <= set(list_types())


@pytest.mark.parametrize("name", list_types())
def test_the_help_of_a_type_is_complete(name: str) -> None:
    entry = find_entry(name)
    assert entry.usage and entry.words.endswith(".")
    assert entry.instance_rows or any(entry.examples(dialect) for dialect in (SPEC, PUPPET))
    if name not in FEW_EXAMPLES:
        assert any(len(entry.examples(dialect)) >= 2 for dialect in (SPEC, PUPPET))
    assert find_type(name.upper()) is not None


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_the_listed_values_are_instances_or_not(name: str, dialect: str) -> None:
    for type_text, instances, others in find_entry(name).instance_rows:
        assert filter_values(dialect, instances, "!~", type_text) == "[]", f"no instance of {type_text}"
        assert filter_values(dialect, others, "=~", type_text) == "[]", f"an instance of {type_text}"


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_a_type_is_a_subtype_of_its_listed_parents(name: str, dialect: str) -> None:
    for parent in find_entry(name).supertypes:
        assert Session(dialect, interactive=True).run(f"{name} <= {parent}").value is True, parent


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_the_examples_are_right(name: str, dialect: str) -> None:
    from tests.completion.examples import check_example

    for example in find_entry(name).examples(DIALECTS[dialect]):
        check_example(example, dialect)
