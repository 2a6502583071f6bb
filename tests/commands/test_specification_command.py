"""`%spec` finds rules of the specification by words, section or name, and `?§…` shows a section."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

Say = Callable[[str], str]


@pytest.fixture
def shell() -> Shell:
    return Shell({})


@pytest.fixture
def say(shell: Shell) -> Say:
    def submit(text: str) -> str:
        return render_plain(shell.submit(text).element)

    return submit


def test_the_documents_are_listed(say: Say) -> None:
    shown = say("%spec")
    assert all(number in shown for number in ("000", "001", "002", "003", "004"))
    assert "undecided" in shown and "contradict each other" in shown


def test_a_rule_is_found_by_its_line(say: Say) -> None:
    assert say("%spec 004:255") == (
        "004:255  Semantic Constraints\n`+>` is an error in a resource expression.\n"
        "notify { 'a': message +> 'x' }\n#   error: ILLEGAL_ATTRIBUTE_APPEND"
    )


def test_rules_are_found_by_words(say: Say) -> None:
    shown = say("%spec selector default")
    assert "`default` matches where it is." in shown and "#   => 'd'" in shown


@pytest.mark.parametrize("question", ["%spec 004 Collector Expressions", "?§004 Collector Expressions"])
def test_a_section_is_shown(say: Say, question: str) -> None:
    shown = say(question)
    assert "`<<| |>>` finds exported resources only" in shown and "004:559" in shown


def test_a_decision_is_shown_with_its_reason(say: Say) -> None:
    assert "decision: overruled by 003 §Boolean Conversion" in say("%spec 000:376")
    assert "overruled by 003" in say("%spec overruled")
    assert "# with the data" in say("%spec 004:318")


def test_a_document_is_shown_by_its_sections(say: Say) -> None:
    for question in ("%spec 003", "?§003", "%spec 003:"):
        shown = say(question)
        assert "003:577" in shown and "Collection[to, from]" in shown and "decisions" in shown


@pytest.mark.parametrize(
    ("question", "suggestion"),
    [
        ("%spec 004 Colector Expressions", "004 collector Expressions"),
        ("%spec colelctor vritual", "collector virtual"),
        ("?§003 Colection", "003 collection"),
        ("%spec 005", "000"),
    ],
)
def test_what_is_not_found(shell: Shell, question: str, suggestion: str) -> None:
    found = shell.submit(question).element
    assert f"did you mean %spec {suggestion}?" in render_plain(found)


@pytest.mark.parametrize("question", ["%spec zzzzz", "%spec 004:9999"])
def test_nothing_is_similar(shell: Shell, question: str) -> None:
    shown = render_plain(shell.submit(question).element)
    assert "No rule of the specification has" in shown and "did you mean" not in shown


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("%spec 004 Coll", "004 Collector Expressions"),
        ("?§004 Coll", "004 Collector Expressions"),
        ("??§00", "000"),
        ("%spec 003 Type Algebra on Uni", None),
    ],
)
def test_completion(shell: Shell, typed: str, completed: str | None) -> None:
    found = shell.complete(typed, len(typed))
    assert [item.text for item in found.items][:1] == ([completed] if completed else [])
    if completed:
        assert typed[found.start :].removeprefix("§") == completed[: len(typed) - found.start]
