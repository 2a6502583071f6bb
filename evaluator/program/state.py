"""The state of a session, copied before each cell, so that a cell happens whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.program.definitions import Definition
from evaluator.program.scope import Scope

if TYPE_CHECKING:
    from evaluator.catalog.model import Catalog
    from evaluator.compiler.functions import UserFunction


class Definitions:
    """Everything defined so far, by kind and name.

    functions  name -> UserFunction;  types  name (lower case) -> alias Type or its declaration
    members    the names that the definitions of Object types declare
    """

    __slots__ = ("classes", "defines", "functions", "loaded", "members", "nodes", "types")

    def __init__(self) -> None:
        self.classes: dict[str, Definition] = {}
        self.defines: dict[str, Definition] = {}
        self.functions: dict[str, UserFunction] = {}
        self.types: dict[str, Any] = {}
        self.nodes: list[Definition] = []
        self.loaded: set[str] = set()
        self.members: set[str] = set()

    def copy(self) -> Definitions:
        """A copy that can grow on its own."""
        twin = Definitions()
        twin.classes = dict(self.classes)
        twin.defines = dict(self.defines)
        twin.functions = dict(self.functions)
        twin.types = dict(self.types)
        twin.nodes = list(self.nodes)
        twin.loaded = set(self.loaded)
        twin.members = set(self.members)
        return twin


class State:
    """Variables, definitions and catalog at one moment.

    top      the top scope;  classes  name -> Scope of each evaluated class
    match    the regular expression match behind $0, $1, … at top level
    warned   what `deprecation` has logged a warning for
    """

    __slots__ = ("catalog", "classes", "definitions", "match", "top", "warned")

    def __init__(self, top: Scope, catalog: Catalog) -> None:
        self.top = top
        self.catalog = catalog
        self.classes: dict[str, Scope] = {}
        self.definitions = Definitions()
        self.match: Any = None
        self.warned: set[str] = set()

    def copy(self) -> State:
        """A state that can change without changing this one. Values are shared, they never change."""
        twin = State(self.top.copy(), self.catalog.copy())
        twin.classes = dict(self.classes)
        twin.warned = set(self.warned)
        twin.definitions = self.definitions.copy()
        twin.match = self.match
        return twin
