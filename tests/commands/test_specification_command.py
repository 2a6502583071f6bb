"""`%spec` finds rules of the specification, and `?§…` shows a section."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

Say = Callable[..., str]


def test_the_documents_are_listed(run_inputs: Say) -> None:
    output = run_inputs("%spec")
    assert all(number in output for number in ("000", "001", "002", "003", "004"))
    assert "undecided" in output and "contradict each other" in output


def test_a_rule_is_found_by_its_line(run_inputs: Say) -> None:
    assert run_inputs("%spec 004:255") == (
        "004:255  Semantic Constraints\n`+>` is an error in a resource expression.\n"
        "notify { 'a': message +> 'x' }\n#   error: ILLEGAL_ATTRIBUTE_APPEND"
    )


def test_rules_are_found_by_words(run_inputs: Say) -> None:
    output = run_inputs("%spec selector default")
    assert "`default` matches where it is." in output and "#   => 'd'" in output


@pytest.mark.parametrize("command", ["%spec 004 Collector Expressions", "?§004 Collector Expressions"])
def test_a_section_is_shown(run_inputs: Say, command: str) -> None:
    output = run_inputs(command)
    assert "`<<| |>>` finds exported resources only" in output and "004:559" in output


def test_a_decision_is_shown_with_its_reason(run_inputs: Say) -> None:
    assert "decision: overruled by 003 §Boolean Conversion" in run_inputs("%spec 000:376")
    assert "overruled by 003" in run_inputs("%spec overruled")
    assert "# with the data" in run_inputs("%spec 004:318")


def test_a_document_is_shown_by_its_sections(run_inputs: Say) -> None:
    for command in ("%spec 003", "?§003", "%spec 003:"):
        output = run_inputs(command)
        assert "003:577" in output and "Collection[to, from]" in output and "decisions" in output


@pytest.mark.parametrize(
    ("command", "suggestion"),
    [
        ("%spec 004 Colector Expressions", "004 collector Expressions"),
        ("%spec colelctor vritual", "collector virtual"),
        ("?§003 Colection", "003 collection"),
        ("%spec 005", "000"),
    ],
)
def test_a_misspelt_search_gets_a_suggestion(shell: Shell, command: str, suggestion: str) -> None:
    element = shell.submit(command).element
    assert f"did you mean %spec {suggestion}?" in render_plain(element)


@pytest.mark.parametrize("command", ["%spec zzzzz", "%spec 004:9999"])
def test_a_search_without_similar_words_gets_no_suggestion(shell: Shell, command: str) -> None:
    output = render_plain(shell.submit(command).element)
    assert "No rule of the specification has" in output and "did you mean" not in output


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%spec 004 Coll", "004 Collector Expressions"),
        ("?§004 Coll", "004 Collector Expressions"),
        ("??§00", "000"),
        ("%spec 003 Type Algebra on Uni", None),
    ],
)
def test_sections_are_completed(shell: Shell, source: str, expected: str | None) -> None:
    completion = shell.complete(source, len(source))
    assert [item.text for item in completion.items][:1] == ([expected] if expected else [])
    if expected:
        assert source[completion.start :].removeprefix("§") == expected[: len(source) - completion.start]
