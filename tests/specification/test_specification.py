"""The rules of the specification are complete, and their programs have the stated results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluator.specification import (
    AUTHORITY,
    DOCUMENTS,
    STATUSES,
    SpecificationRule,
    find_rules,
    find_section,
    load_document,
    load_documents,
    parse_document,
)
from tests.specification.running import run_example

RULES = [
    rule
    for document in load_documents()
    for rule in document.rules
    if document.number != "001" or rule.line > 488  # the lines before are those of 000
]
ROW = re.compile(r"^\| (00\d) \| (\d+) \| (.+) \| [\w/-]+ \| [\w-]+ \|$", re.MULTILINE)
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.place)
def test_the_examples_of_a_rule_have_the_stated_results(rule: SpecificationRule) -> None:
    for example in rule.examples:
        problem = run_example(example)
        assert not problem, f"{example.program}\nexpected: {example.expected}\ngot: {problem}"


def test_every_document_is_read() -> None:
    assert [document.number for document in load_documents()] == list(DOCUMENTS)
    assert set(AUTHORITY) == set(DOCUMENTS)
    assert len(RULES) > 1200


@pytest.mark.parametrize("document", load_documents(), ids=lambda document: document.number)
def test_the_rules_are_in_the_order_of_their_lines(document) -> None:
    for section, following in zip(document.sections, [*document.sections[1:], None], strict=True):
        assert section.rules, section.title
        for rule in section.rules:
            assert section.line <= rule.line <= rule.end
            assert following is None or rule.end < following.line


def test_each_rule_is_complete() -> None:
    for rule in RULES:
        check_rule(rule)


def check_rule(rule: SpecificationRule) -> None:
    assert rule.words.endswith((".", "?", "="))
    assert rule.examples and all(example.program and example.expected for example in rule.examples)
    assert rule.status.startswith(STATUSES)
    if rule.status.startswith("slip"):
        assert ": we follow " in rule.status
    if rule.status.startswith("undecided"):
        assert ": we chose " in rule.status and " because " in rule.status.replace(", because", " because")
    if rule.status.startswith("overruled by"):
        match = re.match(r"overruled by (\d{3}) §([^:]+): ", rule.status)
        assert match and find_section(load_document(match[1]), match[2]) is not None


def test_the_table_of_lessons_lists_all_sections() -> None:
    """The table of sections and lessons has each section with rules, and its line."""
    rows = ROW.findall((NOTEBOOKS / "README.md").read_text(encoding="utf-8"))
    listed = {(document, int(line)) for document, line, _ in rows}
    assert not [
        (document.number, section.line)
        for document in load_documents()
        for section in document.sections
        if (document.number, section.line) not in listed
    ]


def test_rules_are_found_by_line_section_and_words() -> None:
    assert {rule.place for rule in find_rules("004:263")} == {"004:263"}
    section = find_rules("§004 Collector Expressions")
    assert section and {rule.section.title for rule in section} == {"Collector Expressions"}
    assert find_rules("004 collector") == section
    assert len(find_rules("003")) > 300
    assert find_rules("collector virtual")
    assert find_rules(">>")[0].section.title == ">> operator"
    assert find_rules("Struct")[0].section.title == "Struct Type"
    assert find_rules("no_such_word") == [] and find_rules("") == []
    assert find_rules("selectors")[0].section.title == "? (selector) expression"  # a plural
    assert {rule.place for rule in find_rules("Struct optional values")} == {"003:534"}
    assert find_rules("empty string true")[0].place == "003:940"  # a word before a period


def test_each_line_of_a_section_finds_rules() -> None:
    assert {rule.place for rule in find_rules("004:46")} > {"004:50", "004:77"}  # a heading
    assert {rule.place for rule in find_rules("004:53")} == {"004:50", "004:54"}  # a blank line
    assert find_rules("004:9999") == []
    assert find_rules("009 x") == []


def test_an_invalid_line_is_an_error() -> None:
    with pytest.raises(ValueError, match="no meaning"):
        parse_document("000 X\n== 1 A\n2 Rule.\n  ? what\n")
    with pytest.raises(ValueError, match="no meaning"):
        parse_document("000 X\n== 1 A\nrule\n")
    with pytest.raises(ValueError, match="no setting"):
        parse_document("000 X\n== 1 A\n2 Rule.\n  @ moon full\n")
