"""What is remembered by texts: answers for short ones only."""

from __future__ import annotations

import pytest

from evaluator.values.remembering import LONGEST, remembered


@pytest.mark.parametrize(
    ("texts", "calls"),
    [
        (("a",), 1),
        (("a" * LONGEST,), 1),
        (("a" * (LONGEST + 1),), 2),
        (("a", "b"), 1),
        (("a", "b" * (LONGEST + 1)), 2),
    ],
    ids=["short", "longest", "long", "two", "a long second"],
)
def test_the_answers_for_long_texts_are_not_kept(texts: tuple[str, ...], calls: int) -> None:
    asked = []

    @remembered(10)
    def joined(*given: str) -> str:
        asked.append(given)
        return "".join(given)

    assert joined(*texts) == joined(*texts) == "".join(texts)
    assert asked == [texts] * calls
