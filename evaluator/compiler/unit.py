"""What is known of a source in whatever program it stands: its tree, and the code that its parts have become.

Files of modules are read by one session after the other. What depends on nothing but their text is found out once:
a `CompiledSource` is shared by all that have read the same. Code also depends on what names mean when it is compiled;
it remembers what it has asked, and counts where the answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from evaluator.calling import registry
from evaluator.program.definitions import DefinitionParameter
from lexer_parser.dialect import Dialect
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def _find_builtin(program: Program, dialect: Dialect, name: str) -> registry.Function | None:
    """The built-in function of that name, if the dialect has it and the program defines none of that name."""
    if name in program.state.definitions.functions:
        return None
    found = registry.lookup(name)
    return found if found is not None and program.names.offers(found, dialect) else None


def _is_member(program: Program, dialect: Dialect, name: str) -> bool:
    return name in program.state.definitions.members


def _runs_ruby(program: Program, dialect: Dialect, name: str) -> bool:
    return program.names.runs_ruby(name)


# What compiled code may depend on, of a program: a word for the question, and what answers it.
_ASSUMPTIONS: dict[str, Callable[[Program, Dialect, str], Any]] = {
    "builtin": _find_builtin,
    "member": _is_member,
    "ruby": _runs_ruby,
}

Assumption = tuple[str, str]
# What a constant can be made of again: "value" and the node that is folded into it, "declared" and the lambda that
# declares it, "test" and the type that it is the test of.
Origin = tuple[str, Any]


def check_assumption(program: Program, dialect: Dialect, question: Assumption) -> Any:
    """What a program says to one of the questions, of a name."""
    return _ASSUMPTIONS[question[0]](program, dialect, question[1])


class CompiledCode:
    """A compiled part of a source, for any program that answers the same.

    constants  what the code finds under its global names;  asked  the questions with their answers
    origins    of some of the constants what they can be made of again
    """

    __slots__ = ("assumptions", "code", "constants", "defaults", "origins")

    def __init__(
        self,
        function: FunctionType,
        constants: dict[str, Any],
        assumptions: dict[Assumption, Any],
        origins: dict[str, Origin],
    ) -> None:
        self.code = function.__code__  # the function itself would hold on to its program
        self.defaults = function.__defaults__
        self.constants = constants
        self.assumptions = assumptions
        self.origins = origins

    def is_valid(self, program: Program, dialect: Dialect) -> bool:
        """Whether the code means the same in a program."""
        return all(
            check_assumption(program, dialect, question) is given
            for question, given in self.assumptions.items()
        )

    def bind(self, names: dict[str, Any]) -> FunctionType:
        """The Python function, with more global names."""
        return FunctionType(self.code, {**self.constants, **names}, self.code.co_name, self.defaults)


class CompiledSource:
    """A source as it was read.

    program    its tree
    nodes      the nodes by the places of the instructions that were made for them
    constants, matching  what is known of nodes, so that nested ones are not looked at again for each node around
               them
    codes      the code for a node, and what it is compiled as
    stored     code that was compiled by another process, and is made ready when it is first asked for
    parameters what makes the parameters of classes and defines for a Unit
    on_growth  called when there is new code
    """

    __slots__ = (
        *("compiled", "constants", "may_match", "nodes", "on_growth", "parameter_factories", "program"),
        "stored",
    )

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.nodes: dict[tuple[int, int, int, int], nodes.Node] = {}
        self.constants: dict[nodes.Node, Any] = {}
        self.may_match: dict[nodes.Node, bool] = {}
        self.compiled: dict[tuple[nodes.Node, str], CompiledCode] = {}
        self.stored: dict[tuple[nodes.Node, str], Callable[[Any], CompiledCode | None]] = {}
        self.parameter_factories: dict[nodes.Parameter, Callable[[Any], DefinitionParameter]] = {}
        self.on_growth: Callable[[CompiledSource], None] | None = None

    def find_code(self, node: nodes.Node, form: str, unit: Any) -> CompiledCode | None:
        """The code for a node, compiled as `form`, that is known.

        unit  the Unit that asks, with which stored code is made ready
        """
        known = self.compiled.get((node, form))
        if known is None and self.stored:
            make = self.stored.pop((node, form), None)
            known = None if make is None else make(unit)
            if known is not None:
                self.compiled[node, form] = known
        return known

    def add_code(self, node: nodes.Node, form: str, code: CompiledCode) -> None:
        """Keeps code that has been compiled."""
        self.compiled[node, form] = code
        if self.on_growth is not None:
            self.on_growth(self)
