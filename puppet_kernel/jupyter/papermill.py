"""Parameters in Puppet for notebooks that papermill runs.

papermill registers translators only through code. It loads engines through entry points; therefore this module is the
entry point of an engine "puppet", and registers the translator when it is imported.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

from evaluator import Session
from evaluator.values import format_literal
from evaluator.values.printing import quote_double
from lexer_parser import SPEC, PuppetError
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.jupyter.parameters import parse_assignments

_NAME = re.compile(r"(?:::)?(?:[a-z_]\w*::)*[a-z_]\w*", re.ASCII)
_SECONDS = 1.0  # the time for evaluating a default value, whose notebook has not run yet
KERNELS = ("puppet", "puppet-released")  # the first name is also that of the language


class PuppetTranslator(Translator):
    """A translator of parameters to assignments: `$name = 'value'`."""

    @classmethod
    def translate(cls, val: Any) -> str:
        """Return a value of JSON or YAML as a Puppet literal; other values as their text.

        Raises:
            PapermillException: The value is a number without a literal in Puppet.
        """
        return _to_puppet_code(val)

    @classmethod
    def comment(cls, cmt_str: str) -> str:
        """Return a line as a comment."""
        return f"# {cmt_str}".strip()

    @classmethod
    def assign(cls, name: str, str_val: str) -> str:
        """Return the assignment of a variable; raise PapermillException for a wrong name."""
        if not _NAME.fullmatch(name):
            raise PapermillException(f"{name!r} cannot be the name of a variable in Puppet")
        return f"${name} = {str_val}"

    @classmethod
    def inspect(cls, parameters_cell: Any) -> list[Parameter]:
        """Return the parameters of a cell with their defaults and types.

        A comment behind one is its help.
        """
        source = ParsedInput(parameters_cell["source"], COMMANDS.takes_code).code
        try:
            _, assignments = parse_assignments(source, SPEC)
        except PuppetError:
            return []
        return [
            Parameter(name, _find_type(default.text), default.text, _find_comment(source[default.end :]))
            for name, default in assignments.items()
        ]


class PuppetEngine(NBClientEngine):
    """The default engine of papermill, under the name that makes it load this module."""


def _find_type(default: str) -> str:
    """Return the name of a default's type.

    It is "None", papermill's word for an unknown type, if the default is computed from other variables.
    """
    outcome = Session(interactive=True, limits={"max_seconds": _SECONDS}).run(default)
    computed = outcome.error is not None or outcome.value is None
    return "None" if computed else re.split(r"\W", outcome.type, maxsplit=1)[0]


def _find_comment(rest: str) -> str:
    """Return the comment behind a default; `rest` is the text after the default."""
    return rest.split("\n", 1)[0].lstrip("; \t").removeprefix("#").strip()


def _to_puppet_code(value: Any) -> str:
    """Return a value of JSON or YAML as code."""
    match value:
        case dict():
            pairs = (f"{_to_puppet_code(key)} => {_to_puppet_code(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list() | tuple():
            return f"[{', '.join(map(_to_puppet_code, value))}]"
        case float():
            if not isfinite(value):
                raise PapermillException(f"{value} is not a number in Puppet")
            # Puppet displays an exponent as `e+`, but reads it only without `+`.
            return format_literal(value).replace("e+", "e")
        case None | bool() | int():
            return format_literal(value)
    text = value if isinstance(value, str) else str(value)
    return quote_double(text) if "\\" in text else format_literal(text)


for _name in KERNELS:
    papermill_translators.register(_name, PuppetTranslator)
