"""The names that help can be asked about."""

from __future__ import annotations

from typing import Any

from evaluator.assistance.words import language_names
from evaluator.functions import names as functions
from evaluator.resource_types import METAPARAMETERS
from evaluator.resource_types import names as resource_types
from evaluator.types import names as types
from lexer_parser.dialect import SWITCHES


def topics(session: Any) -> list[str]:
    """The names of what a program has defined and of what the language has, but variables."""
    defined = session.runtime.state.definitions
    own = [*defined.classes, *defined.defines, *defined.functions]
    known = [*functions(), *types(session.runtime.dialect), *resource_types()]
    return [*own, *known, *sorted(METAPARAMETERS), *language_names(), *SWITCHES]
