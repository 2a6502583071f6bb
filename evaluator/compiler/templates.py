"""EPP templates: parsed and compiled like any other code, rendered to a String."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.compiler.definitions import Body, parameters_of
from evaluator.compiler.emitter import Unit
from evaluator.compiler.reading import Reading
from evaluator.limits import NESTING, SOURCE
from evaluator.program import files
from evaluator.program.nesting import parse_bounded
from evaluator.program.scope import Scope
from lexer_parser.dialect import PUPPET
from lexer_parser.tree import nodes
from lexer_parser.validation.modules import module_parts

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


class Template:
    """A template ready to be rendered.

    parameters  its DefinitionParameters;  declares  true when it has a parameter list, even an empty one
    """

    __slots__ = ("body", "declares", "parameters")

    def __init__(self, runtime: Program, text: str, name: str | None) -> None:
        in_module = name is not None and module_parts(name, runtime.settings.modulepath) is not None
        dialect = PUPPET if in_module else runtime.dialect  # modules are written in the language as released

        def read(text: str) -> Reading:
            return Reading(parse_bounded(text, dialect, epp=True, name=name))

        purpose = "template", dialect.name, SOURCE.value, NESTING.value
        reading = read(text) if name is None else files.made_of(name, text, purpose, read)
        program = reading.program
        unit = Unit(runtime, reading, dialect)
        lambda_ = program.body
        assert isinstance(lambda_, nodes.Lambda) and isinstance(lambda_.body, nodes.Epp)
        self.parameters = parameters_of(unit, lambda_.parameters)
        self.declares = lambda_.body.parameters_given
        self.body = Body(unit, lambda_.body.body, template=True)

    def render(self, scope: Scope) -> Any:
        """The text, rendered in a scope that holds the parameters; Sensitive when a rendered value was."""
        return self.body(scope)
