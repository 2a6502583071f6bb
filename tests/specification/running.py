"""Run the examples of the specification's rules."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import yaml

from evaluator import Session
from evaluator.specification import RuleExample
from tests.files import write_files


def run_example(example: RuleExample, dialect: str = "spec") -> str:
    """Return the difference of an example's result from the expected one; "" if none."""
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {}
        if example.data:
            settings["data"] = yaml.safe_load(example.data)
        if example.modules:
            settings["modulepath"] = [write_files(Path(folder), dict(example.modules))]
        if example.strict_variables:
            settings["strict_variables"] = True
        session = Session(dialect, **settings)
        outcome = session.run(example.program)
        error = outcome.error
        if (error.code if error is not None else "") != example.error:
            return f"{error.code if error is not None else 'value'}: {error or outcome.text}"
        if error is not None:
            return ""
        resources = session.catalog().summary()
    logs = [f"{log.level}: {log.message}" for log in outcome.logs if log.level not in ("debug", "info")]
    expected_logs = [f"{mark}: {text}" for mark, text in example.expected if re.fullmatch(r"[a-z]+", mark)]
    problems = [f"logs {logs}"] if expected_logs and expected_logs != logs else []
    for mark, text in example.expected:
        if mark == "=" and outcome.text != text:
            problems.append(f"= {outcome.text}")
        elif mark == "::" and outcome.type != text:
            problems.append(f":: {outcome.type}")
        elif mark in "+-" and is_present(text, resources) != (mark == "+"):
            problems.append(f"resources {resources}")
    return "; ".join(problems)


def is_present(expected: str, resources: list[str]) -> bool:
    """Return True if a resource has the reference and attributes; `{ }` means no attributes."""
    reference, _, attributes = expected.partition(" {")
    for resource in resources:
        candidate, _, values = resource.partition(" {")
        if candidate == reference:
            if attributes.strip() == "}":
                return not values
            listed = attributes.removesuffix("}").strip()
            return f" {listed}," in values or f" {listed} }}" in values or not listed
    return False
