"""The values of Ruby expressions, as far as the text tells them."""

from __future__ import annotations

from typing import Any

from evaluator.resource_types.ruby.expressions import Node, block_of
from evaluator.resource_types.ruby.groups import Group, Parts
from evaluator.resource_types.ruby.values import Pattern, Unknown, answer, bounded, joined

MOST_STEPS = 50_000


class Returned(Exception):
    """A method has its value."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Function:
    """A method that a source defines, or a block: its parameters as source, and what it does."""

    __slots__ = ("body", "local", "module", "names", "parameters")

    def __init__(
        self, parameters: Parts, body: Parts, module: str, names: list[str] | None = None, local: Any = None
    ) -> None:
        self.parameters = parameters
        self.body = body
        self.module = module
        self.names = names
        self.local = local


class Scope:
    """Where statements stand.

    local   the local variables;  module  the module around, "A::B"
    target  what a declaration in it adds to: see `Follower.declared`;  file  the path of the source
    """

    __slots__ = ("file", "local", "module", "target")

    def __init__(self, file: str, module: str = "", target: Any = None, local: Any = None) -> None:
        self.file = file
        self.module = module
        self.target = target
        self.local: dict[str, Any] = {} if local is None else local


class Evaluator:
    """Gives the values of expressions; who follows statements adds what names and calls mean.

    constants  "A::B" -> value
    """

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}
        self._steps = 0

    def step(self) -> None:
        """Counts what is done. Raises Unknown when it becomes too much."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Unknown

    # --- what names and calls mean

    def called(
        self, scope: Scope, receiver: Node | None, name: str, arguments: list[Node], block: Group | None
    ) -> Any:
        """What a call gives. Raises Unknown."""
        raise Unknown

    def nested(self, group: Group, scope: Scope) -> Any:
        """The value of statements in brackets, or between a word and its `end`. Raises Unknown."""
        raise Unknown

    def more(self) -> bool:
        """Follows one source that another requires; false when there is none."""
        return False

    def kept(self, name: str, value: Any, scope: Scope) -> None:
        """A variable of a class is set."""

    # --- values

    def truth(self, node: Node, scope: Scope) -> bool:
        value = self.value(node, scope)
        return value is not None and value is not False

    def value(self, node: Node, scope: Scope) -> Any:
        """The value of an expression. Raises Unknown, Unreadable and Returned."""
        self.step()
        method = getattr(self, f"_value_{node[0]}", None)
        if method is None:
            raise Unknown
        return method(scope, *node[1:])

    def _value_value(self, scope: Scope, value: Any) -> Any:
        return value

    def _value_file(self, scope: Scope) -> str:
        return scope.file

    def _value_text(self, scope: Scope, parts: list[Any]) -> str:
        return joined([part if type(part) is str else self.value(part, scope) for part in parts])

    def _value_regexp(self, scope: Scope, parts: list[Any], flags: str) -> Pattern:
        return Pattern(self._value_text(scope, parts), flags)

    def _value_array(self, scope: Scope, items: list[Node]) -> list[Any]:
        return self.arguments(items, scope)

    def _value_hash(self, scope: Scope, pairs: list[Node]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for pair in pairs:
            if pair[0] == "splat":
                found.update(self.value(pair[1], scope))
            elif pair[0] == "pair":
                key = self.value(pair[1], scope)
                if type(key) not in (str, int, bool, type(None)):
                    raise Unknown
                found[key] = self.value(pair[2], scope)
            else:
                raise Unknown
        return found

    def arguments(self, nodes: list[Node], scope: Scope) -> list[Any]:
        """The values of arguments or elements; pairs become one hash at the end."""
        found: list[Any] = []
        pairs = [node for node in nodes if node[0] == "pair"]
        for node in nodes:
            if node[0] == "splat":
                value = self.value(node[1], scope)
                if not isinstance(value, list):
                    raise Unknown
                found += value
            elif node[0] == "block":
                raise Unknown
            elif node[0] != "pair":
                found.append(self.value(node, scope))
        bounded(found)
        return [*found, self._value_hash(scope, pairs)] if pairs else found

    def _value_group(self, scope: Scope, group: Group) -> Any:
        return self.nested(group, scope)

    def _value_name(self, scope: Scope, name: str) -> Any:
        if name in scope.local:
            return scope.local[name]
        return self.called(scope, None, name, [], None)

    def _value_constant(self, scope: Scope, name: str) -> Any:
        while True:
            around = scope.module.removesuffix("<<").split("::") if scope.module else []
            for length in range(len(around), -1, -1):
                full = "::".join([*around[:length], name])
                if full in self.constants:
                    return self.constants[full]
            if not self.more():
                raise Unknown

    def _value_set(self, scope: Scope, target: Node, operator: str, node: Node) -> Any:
        kind = target[0]
        if kind == "name":
            scope.local.pop(target[1], None) if not operator else None
        value = self.value(node, scope)
        if operator == "||":
            value = scope.local.get(target[1]) or value if kind == "name" else value
        elif operator:
            value = answer(self.value(target, scope), operator, [value])
        if kind == "name":
            scope.local[target[1]] = value
        elif kind == "constant":
            self.constants[f"{scope.module}::{target[1]}".removeprefix("::")] = value
        elif kind == "variable":
            self.kept(target[1], value, scope)
        elif kind == "call" and target[2] == "[]" and target[1] is not None:
            if target[1][0] == "name":  # what it holds now is not known
                scope.local.pop(target[1][1], None)
        else:
            raise Unknown
        return value

    def _value_and(self, scope: Scope, left: Node, right: Node) -> Any:
        return self.value(right, scope) if self.truth(left, scope) else False

    def _value_or(self, scope: Scope, left: Node, right: Node) -> Any:
        return self.value(left, scope) if self.truth(left, scope) else self.value(right, scope)

    def _value_not(self, scope: Scope, node: Node) -> bool:
        return not self.truth(node, scope)

    def _value_if(self, scope: Scope, condition: Node, yes: Node, no: Node | None) -> Any:
        chosen = yes if self.truth(condition, scope) else no
        return None if chosen is None else self.value(chosen, scope)

    def _value_return(self, scope: Scope, node: Node | None) -> Any:
        raise Returned(None if node is None else self.value(node, scope))

    def _value_lambda(self, scope: Scope, names: list[str], body: Group) -> Function:
        inner, parts = (names, body.parts) if names else block_of(body)
        return Function([], parts, scope.module, inner, scope.local)

    def _value_call(
        self, scope: Scope, receiver: Node | None, name: str, arguments: list[Node], block: Group | None
    ) -> Any:
        return self.called(scope, receiver, name, arguments, block)
