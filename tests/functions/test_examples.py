"""Every built-in function has a description and examples, and the examples are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session
from evaluator.calling import index
from evaluator.calling.registry import Example, find_function, list_function_names
from tests.functions.function_index import format_index

FUNCTIONS = [function for name in list_function_names() if (function := find_function(name)) is not None]
EXAMPLES = [(function.name, example) for function in FUNCTIONS for example in function.examples]
FACTS = {"os": {"family": "Debian", "name": "Debian"}, "networking": {"fqdn": "node.example.com"}}


def test_the_index_agrees_with_the_declarations() -> None:
    source = Path(index.__file__).read_text(encoding="utf-8")
    assert source == format_index(), "python -m tests.functions.function_index"


@pytest.mark.parametrize("function", FUNCTIONS, ids=[function.name for function in FUNCTIONS])
def test_a_function_has_a_description_and_an_example(function) -> None:
    assert function.words.endswith((".", ":"))
    assert function.examples
    assert function.signatures
    assert function.origin in ("puppet", "stdlib")


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name}: {e.source}" for name, e in EXAMPLES])
def test_an_example_has_the_documented_result(name: str, example: Example) -> None:
    session = Session("spec", facts=FACTS, interactive=True)
    outcome = session.run(example.source)
    logs = tuple(f"{log.level}: {log.message}".rstrip() for log in outcome.logs)
    if example.error is not None:
        assert outcome.error is not None, f"no error, but {outcome.text}"
        assert str(outcome.error).startswith(example.error)
        return
    assert outcome.error is None, str(outcome.error)
    if example.logs:
        assert logs == tuple(line.rstrip() for line in example.logs)
    if example.result is not None:
        assert outcome.text == example.result
