"""Run the examples of the specification's rules."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import yaml

from evaluator import Session
from evaluator.specification import RuleExample


def run_example(example: RuleExample, dialect: str = "spec") -> str:
    """Return how the result of an example differs from what is due; "" if it does not."""
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {}
        if example.data:
            settings["data"] = yaml.safe_load(example.data)
        for path, text in example.modules:
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            settings["modulepath"] = [folder]
        if example.strict_variables:
            settings["strict_variables"] = True
        session = Session(dialect, **settings)
        outcome = session.run(example.program)
        found = outcome.error
        if (found.code if found is not None else "") != example.error:
            return f"{found.code if found is not None else 'value'}: {found or outcome.text}"
        if found is not None:
            return ""
        resources = session.catalog().summary()
    logs = [f"{log.level}: {log.message}" for log in outcome.logs if log.level not in ("debug", "info")]
    due_logs = [f"{mark}: {text}" for mark, text in example.expected if re.fullmatch(r"[a-z]+", mark)]
    problems = [f"logs {logs}"] if due_logs and due_logs != logs else []
    for mark, text in example.expected:
        if mark == "=" and outcome.text != text:
            problems.append(f"= {outcome.text}")
        elif mark == "::" and outcome.type != text:
            problems.append(f":: {outcome.type}")
        elif mark in "+-" and is_present(text, resources) != (mark == "+"):
            problems.append(f"resources {resources}")
    return "; ".join(problems)


def is_present(wanted: str, resources: list[str]) -> bool:
    """Return True if one of the resources has the reference, and the attributes in braces; `{ }` means none."""
    reference, _, attributes = wanted.partition(" {")
    for resource in resources:
        found, _, values = resource.partition(" {")
        if found == reference:
            if attributes.strip() == "}":
                return not values
            listed = attributes.removesuffix("}").strip()
            return f" {listed}," in values or f" {listed} }}" in values or not listed
    return False
