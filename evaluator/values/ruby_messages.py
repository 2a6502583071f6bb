"""What messages of the released implementation say of values, in its notation."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure
from evaluator.values.printing import to_ruby_text
from evaluator.values.ruby_classes import get_ruby_class


def inspect_for_message(value: Any) -> str:
    """A value as messages show it: `"a"`, `nil`, `[1, nil]`, `{"a"=>1}`."""
    return to_ruby_text([value])[1:-1]


def make_no_method_failure(method: str, value: Any) -> Failure:
    """The failure of a function that asks a value for what it has not."""
    return Failure(
        "UNDEFINED_METHOD", method=method, value=f"{inspect_for_message(value)}:{get_ruby_class(value)}"
    )


def make_no_string_failure(name: str, type: str = "String") -> Failure:
    """The failure of a function that needs a String, or another type, and got a value of the class `name`."""
    return Failure("NO_IMPLICIT_CONVERSION", actual=name, type=type)


def make_wrong_type_failure(function: str, which: str, expected: str) -> Failure:
    """The failure of a function one of whose arguments is something else than it must be."""
    return Failure("ARGUMENT_MUST_BE", function=function, which=which, expected=expected)
