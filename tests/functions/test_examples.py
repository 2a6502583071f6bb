"""Every built-in function explains itself: words, and examples that run."""

from __future__ import annotations

from importlib import import_module

import pytest

from evaluator import Session
from evaluator.calling.index import FAMILIES
from evaluator.calling.registry import REGISTRY, Example, lookup, names

FUNCTIONS = [function for name in names() if (function := lookup(name)) is not None]
EXAMPLES = [(function.name, example) for function in FUNCTIONS for example in function.examples]
FACTS = {"os": {"family": "Debian", "name": "Debian"}, "networking": {"fqdn": "node.example.com"}}


@pytest.mark.parametrize("family", FAMILIES)
def test_index_names_what_the_module_declares(family: str) -> None:
    import_module(f"evaluator.{family}")
    declared = {name for name, function in REGISTRY.items() if function.family == family}
    assert declared == set(FAMILIES[family].split())


@pytest.mark.parametrize("function", FUNCTIONS, ids=[function.name for function in FUNCTIONS])
def test_function_has_words_and_an_example(function) -> None:
    assert function.words.endswith((".", ":"))
    assert function.examples
    assert function.signatures
    assert function.origin in ("puppet", "stdlib")


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name}: {e.source}" for name, e in EXAMPLES])
def test_example(name: str, example: Example) -> None:
    session = Session("spec", facts=FACTS, interactive=True)
    outcome = session.run(example.source)
    logs = tuple(f"{log.level}: {log.message}".rstrip() for log in outcome.logs)
    if example.error is not None:
        assert outcome.error is not None, f"gives {outcome.text}"
        assert str(outcome.error).startswith(example.error)
        return
    assert outcome.error is None, str(outcome.error)
    if example.logs:
        assert logs == tuple(line.rstrip() for line in example.logs)
    if example.result is not None:
        assert outcome.text == example.result
