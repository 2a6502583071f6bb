"""What helps with calls, where that depends on the case: which value, which lambda, which template."""

from __future__ import annotations

from evaluator.help import fit
from evaluator.help.case import Case, Subject
from evaluator.help.signatures import signature


def argument(case: Case) -> str | None:
    """For a value of the wrong type: how to make it fit, or how the function is called."""
    if case.found.get("expected") == "Resource" and case.error.suggestion:
        return f"A name that is no data type stands for resources: write `{case.error.suggestion}`."
    if not case.found.get("function"):  # the lambda of another function
        return (
            f"Leave the type of `${case.found['parameter']}` out, or convert the values before: "
            "`.map |$x| { … }`."
        )
    return fit.advice(case) or signature(case)


def lambda_parameters(case: Case) -> str:
    """For a lambda with another number of parameters: how many it has."""
    least, most = case.found["least"], case.found["most"]
    if least not in ("0", most) and most != "None":
        return "Give the lambda one parameter, `|$x|`, or two: `|$index, $x|`, of a hash `|$key, $value|`."
    wanted = "two parameters: `|$key, $value|`" if "2" in (least, most) else "one parameter: `|$x|`"
    return f"Give the lambda {wanted}."


def missing_lambda(case: Case) -> str | None:
    """The call with a lambda behind it."""
    receiver = Subject(case.places[-1].span.source, case.arguments[0]).text if case.arguments else None
    return f"Put a lambda behind it: `{receiver or '$list'}.{case.found['function']} |$x| {{ … }}`."
