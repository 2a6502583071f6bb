"""Scopes: where variables live while a program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext

MISSING: Any = object()

# What the language fills itself: no assignment, parameter or template may set it.
RESERVED_NAMES = frozenset({"facts", "server_facts", "trusted"})

# The kinds of scopes that are a part of the body around them, and of those that `return` and `next` end.
NESTED = frozenset({"local", "template"})
ENDED_EARLY = frozenset({"class", "define", "template"})


class Scope:
    """Variables of one body, and what its evaluation knows about its surroundings.

    kind       "top", "class", "define", "node", "function", "local" (a lambda that needs names) or "template"
    name       the class or define name, "" elsewhere
    parent     where variables are looked up next: an inherited class, a node, top; None for top
    caller     the scope that caused the evaluation: resource defaults are looked up along it
    container  key (type, title) of the resource that contains what is declared here
    defaults   resource defaults set here: type name -> attribute name -> value; exchanged as a whole, never changed
    """

    __slots__ = (
        "caller",
        "container",
        "defaults",
        "kind",
        "module_name",
        "name",
        "parent",
        "runtime",
        "variables",
    )

    def __init__(
        self,
        runtime: ProgramContext,
        kind: str,
        name: str = "",
        *,
        parent: Scope | None = None,
        caller: Scope | None = None,
        container: tuple[str, str] = ("class", "main"),
        module_name: str = "",
    ) -> None:
        self.runtime = runtime
        self.kind = kind
        self.name = name
        self.parent = parent
        self.caller = caller
        self.container = container
        self.module_name = module_name
        self.variables: dict[str, Any] = {}
        self.defaults: dict[str, dict[str, Any]] = {}

    def twin(self) -> Scope:
        """The same scope, in which no variable is set yet."""
        twin = Scope.__new__(Scope)
        for slot in Scope.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.variables = {}
        return twin

    def miss(self, name: str) -> Any:
        """What a variable of this scope is that has no value here and is read by its qualified name; or MISSING."""
        return MISSING

    def find(self, name: str) -> Any:
        """The value of an unqualified variable as seen from here, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.variables.get(name, MISSING)
            if value is not MISSING:
                return value
            scope = scope.parent
        return MISSING
