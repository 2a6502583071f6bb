"""Constructors: the functions that make the values of a type for `new`.

A constructor is declared by rows of parameters, with the texts of types that the released Puppet lists in a message.
`Formats = Variant[String, Array[String]]` in such a text names a type, and the other texts of the constructor may
contain the name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, NoReturn

from evaluator.calling.registry import BuiltinFunction, Overload
from evaluator.calling.signatures import Signature, SignatureParameter, parse_named_type, parse_named_types
from evaluator.types import Type, get_predicate
from evaluator.values.kind import Value


class ParameterRow(NamedTuple):
    """A parameter of a constructor.

    Attributes:
        text: Its type in Puppet's notation, as messages list it.
        name: Its name.
        mode: "" for a required parameter and "?" for an optional one.
        type: Its Type, if that differs from the text; None to parse the text.
    """

    text: str
    name: str
    mode: str
    type: Type | None = None


class Constructor:
    """A constructor of values.

    It calls the body of the first signature that takes the arguments.

    Attributes:
        name: The name in errors: `new_timespan`.
        rows: For each signature its parameters, and the Python function that makes the value.
    """

    def __init__(
        self,
        name: str,
        *rows: tuple[
            Sequence[tuple[str, str, str] | tuple[str, str, str, Type | None]], Callable[..., Value]
        ],
    ) -> None:
        """Make a constructor.

        Args:
            rows: For each signature the fields of a `ParameterRow` for each parameter, and the Python function.
        """
        self.name = name
        self.rows = [([ParameterRow(*fields) for fields in parameters], body) for parameters, body in rows]

    @cached_property
    def function(self) -> BuiltinFunction:
        """The function with the same signatures, which is the subject of failures."""
        function = BuiltinFunction(self.name, "conversions", "puppet", "")
        names = parse_named_types(
            row.text for parameters, _ in self.rows for row in parameters if row.type is None
        )
        for parameters, body in self.rows:
            declared = [
                SignatureParameter(
                    row.text,
                    row.name,
                    row.mode,
                    parse_named_type(row.text, names) if row.type is None else row.type,
                )
                for row in parameters
            ]
            signature = Signature(self.name, declared, None, "")
            function.overloads.append(Overload(signature, body, context=False, switch=""))
        return function

    @cached_property
    def _tests(self) -> list[tuple[int, tuple[Callable[[Value], bool], ...], Callable[..., Value]]]:
        """For each signature the least number of arguments, their tests, and the Python function."""
        return [
            (
                overload.signature.min,
                tuple(get_predicate(parameter.type) for parameter in overload.signature.parameters),
                overload.body,
            )
            for overload in self.function.overloads
        ]

    @property
    def signatures(self) -> list[Signature]:
        """The signatures of the constructor."""
        return [overload.signature for overload in self.function.overloads]

    def __call__(self, args: Sequence[Value]) -> Value:
        """Make a value. Raises Failure when no signature takes the arguments."""
        count = len(args)
        for least, tests, body in self._tests:
            if least <= count <= len(tests):
                # an optional parameter may have no argument
                for test, arg in zip(tests, args, strict=False):
                    if not test(arg):
                        break
                else:
                    return body(*args)
        self.refuse(args)

    def make_rules(
        self, make: Callable[[list[Value]], Value] | None = None
    ) -> dict[str, Callable[..., Value]]:
        """Return the rules `new` and `signatures` of a kind of values, for `Kind.set_rules`.

        Args:
            make: Makes a value faster than the constructor itself; None to call the constructor.
        """
        make = make or self
        return {
            "new": lambda type, args, runtime: make(args),
            "signatures": lambda type: self.signatures,
        }

    def refuse(self, args: Sequence[Value]) -> NoReturn:
        """Raise the Failure that describes why no signature takes the arguments."""
        from evaluator.calling.call_mismatches import make_call_failure

        raise make_call_failure(self.function, None, args, None)
