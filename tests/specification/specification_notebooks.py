"""Notebooks of the documents of the specification: each rule with a cell that runs.

A cell that depends on the program before it, or changes it, begins with `%reset`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest.mock import patch

from evaluator import Outcome, Session
from evaluator.session import dialect_notes
from evaluator.specification import (
    IMPLEMENTED,
    RuleExample,
    SpecificationDocument,
    SpecificationRule,
    load_documents,
)
from puppet_kernel.commands.specification import DECISIONS, write_program
from puppet_kernel.rendering.markdown import Cell, make_cell, make_notebook

SHARED_SECTIONS = (
    "The earlier sections of this document are identical to those of [000](000-expressions.ipynb).\n"
)
_MAY_FAIL = {"tags": ["raises-exception"]}
_VARIES = {"tags": ["nbval-ignore-output"]}


def render_notebooks() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each file and its notebook, without outputs."""
    documents = load_documents()
    for document in documents:
        yield f"{name_file(document)}.ipynb", make_notebook(_make_cells(document, documents))


def name_file(document: SpecificationDocument) -> str:
    """Return the file name of a notebook without extension, like `004-catalog-expressions`."""
    words = re.findall(r"[a-z0-9]+", document.title.partition("(")[0].lower())
    return "-".join([document.number, *words])


def _make_cells(document: SpecificationDocument, documents: list[SpecificationDocument]) -> Iterator[Cell]:
    # The earlier version of 000 has the same sections except for its last ones.
    sections = [each for each in document.sections if document.number != "001" or each.line > 488]
    rules = [rule for section in sections for rule in section.rules]
    decided = sum(rule.status != IMPLEMENTED for rule in rules)
    links = [f"- [{_escape(each.title)}](#L{each.line}) ({len(each.rules)})" for each in sections]
    others = [f"[{each.number}]({name_file(each)}.ipynb)" for each in documents if each is not document]
    head = [
        f"# {document.number} {document.title}",
        document.about,
        f"This notebook has {len(rules)} rules in our own words, each with its line in the document and programs that"
        f" demonstrate it. {decided} of them are decisions, marked *Decision*. {DECISIONS}",
        f"Other documents: {' · '.join(others)}",
        *([SHARED_SECTIONS] if document.number == "001" else []),
        "\n".join(["**Contents**", "", *links]),
    ]
    yield make_cell("title", "markdown", "\n\n".join(head))
    yield make_cell("dialect", "code", "%dialect spec", _VARIES)
    counts = Counter[str]()
    for section in sections:
        heading = f'<a id="L{section.line}"></a>\n## {_escape(section.title)}'
        yield make_cell(f"s{section.line}", "markdown", heading)
        for rule in section.rules:
            counts[f"r{rule.line}"] += 1
            count = counts[f"r{rule.line}"]
            yield from _make_rule(rule, f"r{rule.line}" + (f"-no{count}" if count > 1 else ""))


def _make_rule(rule: SpecificationRule, key: str) -> Iterator[Cell]:
    """Yield the sentence of a rule, then its programs."""
    parts = [f"**{rule.place}** {rule.words}"]
    if rule.status != IMPLEMENTED:
        parts.append(f"*Decision*: {rule.status}.")
    shown_only = [each for each in rule.examples if _needs_settings(each)]
    parts += [f"```puppet\n{write_program(example)}\n```" for example in shown_only]
    yield make_cell(key, "markdown", "\n\n".join(parts))
    for number, example in enumerate(each for each in rule.examples if each not in shown_only):
        source = example.program if _is_alone(example) else f"%reset\n{example.program}"
        failed = _run(example.program).error is not None
        yield make_cell(f"{key}-{number}", "code", source, _MAY_FAIL if failed else {})


def _needs_settings(example: RuleExample) -> bool:
    """Return True for a program that needs data, modules or settings that cells lack."""
    return bool(example.data or example.modules or example.strict_variables)


def _is_alone(example: RuleExample) -> bool:
    """Return True for an expression that neither reads nor changes the state."""
    if "$" in example.program or example.error:
        return False
    outcome = _run(example.program)
    return not (outcome.change or outcome.defined or outcome.pending)


@cache
def _run(program: str) -> Outcome:
    # The notebooks contain no notes about the other dialect, whose computation takes most of the time.
    with patch.object(dialect_notes, "may_differ", return_value=False):
        return Session("spec", interactive=True).run(program)


def _escape(title: str) -> str:
    return re.sub(r"([\[\]*<>_|])", r"\\\1", title)
