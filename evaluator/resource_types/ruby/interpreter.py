"""The values of Ruby expressions, as far as the text tells them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from evaluator.resource_types.ruby.lexer import (
    Group,
    Lexer,
    Parts,
    Token,
    Unreadable,
    grouped,
    is_word,
    statements,
)
from evaluator.resource_types.ruby.parser import Node, block_of, parsed
from evaluator.resource_types.ruby.values import Pattern, Unknown, answer, bounded, call, joined

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


# --- Follows Ruby source as far as its text tells what it does: literals, local variables, constants, methods, loops.


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
