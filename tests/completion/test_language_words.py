"""The help about keywords, operators, metaparameters, resource types and functions is true."""

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
from evaluator.resource_types import list_names as type_names
from lexer_parser.dialect import PUPPET, SPEC, Dialect
from lexer_parser.lexing.tokens import OPERATORS
from tests.completion.examples import assert_holds

TOPICS = {words.name: words for name in list_language_names() for words in find_language_entries(name)}
TOPICS |= {f"{name} =>": words for name in sorted(METAPARAMETERS) if (words := find_metaparameter(name))}
UNTOLD = {",", ":", ";", ")", "]", "}", "~"}  # marks that only end and separate, or mean nothing alone


@pytest.mark.parametrize("dialect", [SPEC, PUPPET], ids=["spec", "puppet"])
@pytest.mark.parametrize("topic", TOPICS)
def test_examples(topic: str, dialect: Dialect) -> None:
    words = TOPICS[topic]
    assert words.usage and words.words.endswith("."), topic
    assert words.examples(SPEC) or words.examples(PUPPET)
    for example in words.examples(dialect):
        assert_holds(example, dialect.name)


def test_every_keyword_operator_and_metaparameter_has_words() -> None:
    assert set(KEYWORDS) <= set(list_language_names())
    assert {mark for mark in OPERATORS if mark not in UNTOLD} <= set(list_language_names())
    assert all(find_metaparameter(name) for name in METAPARAMETERS)


def test_every_resource_type_has_an_example() -> None:
    assert set(EXAMPLES) == set(type_names())
    for example in EXAMPLES.values():
        assert Session("puppet", interactive=True).run(example).error is None, example


@pytest.mark.parametrize("name", list_function_names())
def test_the_use_of_a_function_fits_its_signatures(name: str) -> None:
    function = find_function(name)
    assert function is not None
    least = min(overload.signature.min for overload in function.overloads)
    most = max(overload.signature.max or 255 for overload in function.overloads)
    for text in function.usage:
        shown = Signature.parse(text)
        assert shown.name == name
        assert least <= shown.min and (shown.max or 255) <= most
        assert not any(re.fullmatch(r"p\d", parameter.name) for parameter in shown.parameters)
        assert all(parameter.type for parameter in shown.parameters)
