"""Failures that are just text, told apart by their words: template -> code, and what to do about them.

A template is a message with names in braces for what varies. The first that fits gives the error its code.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.help import fit
from evaluator.help.case import Case, Subject, read_reason
from evaluator.help.signatures import signature

Help = str | Callable[[Case], str | None] | None


def recognise(case: Case) -> None:
    """Gives a failure without code the code of its kind, and takes its message apart."""
    detail = case.detail
    if detail is None:
        return
    if case.called == "fail":
        case.error.code = "FAILED"
        return
    for template, code, help in ROWS:
        found = read(template, detail)
        if found is not None:
            case.error.code, case.help = code, help
            case.found.update(found)
            read_reason(case, found.get("reason", ""))
            return


def read(template: str, text: str) -> dict[str, str] | None:
    """What stands in `text` for the names of `template`, None when it does not fit."""
    parts = re.split(r"\{(\w+)\}", template)
    if not all(part in text for part in parts[::2]):
        return None
    pattern = "".join(
        f"(?P<{part}>.+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    )
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found.groupdict() if found else None


# --- sentences that depend on the case


def _fitting(case: Case) -> str | None:
    """For a value of the wrong type: how to make it fit, or how the function is called."""
    if case.found.get("expected") == "Resource" and case.error.suggestion:
        return f"A name that is no data type stands for resources: write `{case.error.suggestion}`."
    return fit.advice(case) or signature(case)


def _lambda(case: Case) -> str:
    if "between" in case.found["count"]:
        return "Give the lambda one parameter, `|$x|`, or two: `|$index, $x|`, of a hash `|$key, $value|`."
    wanted = "two parameters: `|$key, $value|`" if "2" in case.found["count"] else "one parameter: `|$x|`"
    return f"Give the lambda {wanted}."


def _block_type(case: Case) -> str:
    return f"Leave the type of `${case.found['parameter']}` out, or convert the values before: `.map |$x| {{ … }}`."


def _missing_lambda(case: Case) -> str:
    receiver = Subject(case.places[-1].span.source, case.arguments[0]).text if case.arguments else None
    return f"Put a lambda behind it: `{receiver or '$list'}.{case.found['function']} |$x| {{ … }}`."


def _unwanted_lambda(case: Case) -> str:
    return f"`{case.found['function']}` takes no lambda; is another function meant, such as `map` or `each`?"


def _template(case: Case) -> str:
    return "Name it as `module/file.epp`, kept in `module/templates`; the option --modulepath tells where."


def _permission(case: Case) -> str:
    name = case.found["permission"]
    return (
        f"Start `puppet-repl` with `--allow {name}`; for a notebook, set the environment variable"
        f" PUPPET_KERNEL_ALLOW={name} before Jupyter starts."
    )


ROWS: tuple[tuple[str, str, Help], ...] = (
    # arguments of calls
    ("'{function}' parameter '{parameter}' {reason}", "ARGUMENT_MISMATCH", _fitting),
    ("block parameter '{parameter}' {reason}", "ARGUMENT_MISMATCH", _block_type),
    (
        "The function '{function}' was called with arguments it does not accept. It expects one of:{reason}",
        "ARGUMENT_MISMATCH",
        "Compare the arguments with the forms above; `type($x)` tells what a value is.",
    ),
    ("'{function}' block expects {count}, got {number}", "LAMBDA_MISMATCH", _lambda),
    ("'{function}' expects a block", "LAMBDA_MISMATCH", _missing_lambda),
    ("'{function}' does not expect a block", "LAMBDA_MISMATCH", _unwanted_lambda),
    ("'{function}' expects {count}, got {number}", "ARGUMENT_COUNT", signature),
    ("{function}(): Wrong number of arguments{rest}", "ARGUMENT_COUNT", signature),
    ("{function}(): wrong number of arguments{rest}", "ARGUMENT_COUNT", signature),
    ("wrong number of arguments (given {rest}", "ARGUMENT_COUNT", signature),
    ("value returned from {function} has wrong type, {reason}", "RETURN_MISMATCH", None),
    # classes, defines and templates
    (
        "Attempt to assign to a reserved variable name: '{name}'",
        "ILLEGAL_RESERVED_ASSIGNMENT",
        "`${name}` is filled by Puppet itself; choose another name.",
    ),
    (
        "{function}() is switched off because it {reason}; the permission '{permission}' of the session{rest}",
        "NOT_PERMITTED",
        _permission,
    ),
    # the catalog
    (
        "{kind} {name} is private",
        "RUNTIME_ERROR",
        "Use the public class of the module; this one is for the module itself.",
    ),
    # types and conversions
    ("assert_type(): {reason}", "TYPE_MISMATCH", fit.advice),
    ("{function}: references an unresolved type '{name}'", "UNRESOLVED_TYPE", None),
    ("{function} has wrong type, {reason}", "TYPE_MISMATCH", fit.advice),
    # data
    (
        "The given data does not contain a Collection at {path}, got '{actual}'",
        "ARGUMENT_MISMATCH",
        "The path goes on where the data ends: look at the value with `notice(…)`.",
    ),
    (
        "The given data requires an Integer index at {path}, got '{actual}'",
        "ARGUMENT_MISMATCH",
        "There is an array: its elements are counted from 0.",
    ),
    (
        "'getvar' The given string does not start with a valid variable name",
        "ARGUMENT_MISMATCH",
        "Write the name without `$`: `getvar('facts.os.family')`.",
    ),
    ("comparison of {left} with {right} failed", "COMPARISON_NOT_POSSIBLE", None),
    ("{function}(): Can only compare values of the same type {rest}", "COMPARISON_NOT_POSSIBLE", None),
    ("Could not find template '{file}'", "FILE_NOT_FOUND", _template),
    ("Could not find any files from {file}", "FILE_NOT_FOUND", None),
    ("Could not find module {name} in environment {rest}", "FILE_NOT_FOUND", None),
    (
        "undefined method `{method}' for {rest}",
        "ARGUMENT_MISMATCH",
        "The function cannot work on this kind of value.",
    ),
    (
        "{function}() expects pattern of T{rest}",
        "ARGUMENT_MISMATCH",
        "Give a text, a regular expression or a list of them.",
    ),
    ("{function}(): {rest}", "ARGUMENT_MISMATCH", signature),
)

CODES = frozenset(code for _, code, _ in ROWS) | {"FAILED"}
