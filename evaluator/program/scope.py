"""The scopes that hold variables while a program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext
    from evaluator.values.kind import Value

MISSING: Any = object()

# The language sets these variables itself: no assignment, parameter or template may set them.
RESERVED_NAMES = frozenset({"facts", "server_facts", "trusted"})

# The kinds of scopes that are part of the body around them, and the kinds that `return` and `next` end.
NESTED = frozenset({"local", "template"})
ENDED_EARLY = frozenset({"class", "define", "template"})


class Scope:
    """The variables of one body, and its relations to the scopes around it.

    Attributes:
        kind: "top", "class", "define", "node", "function", "local" (a lambda that needs names) or "template".
        name: The name of the class or define; "" elsewhere.
        parent: The scope where variables are looked up next: an inherited class, a node, top; None for top.
        caller: The scope that caused the evaluation: resource defaults are looked up along it.
        container: The key (type, title) of the resource that contains the resources declared here.
        defaults: The resource defaults set here, as type name -> attribute name -> value. The dict is replaced as a
            whole and never changed.
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
        self.variables: dict[str, Value] = {}
        self.defaults: dict[str, dict[str, Value]] = {}

    def twin(self) -> Scope:
        """Return a copy of the scope without variables."""
        twin = Scope.__new__(Scope)
        for slot in Scope.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.variables = {}
        return twin

    def miss(self, name: str) -> Value:
        """Return the value of a qualified variable of this scope that is not set here, or MISSING."""
        return MISSING

    def find(self, name: str) -> Value:
        """Return the value of an unqualified variable as seen from here, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.variables.get(name, MISSING)
            if value is not MISSING:
                return value
            scope = scope.parent
        return MISSING
