"""Follows Ruby source as far as its text tells what it does: literals, local variables, constants, methods, loops.

Nothing outside is reached but other sources, through the function that finds them. What only a running Ruby could
tell raises `Unknown`; who follows the body of a class goes on with its next statement then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from evaluator.resource_types.ruby.evaluating import Evaluator, Function, Returned, Scope
from evaluator.resource_types.ruby.expressions import Node, block_of, parsed
from evaluator.resource_types.ruby.groups import Group, Parts, grouped, is_word, statements
from evaluator.resource_types.ruby.tokens import Lexer, Token, Unreadable
from evaluator.resource_types.ruby.values import Unknown, answer, call

# the path of a source from the folder of modules, and its text; None for what is not there
Find = Callable[[str], "tuple[str, str] | None"]

MOST_SOURCES = 30


class Follower(Evaluator):
    """Follows sources.

    modules  "A::B" -> the methods that it has: "self.x" are its own
    """

    def __init__(self, find: Find) -> None:
        super().__init__()
        self.find = find
        self.modules: dict[str, dict[str, Function]] = {}
        self._required: list[str] = []
        self._read: set[str] = set()

    # --- what the reader of types adds

    def declared(self, name: str, arguments: list[Node], block: Group | None, scope: Scope) -> Any:
        """What a call without receiver means that names no method; raises Unknown when it is not known."""
        raise Unknown

    def unclear(self, parts: Parts, scope: Scope) -> None:
        """A statement of a class that cannot be followed."""

    def sent(
        self, receiver: Node, name: str, arguments: list[Node], block: Group | None, scope: Scope
    ) -> Any:
        """What a call of a constant's function means; raises Unknown when it is not known."""
        raise Unknown

    # --- sources

    def source(self, path: str) -> None:
        """Follows a source, once."""
        if path in self._read or len(self._read) >= MOST_SOURCES:
            return
        self._read.add(path)
        found = self.find(path)
        if found is None:
            return
        self.file(*found)

    def file(self, path: str, text: str) -> None:
        """Follows a source. Raises Unreadable."""
        self.body(grouped(Lexer(text).read()), Scope(path))

    def more(self) -> bool:
        """Follows one source that another requires; false when there is none."""
        if not self._required:
            return False
        with contextlib.suppress(Unreadable):
            self.source(self._required.pop(0))
        return True

    # --- statements

    def body(self, parts: Parts, scope: Scope) -> None:
        """Follows the statements of a class or file; what cannot be followed is passed over."""
        for statement in statements(parts):
            try:
                self.statement(statement, scope)
            except (Unknown, Unreadable, Returned):
                self.unclear(statement, scope)

    def value_of(self, parts: Parts, scope: Scope) -> Any:
        """Follows the statements of a method or block; gives the value of the last. Raises Unknown."""
        value = None
        for statement in statements(parts):
            value = self.statement(statement, scope)
        return value

    def statement(self, parts: Parts, scope: Scope) -> Any:
        """Follows one statement and gives its value. Raises Unknown, Unreadable and Returned."""
        self.step()
        first = parts[0]
        if isinstance(first, Group) and len(parts) == 1 and first.kind.isalpha():
            method = getattr(self, f"_{first.kind}", None)
            if method is None:
                raise Unknown
            return method(first, scope)
        if is_word(first, "alias"):
            return None
        return self.value(parsed(parts), scope)

    def nested(self, group: Group, scope: Scope) -> Any:
        """The value of statements in brackets, or between a word and its `end`. Raises Unknown."""
        if group.kind == "(":
            return self.value_of(group.parts, scope)
        return self.statement([group], scope)

    def _def(self, group: Group, scope: Scope) -> None:
        head = next(statements(group.parts), [])
        own = len(head) > 2 and is_word(head[0], "self") and is_word(head[1], ".")
        if not head:
            raise Unreadable
        name = head[2] if own else head[0]
        if not isinstance(name, Token):
            raise Unreadable
        rest = head[3 if own else 1 :]
        parameters = rest[0].parts if rest and isinstance(rest[0], Group) and rest[0].kind == "(" else rest
        body = group.parts[len(head) :]
        own = own or scope.module.endswith("<<")
        module = scope.module.removesuffix("<<")
        function = Function(parameters, body, module)
        self.modules.setdefault(module, {})[f"{'self.' if own else ''}{name.value}"] = function

    def _module(self, group: Group, scope: Scope) -> None:
        head = next(statements(group.parts), [])
        if not head:
            raise Unreadable
        if is_word(head[0], "<<"):
            name = f"{scope.module}<<"
        else:
            path = "".join(str(part.value) for part in _until(head, "<") if isinstance(part, Token))
            name = f"{scope.module}::{path}".removeprefix("::")
            self.modules.setdefault(name, {})
        # what a class defines inside of a type is no part of the type, what a module around it has is
        target = scope.target if is_word(head[0], "<<") else None
        self.body(group.parts[len(head) :], Scope(scope.file, name, target, dict(scope.local)))

    _class = _module

    def _begin(self, group: Group, scope: Scope) -> Any:
        return self.value_of(_until(group.parts, "rescue", "ensure", "else"), scope)

    def _if(self, group: Group, scope: Scope) -> Any:
        condition, *rest = list(statements(group.parts)) or [[]]
        holds = self.truth(parsed(condition), scope) != (group.kind == "unless")
        value = None
        for statement in rest:
            if is_word(statement[0], "else", "elsif"):
                if holds:
                    return value
                holds = is_word(statement[0], "else") or self.truth(parsed(statement[1:]), scope)
                statement = statement[1:] if is_word(statement[0], "else") else []
            if holds and statement:
                value = self.statement(statement, scope)
        return value

    _unless = _if

    # --- calls

    def called(
        self, scope: Scope, receiver: Node | None, name: str, arguments: list[Node], block: Group | None
    ) -> Any:
        if block is None and arguments and arguments[-1][0] == "block":
            block = self.value(arguments[-1][1], scope)
            arguments = arguments[:-1]
            if not isinstance(block, Group):
                raise Unknown
        if receiver is None:
            if name in ("lambda", "proc") and block is not None:
                return self.value(("lambda", [], block), scope)
            if name in ("require", "require_relative", "load"):
                self._require(self.arguments(arguments, scope), name, scope)
                return None
            function = self.method(name, scope)
            if function is not None:
                return self.run(function, self.arguments(arguments, scope), scope, block)
            return self.declared(name, arguments, block, scope)
        if receiver[0] == "self":
            return self.called(scope, None, name, arguments, block)
        if receiver[0] == "constant" and (receiver[1], name) != ("Hash", "[]"):
            try:
                return self.sent(receiver, name, arguments, block, scope)
            except Unknown:
                if self._value_is_known(receiver[1], scope):
                    return self._send(self.value(receiver, scope), name, arguments, block, scope)
                raise
        return self._send(self.value(receiver, scope), name, arguments, block, scope)

    def _value_is_known(self, name: str, scope: Scope) -> bool:
        try:
            self._value_constant(scope, name)
        except Unknown:
            return False
        return True

    def _send(self, value: Any, name: str, arguments: list[Node], block: Group | None, scope: Scope) -> Any:
        if isinstance(value, Function) and name in ("call", "()"):
            return self.run(value, self.arguments(arguments, scope), scope)
        if block is None:
            return answer(value, name, self.arguments(arguments, scope))
        if isinstance(value, dict) and name in ("each", "each_pair", "map"):
            items: list[Any] = [list(pair) for pair in value.items()]
        elif isinstance(value, list) and name in ("each", "map", "select", "reject", "each_with_index"):
            items = [[item, index] for index, item in enumerate(value)] if "index" in name else value
        elif isinstance(value, dict) and name in ("each_key", "each_value"):
            items = list(value if name == "each_key" else value.values())
        else:
            raise Unknown
        names, parts = block_of(block)
        found = []
        for item in items:
            local = dict(scope.local)
            local.update(_bound(names, item))
            inner = Scope(scope.file, scope.module, scope.target, local)
            if name.startswith("each"):
                self.body(parts, inner)
            else:
                found.append(self.value_of(parts, inner))
        if name.startswith("each"):
            return value
        if name == "map":
            return found
        return [item for item, kept in zip(items, found, strict=True) if bool(kept) == (name == "select")]

    def method(self, name: str, scope: Scope) -> Function | None:
        """The method that a call without receiver names."""
        own = self.modules.get(scope.module.removesuffix("<<"), {})
        return own.get(f"self.{name}")

    def function_of(self, module: str, name: str, scope: Scope) -> Function | None:
        """The function that a module of the sources has."""
        while True:
            around = scope.module.removesuffix("<<").split("::") if scope.module else []
            for length in range(len(around), -1, -1):
                found = self.modules.get("::".join([*around[:length], module]), {}).get(f"self.{name}")
                if found is not None:
                    return found
            if not self.more():
                return None

    def module_of(self, name: str) -> dict[str, Function] | None:
        """The methods of a module; None when no source has it."""
        while name not in self.modules:
            if not self.more():
                return None
        while self.modules[name] == {} and self.more():
            pass
        return self.modules[name]

    def run(self, function: Function, arguments: list[Any], scope: Scope, block: Group | None = None) -> Any:
        """Calls a method or a lambda with values, a method with a block too. Raises Unknown."""
        if function.names is not None:
            local = {**function.local, **dict(zip(function.names, arguments, strict=False))}
        else:
            local = self._given(function.parameters, list(arguments), scope, block)
        inner = Scope(scope.file, function.module, scope.target, local)
        try:
            return self.value_of(function.body, inner)
        except Returned as found:
            return found.value

    def _given(
        self, parameters: Parts, arguments: list[Any], scope: Scope, block: Group | None
    ) -> dict[str, Any]:
        """The parameters of a method as local variables."""
        local: dict[str, Any] = {}
        for parameter in _split(parameters):
            first = parameter[0]
            if is_word(first, "*") and len(parameter) == 2 and isinstance(parameter[1], Token):
                local[str(parameter[1].value)] = arguments
                arguments = []
            elif is_word(first, "&") and len(parameter) == 2 and isinstance(parameter[1], Token):
                local[str(parameter[1].value)] = block
            elif isinstance(first, Token) and first.kind == "name" and (arguments or len(parameter) == 1):
                if not arguments:
                    raise Unknown
                local[str(first.value)] = arguments.pop(0)
            elif (
                isinstance(first, Token)
                and first.kind == "name"
                and len(parameter) > 1
                and is_word(parameter[1], "=")
            ):
                local[str(first.value)] = self.value(parsed(parameter[2:]), scope)
            else:
                raise Unknown
        if arguments:
            raise Unknown
        return local

    def _require(self, names: list[Any], how: str, scope: Scope) -> None:
        for name in names:
            if type(name) is not str:
                raise Unknown
            path = call("File", "expand_path", [name, scope.file.rpartition("/")[0]])
            self._required.append(path if how == "require_relative" else name)


def _until(parts: Parts, *words: str) -> Parts:
    """The parts before one of these words."""
    for index, part in enumerate(parts):
        if is_word(part, *words):
            return parts[:index]
    return parts


def _split(parts: Parts) -> list[Parts]:
    found: list[Parts] = [[]]
    for part in parts:
        if is_word(part, ","):
            found.append([])
        elif not (isinstance(part, Token) and part.kind == "line"):
            found[-1].append(part)
    return [item for item in found if item]


def _bound(names: list[str], item: Any) -> dict[str, Any]:
    """The parameters of a block that gets one item, which several parameters take apart."""
    if len(names) == 1:
        return {names[0]: item}
    parts = item if isinstance(item, list) else [item]
    return {name: parts[index] if index < len(parts) else None for index, name in enumerate(names)}
