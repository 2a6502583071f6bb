"""A check of the examples in help texts."""

from __future__ import annotations

from evaluator import Session
from evaluator.calling.registry import Example


def check_example(example: Example, dialect: str) -> None:
    """Run an example in a session of its own and compare logs, value and error."""
    outcome = Session(dialect, interactive=True).run(example.source)
    if example.error is not None:
        assert outcome.error is not None, f"{example.source} has the result {outcome.text}"
        assert str(outcome.error).startswith(example.error)
        return
    assert outcome.error is None, f"{example.source}: {outcome.error}"
    if example.logs:
        assert tuple(f"{log.level}: {log.message}".rstrip() for log in outcome.logs) == example.logs
    if example.result is not None:
        assert outcome.text == example.result, example.source
