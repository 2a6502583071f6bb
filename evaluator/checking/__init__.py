"""Static checks of names (functions, classes, types, attributes, variables) and of cycles.

Most programs use only built-in names, which are in tables, and names that they define. The rest of the package is
loaded to find other names in modules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evaluator import resource_types
from evaluator.calling.index import MODULES as MODULES_BY_FUNCTION
from evaluator.checking.joint_cycles import JointCycles, find_cycles
from evaluator.checking.names import PREDEFINED_VARIABLES, NameUse, ProgramNames, VariableScope
from evaluator.checking.relations import BodyOrders, collect_body_orders, find_evaluation_orders
from lexer_parser.check import find_problems
from lexer_parser.dialect import DIALECTS, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.validation.walk import Diagnostic

if TYPE_CHECKING:
    from evaluator.checking.symbols import Inputs, SymbolTable

# The data types that most programs use, so that few programs need all types to be loaded.
COMMON = frozenset(
    {
        *("any", "array", "boolean", "callable", "catalogentry", "class", "collection", "data", "default"),
        *("enum", "float", "hash", "integer", "notundef", "numeric", "optional", "pattern", "regexp"),
        *("resource", "scalar", "sensitive", "string", "struct", "tuple", "type", "undef", "variant"),
    }
)


def check(source: str, dialect: str = "spec", name: str | None = None, **settings: Any) -> list[Diagnostic]:
    """Return the errors and warnings of a manifest in the order of its text.

    Nothing is run. There are ten errors at most.

    Args:
        source: The manifest.
        dialect: The name of its dialect.
        name: The file to show in messages.
        **settings: Keyword arguments of `Session`, such as `modulepath`, `facts`, `environment` and `strict`.

    Raises:
        ValueError: The dialect or the environment does not exist.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
    checks = ProgramChecks([("code", source)], read_text, lambda: settings)
    language = DIALECTS[dialect]
    return find_problems(
        source,
        language,
        name,
        modulepath=[os.path.abspath(root) for root in settings.get("modulepath", ())],
        find_further=lambda program: checks.check(program, language, name and os.path.abspath(name)),
    )


def read_text(path: str) -> str:
    """Return the text of a file. Raise ValueError if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as problem:
        raise ValueError(f"cannot read {path}: {problem.strerror}") from None


class ProgramChecks:
    """The checks of programs that belong together, one after the other.

    Args:
        inputs: Pairs ("code", text) or ("file", path). Each can use the definitions of the others.
        read: Returns the text of a file; raises ValueError if it cannot be read.
        settings: Returns the keyword arguments of a Session: `modulepath`, `environment`, `facts` …

    Attributes:
        orders: The orders of the bodies in each file that was checked; those of another process can be added.
    """

    def __init__(
        self, inputs: Inputs, read: Callable[[str], str], settings: Callable[[], Mapping[str, Any]]
    ) -> None:
        self._inputs, self._read, self._settings = inputs, read, settings
        self.orders: dict[str, BodyOrders] = {}

    @cached_property
    def symbols(self) -> SymbolTable:
        """The names that can be used. Raises ValueError if the environment does not exist."""
        from evaluator.checking.symbols import SymbolTable

        return SymbolTable(self._inputs, self._read, self._settings())

    def check(self, program: nodes.Program, dialect: Dialect, path: str | None = None) -> list[Diagnostic]:
        """Return the errors in the names of a program, and the cycles that it certainly makes.

        For a program with a path, its orders are stored for `find_joint_cycles`.
        """
        names = ProgramNames(program)
        uses = [use for use in names.uses if not is_own_or_builtin(use, names)]
        diagnostics: list[Diagnostic] = []
        if uses:
            from evaluator.checking.name_checks import NameChecker

            checker = NameChecker(self.symbols, names, program.source, path, dialect)
            diagnostics += checker.check_names(uses)
        orders = collect_body_orders(program)
        if path is not None and program.source.name is not None:
            self.orders[program.source.name] = orders
        cyclic = [order for order in find_evaluation_orders(orders) if order.has_cycle]
        if cyclic:
            severity = "error" if dialect.is_released else "warning"
            diagnostics += (Diagnostic(cycle, severity) for cycle in find_cycles(cyclic, program.source))
        return diagnostics

    def find_joint_cycles(self) -> Iterator[tuple[str, PuppetError]]:
        """Yield the cycles that the checked files make together.

        Each comes with the name of the file that reports it.
        """
        files = self.orders
        if len(files) < 2 or not any(order.steps for orders in files.values() for order in orders.values()):
            return
        yield from JointCycles(files, self._read, self._settings().get("modulepath", ())).find_cycles()


def is_own_or_builtin(use: NameUse, names: ProgramNames) -> bool:
    """Return whether a name is the program's own or built in, and needs no further check."""
    match use.kind:
        case "variable":
            return _is_visible(use.name, use.body)
        case "function":
            return use.name in MODULES_BY_FUNCTION or ("function", use.name) in names.definitions
        case "data type":
            name = use.name.lower()
            is_builtin = name in COMMON or resource_types.is_known(name)
            return is_builtin or ("type", name) in names.definitions or ("define", name) in names.definitions
        case "type":
            return resource_types.is_known(use.name) or ("define", use.name) in names.definitions
        case "attribute":
            type_name, _ = use.owner
            own = resource_types.get_facts(type_name).attributes if resource_types.is_known(type_name) else ()
            return use.name in resource_types.METAPARAMETERS or use.name in own
        case _:  # "class" or "parent"
            return ("class", use.name) in names.definitions


def _is_visible(name: str, body: VariableScope | None) -> bool:
    """Return whether a variable is set in a body, in one around it, or by Puppet."""
    while body is not None:
        if name in body.variables:
            return True
        body = body.around
    return name in PREDEFINED_VARIABLES
