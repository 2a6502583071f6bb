"""Compiled sources: the parts of the compilation of a source that every program can share.

Files of modules are used by one session after another. What depends on their text only is computed once, in a
`CompiledSource`. Code also depends on other properties of the program, for example whether a function is built in;
compiled code records them as assumptions, each with its value, and is valid in every program with the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from evaluator.calling import registry
from evaluator.program.definitions import DefinitionParameter
from evaluator.types import Type
from lexer_parser.dialect import Dialect
from lexer_parser.record import Record, fresh
from lexer_parser.tree.nodes import Node, Parameter, Program

if TYPE_CHECKING:
    from evaluator.compiler.emitter import CompilationUnit
    from evaluator.running.runtime import Runtime


def _find_builtin(program: Runtime, dialect: Dialect, name: str) -> registry.BuiltinFunction | None:
    """Return the built-in function of a name; None if the dialect or the program hides it."""
    if name in program.state.definitions.functions:
        return None
    found = registry.find_function(name)
    return found if found is not None and program.names.offers(found, dialect) else None


def _may_be_member(program: Runtime, dialect: Dialect, name: str) -> bool:
    """Return True if the first argument may be an object with a method of a name.

    A loaded type has such a method; or a type of a module may have it, and the built-in function of the name accepts
    any value. Other built-in functions reject objects, and then the method is called, see `calling.dispatch.reject`.
    """
    if name in program.state.definitions.members:
        return True
    found = registry.find_function(name) if program.settings.modulepath else None
    return found is not None and found.takes_any


# The kinds of assumptions, each with the function that finds the value for a name in a program, for code of a dialect.
_FINDERS: dict[str, Callable[[Runtime, Dialect, str], AssumedValue]] = {
    "builtin": _find_builtin,
    "member": _may_be_member,
    "ruby": lambda program, dialect, name: program.names.ruby_functions.has_function(name),
    "alias": lambda program, dialect, name: program.names.find_alias(name),
}

# A kind, which is a key of `_FINDERS`, and a name.
Assumption = tuple[str, str]
# The value of an assumption: the built-in function, the type of the alias, or the answer to a question of yes or no.
AssumedValue = registry.BuiltinFunction | Type | bool | None
# Globals of compiled code: support functions, constants and declarations.
Globals = dict[str, Any]
# How another process can make a global again: a word and what belongs to it. The words are "value" with the node that
# was folded, "declared" with the lambda, and "test" with the type that is tested.
Origin = tuple[str, Any]


def find_assumed_value(program: Runtime, dialect: Dialect, assumption: Assumption) -> AssumedValue:
    """Return the value of an assumption in a program."""
    kind, name = assumption
    return _FINDERS[kind](program, dialect, name)


def do_assumptions_hold(
    program: Runtime, dialect: Dialect, assumptions: dict[Assumption, AssumedValue]
) -> bool:
    """Return True if all assumptions have the same values in a program as recorded."""
    return all(_FINDERS[kind](program, dialect, name) is value for (kind, name), value in assumptions.items())


class CompiledCode(Record):
    """A compiled part of a source, valid in every program in which its assumptions hold.

    It has the code, not the Python function, because that would keep the program alive in which it was compiled.

    Attributes:
        constants: The values of its globals.
        assumptions: The assumptions on which the code depends, with their values.
        origins: How another process can recreate some of the constants.
    """

    code: CodeType
    defaults: tuple[Any, ...] | None
    constants: Globals
    assumptions: dict[Assumption, AssumedValue]
    origins: dict[str, Origin]

    def bind(self, names: Globals) -> FunctionType:
        """Return the Python function with further globals."""
        return FunctionType(self.code, {**self.constants, **names}, self.code.co_name, self.defaults)


class CompiledSource(Record):
    """A parsed source with the code of its parts.

    Attributes:
        tree: The syntax tree.
        nodes: The node that was compiled at each position: line, column, last line and last column.
        constants: A cache of the constant values of nodes, so that nested nodes are not analysed repeatedly.
        may_match: A cache of the nodes that may set match variables.
        compiled: The code for each node and form: "body", "template", "" for a part of a body, ….
        stored: Functions that load code which another process has compiled, by node and form.
        parameters: Lists of parameters by their first one. A type or default that differs in each program is
            NOT_CONSTANT.
        types: The types of parameters that are not constant, each with the aliases to which it refers.
        on_growth: Called after code was added; None if nobody stores the code.
    """

    tree: Program
    nodes: dict[tuple[int, int, int, int], Node] = fresh(factory=dict)
    constants: dict[Node, Any] = fresh(factory=dict)
    may_match: dict[Node, bool] = fresh(factory=dict)
    compiled: dict[tuple[Node, str], CompiledCode] = fresh(factory=dict)
    stored: dict[tuple[Node, str], Callable[[Any], CompiledCode | None]] = fresh(factory=dict)
    parameters: dict[Parameter, tuple[DefinitionParameter, ...]] = fresh(factory=dict)
    types: dict[Node, tuple[Any, dict[str, Any]]] = fresh(factory=dict)
    on_growth: Callable[[CompiledSource], None] | None = None

    def find_code(self, node: Node, form: str, unit: CompilationUnit) -> CompiledCode | None:
        """Return the code for a node in a form; None if it is not compiled yet.

        Args:
            unit: The CompilationUnit with which stored code is loaded.
        """
        code = self.compiled.get((node, form))
        if code is None and self.stored:
            load = self.stored.pop((node, form), None)
            code = None if load is None else load(unit)
            if code is not None:
                self.compiled[node, form] = code
        return code

    def add_code(self, node: Node, form: str, code: CompiledCode) -> None:
        """Add code that has been compiled."""
        self.compiled[node, form] = code
        if self.on_growth is not None:
            self.on_growth(self)
