"""The help of keywords, operators, metaparameters and resource types is correct."""

from __future__ import annotations

import re

import pytest

from evaluator import Session
from evaluator.assistance.words import find_language_entries, find_metaparameter, list_language_names
from evaluator.assistance.words.resources import EXAMPLES
from evaluator.assistance.words.statements import KEYWORDS
from evaluator.calling.signatures import Signature
from evaluator.functions import find_function, list_function_names
from evaluator.resource_types import METAPARAMETERS
from evaluator.resource_types import list_names as list_resource_types
from lexer_parser.dialect import PUPPET, SPEC, Dialect
from lexer_parser.lexing.tokens import OPERATORS
from tests.completion.examples import check_example

TOPICS = {entry.name: entry for name in list_language_names() for entry in find_language_entries(name)}
TOPICS |= {f"{name} =>": entry for name in sorted(METAPARAMETERS) if (entry := find_metaparameter(name))}
WITHOUT_HELP = {",", ":", ";", ")", "]", "}", "~"}  # they only end or separate, or mean nothing alone


@pytest.mark.parametrize("dialect", [SPEC, PUPPET], ids=["spec", "puppet"])
@pytest.mark.parametrize("topic", TOPICS)
def test_examples_have_their_documented_results(topic: str, dialect: Dialect) -> None:
    entry = TOPICS[topic]
    assert entry.usage and entry.words.endswith("."), topic
    assert entry.examples(SPEC) or entry.examples(PUPPET)
    for example in entry.examples(dialect):
        check_example(example, dialect.name)


def test_every_keyword_operator_and_metaparameter_has_help() -> None:
    assert set(KEYWORDS) <= set(list_language_names())
    assert {mark for mark in OPERATORS if mark not in WITHOUT_HELP} <= set(list_language_names())
    assert all(find_metaparameter(name) for name in METAPARAMETERS)


def test_every_resource_type_has_an_example() -> None:
    assert set(EXAMPLES) == set(list_resource_types())
    for example in EXAMPLES.values():
        assert Session("puppet", interactive=True).run(example).error is None, example


@pytest.mark.parametrize("name", list_function_names())
def test_the_documented_usage_of_a_function_matches_its_signatures(name: str) -> None:
    function = find_function(name)
    assert function is not None
    least = min(overload.signature.min for overload in function.overloads)
    most = max(overload.signature.max or 255 for overload in function.overloads)
    for text in function.usage:
        usage = Signature.parse(text)
        assert usage.name == name
        assert least <= usage.min and (usage.max or 255) <= most
        assert not any(re.fullmatch(r"p\d", parameter.name) for parameter in usage.parameters)
        assert all(parameter.type for parameter in usage.parameters)
