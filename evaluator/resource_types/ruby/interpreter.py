"""An interpreter of the part of Ruby that sources of resource types use.

It evaluates literals, variables, constants, methods and loops, and reads nothing but other sources, through the
function that finds them. An expression that only a running Ruby could compute raises `UnknownValue`; in the body of a
class, the interpreter then continues with the next statement.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from evaluator.resource_types.ruby.lexer import (
    Parts,
    RubyLexer,
    RubyToken,
    TokenGroup,
    UnsupportedSyntax,
    group_tokens,
    is_word,
    split_statements,
)
from evaluator.resource_types.ruby.parser import Node, parse_statement, split_block
from evaluator.resource_types.ruby.values import (
    RubyRegexp,
    UnknownValue,
    call_class_method,
    call_method,
    check_size,
    join_parts,
)

# returns the path of a source, from the folder of modules, and its text; None for a source that does not exist
FindSource = Callable[[str], "tuple[str, str] | None"]
Variables = dict[str, object]

MAX_SOURCES = 30
MAX_STEPS = 50_000


class MethodReturn(Exception):
    """The end of a method by `return`, or of a block by `next`."""

    def __init__(self, value: object) -> None:
        self.value = value


class RubyCallable:
    """A method of a source, or a block: its parameters as source, and its body.

    `names` are the parameters of a block, None for a method; `variables` are those that a block encloses.
    """

    __slots__ = ("body", "module", "names", "parameters", "variables")

    def __init__(
        self,
        parameters: Parts,
        body: Parts,
        module: str,
        names: list[str] | None = None,
        variables: Variables | None = None,
    ) -> None:
        self.parameters = parameters
        self.body = body
        self.module = module
        self.names = names
        self.variables = variables or {}


class RubyScope:
    """The context of a statement.

    Attributes:
        file: The path of the source.
        module: The module around it, "A::B"; it ends with "<<" inside `class << self`.
        target: What a declaration adds to, see `RubyInterpreter.evaluate_declaration`.
        variables: The local variables.
    """

    __slots__ = ("file", "module", "target", "variables")

    def __init__(
        self, file: str, module: str = "", target: object = None, variables: Variables | None = None
    ) -> None:
        self.file = file
        self.module = module
        self.target = target
        self.variables: Variables = {} if variables is None else variables


class RubyInterpreter:
    """The state of the interpreter: constants, and the methods of each module by name.

    A subclass overrides `evaluate_declaration`, `call_on_constant`, `set_variable` and `handle_unknown`.
    """

    def __init__(self, find_source: FindSource) -> None:
        self.find_source = find_source
        self.constants: Variables = {}
        self.modules: dict[str, dict[str, RubyCallable]] = {}
        self._required: list[str] = []
        self._loaded: set[str] = set()
        self._steps = 0

    def evaluate_declaration(
        self, name: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> object:
        """Evaluate a call without receiver that names no method. Raises UnknownValue."""
        raise UnknownValue

    def call_on_constant(
        self, receiver: Node, name: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> object:
        """Evaluate a call of a constant's method. Raises UnknownValue."""
        raise UnknownValue

    def set_variable(self, name: str, value: object, scope: RubyScope) -> None:
        """Set an instance variable, such as `@isomorphic`."""

    def handle_unknown(self, parts: Parts, scope: RubyScope) -> None:
        """Handle a statement in the body of a class that cannot be evaluated."""

    # --- sources

    def load_source(self, path: str) -> None:
        """Run a source, once."""
        if path in self._loaded or len(self._loaded) >= MAX_SOURCES:
            return
        self._loaded.add(path)
        found = self.find_source(path)
        if found is not None:
            self.run_source(*found)

    def run_source(self, path: str, text: str) -> None:
        """Run the text of a source. Raises UnsupportedSyntax."""
        self.run_body(group_tokens(RubyLexer(text).read()), RubyScope(path))

    def load_required(self) -> bool:
        """Run the next source that `require` has named; return whether there was one."""
        if not self._required:
            return False
        with contextlib.suppress(UnsupportedSyntax):
            self.load_source(self._required.pop(0))
        return True

    def _require(self, names: list[object], form: str, scope: RubyScope) -> None:
        for name in names:
            if type(name) is not str:
                raise UnknownValue
            path = call_class_method("File", "expand_path", [name, scope.file.rpartition("/")[0]])
            self._required.append(str(path) if form == "require_relative" else name)

    # --- statements

    def run_body(self, parts: Parts, scope: RubyScope) -> None:
        """Run the statements of a class or file; skip those that cannot be evaluated."""
        for statement in split_statements(parts):
            try:
                self.run_statement(statement, scope)
            except (UnknownValue, UnsupportedSyntax, MethodReturn):
                self.handle_unknown(statement, scope)

    def run_statements(self, parts: Parts, scope: RubyScope) -> object:
        """Run the statements of a method or block; return the value of the last.

        Raises UnknownValue.
        """
        value = None
        for statement in split_statements(parts):
            value = self.run_statement(statement, scope)
        return value

    def run_statement(self, parts: Parts, scope: RubyScope) -> object:
        """Run one statement and return its value.

        Raises UnknownValue, UnsupportedSyntax and MethodReturn.
        """
        self._count_step()
        first = parts[0]
        if isinstance(first, TokenGroup) and len(parts) == 1 and first.kind.isalpha():
            method = getattr(self, f"_run_{first.kind}", None)
            if method is None:
                raise UnknownValue
            return method(first, scope)
        if is_word(first, "alias"):
            return None
        return self.evaluate(parse_statement(parts), scope)

    def _count_step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise UnknownValue

    def _run_def(self, group: TokenGroup, scope: RubyScope) -> None:
        head = next(split_statements(group.parts), [])
        own = len(head) > 2 and is_word(head[0], "self") and is_word(head[1], ".")
        if not head:
            raise UnsupportedSyntax
        name = head[2] if own else head[0]
        if not isinstance(name, RubyToken):
            raise UnsupportedSyntax
        rest = head[3 if own else 1 :]
        in_brackets = bool(rest) and isinstance(rest[0], TokenGroup) and rest[0].kind == "("
        parameters = rest[0].parts if in_brackets and isinstance(rest[0], TokenGroup) else rest
        own = own or scope.module.endswith("<<")
        module = scope.module.removesuffix("<<")
        function = RubyCallable(parameters, group.parts[len(head) :], module)
        self.modules.setdefault(module, {})[f"{'self.' if own else ''}{name.value}"] = function

    def _run_module(self, group: TokenGroup, scope: RubyScope) -> None:
        head = next(split_statements(group.parts), [])
        if not head:
            raise UnsupportedSyntax
        if is_word(head[0], "<<"):
            name = f"{scope.module}<<"
        else:
            path = "".join(
                str(part.value) for part in _parts_before(head, "<") if isinstance(part, RubyToken)
            )
            name = f"{scope.module}::{path}".removeprefix("::")
            self.modules.setdefault(name, {})
        # what a class inside a type defines does not belong to the type; `class << self` does
        target = scope.target if is_word(head[0], "<<") else None
        inner = RubyScope(scope.file, name, target, dict(scope.variables))
        self.run_body(group.parts[len(head) :], inner)

    _run_class = _run_module

    def _run_begin(self, group: TokenGroup, scope: RubyScope) -> object:
        return self.run_statements(_parts_before(group.parts, "rescue", "ensure", "else"), scope)

    def _run_if(self, group: TokenGroup, scope: RubyScope) -> object:
        condition, *rest = list(split_statements(group.parts)) or [[]]
        holds = self.is_true(parse_statement(condition), scope) != (group.kind == "unless")
        value = None
        for statement in rest:
            if is_word(statement[0], "else", "elsif"):
                if holds:
                    return value
                last = is_word(statement[0], "else")
                holds = last or self.is_true(parse_statement(statement[1:]), scope)
                statement = statement[1:] if last else []
            if holds and statement:
                value = self.run_statement(statement, scope)
        return value

    _run_unless = _run_if

    # --- expressions

    def is_true(self, node: Node, scope: RubyScope) -> bool:
        value = self.evaluate(node, scope)
        return value is not None and value is not False

    def evaluate(self, node: Node, scope: RubyScope) -> object:
        """Return the value of an expression.

        Raises UnknownValue, UnsupportedSyntax and MethodReturn.
        """
        self._count_step()
        method = getattr(self, f"_evaluate_{node[0]}", None)
        if method is None:
            raise UnknownValue
        return method(scope, *node[1:])

    def _evaluate_value(self, scope: RubyScope, value: object) -> object:
        return value

    def _evaluate_file(self, scope: RubyScope) -> str:
        return scope.file

    def _evaluate_text(self, scope: RubyScope, parts: list[str | Node]) -> str:
        return join_parts([part if isinstance(part, str) else self.evaluate(part, scope) for part in parts])

    def _evaluate_regexp(self, scope: RubyScope, parts: list[str | Node], flags: str) -> RubyRegexp:
        return RubyRegexp(self._evaluate_text(scope, parts), flags)

    def _evaluate_array(self, scope: RubyScope, items: list[Node]) -> list[object]:
        return self.evaluate_arguments(items, scope)

    def _evaluate_hash(self, scope: RubyScope, pairs: list[Node]) -> dict[object, object]:
        found: dict[object, object] = {}
        for pair in pairs:
            if pair[0] == "splat":
                value = self.evaluate(pair[1], scope)
                if not isinstance(value, dict):
                    raise UnknownValue
                found.update(value)
            elif pair[0] == "pair":
                key = self.evaluate(pair[1], scope)
                if type(key) not in (str, int, bool, type(None)):
                    raise UnknownValue
                found[key] = self.evaluate(pair[2], scope)
            else:
                raise UnknownValue
        return found

    def evaluate_arguments(self, nodes: list[Node], scope: RubyScope) -> list[object]:
        """Return the values of arguments or elements; pairs become one hash at the end."""
        found: list[object] = []
        pairs = [node for node in nodes if node[0] == "pair"]
        for node in nodes:
            if node[0] == "splat":
                value = self.evaluate(node[1], scope)
                if not isinstance(value, list):
                    raise UnknownValue
                found += value
            elif node[0] == "block":
                raise UnknownValue
            elif node[0] != "pair":
                found.append(self.evaluate(node, scope))
        check_size(found)
        return [*found, self._evaluate_hash(scope, pairs)] if pairs else found

    def _evaluate_group(self, scope: RubyScope, group: TokenGroup) -> object:
        if group.kind == "(":
            return self.run_statements(group.parts, scope)
        return self.run_statement([group], scope)

    def _evaluate_name(self, scope: RubyScope, name: str) -> object:
        if name in scope.variables:
            return scope.variables[name]
        return self.evaluate_call(scope, None, name, [], None)

    def _evaluate_constant(self, scope: RubyScope, name: str) -> object:
        while True:
            for full in _qualified_names(scope, name):
                if full in self.constants:
                    return self.constants[full]
            if not self.load_required():
                raise UnknownValue

    def _evaluate_set(self, scope: RubyScope, target: Node, operator: str, node: Node) -> object:
        kind = target[0]
        if kind == "name" and not operator:
            scope.variables.pop(target[1], None)
        value = self.evaluate(node, scope)
        if operator == "||":
            value = scope.variables.get(target[1]) or value if kind == "name" else value
        elif operator:
            value = call_method(self.evaluate(target, scope), operator, [value])
        if kind == "name":
            scope.variables[target[1]] = value
        elif kind == "constant":
            self.constants[f"{scope.module}::{target[1]}".removeprefix("::")] = value
        elif kind == "variable":
            self.set_variable(target[1], value, scope)
        elif kind == "call" and target[2] == "[]" and target[1] is not None:
            if target[1][0] == "name":  # the content of the variable is not known from here on
                scope.variables.pop(target[1][1], None)
        else:
            raise UnknownValue
        return value

    def _evaluate_and(self, scope: RubyScope, left: Node, right: Node) -> object:
        return self.evaluate(right, scope) if self.is_true(left, scope) else False

    def _evaluate_or(self, scope: RubyScope, left: Node, right: Node) -> object:
        return self.evaluate(left, scope) if self.is_true(left, scope) else self.evaluate(right, scope)

    def _evaluate_not(self, scope: RubyScope, node: Node) -> bool:
        return not self.is_true(node, scope)

    def _evaluate_if(self, scope: RubyScope, condition: Node, yes: Node, no: Node | None) -> object:
        chosen = yes if self.is_true(condition, scope) else no
        return None if chosen is None else self.evaluate(chosen, scope)

    def _evaluate_return(self, scope: RubyScope, node: Node | None) -> object:
        raise MethodReturn(None if node is None else self.evaluate(node, scope))

    def _evaluate_lambda(self, scope: RubyScope, names: list[str], body: TokenGroup) -> RubyCallable:
        inner, parts = (names, body.parts) if names else split_block(body)
        return RubyCallable([], parts, scope.module, inner, scope.variables)

    def _evaluate_call(
        self,
        scope: RubyScope,
        receiver: Node | None,
        name: str,
        arguments: list[Node],
        block: TokenGroup | None,
    ) -> object:
        return self.evaluate_call(scope, receiver, name, arguments, block)

    # --- calls

    def evaluate_call(
        self,
        scope: RubyScope,
        receiver: Node | None,
        name: str,
        arguments: list[Node],
        block: TokenGroup | None,
    ) -> object:
        """Return the value of a call. Raises UnknownValue."""
        if block is None and arguments and arguments[-1][0] == "block":
            passed = self.evaluate(arguments[-1][1], scope)
            if not isinstance(passed, TokenGroup):
                raise UnknownValue
            block, arguments = passed, arguments[:-1]
        if receiver is None:
            if name in ("lambda", "proc") and block is not None:
                return self.evaluate(("lambda", [], block), scope)
            if name in ("require", "require_relative", "load"):
                self._require(self.evaluate_arguments(arguments, scope), name, scope)
                return None
            function = self.find_method(name, scope)
            if function is not None:
                return self.call_function(function, self.evaluate_arguments(arguments, scope), scope, block)
            return self.evaluate_declaration(name, arguments, block, scope)
        if receiver[0] == "self":
            return self.evaluate_call(scope, None, name, arguments, block)
        if receiver[0] == "constant" and (receiver[1], name) != ("Hash", "[]"):
            try:
                return self.call_on_constant(receiver, name, arguments, block, scope)
            except UnknownValue:
                if self._is_known_constant(receiver[1], scope):
                    return self._call_value(self.evaluate(receiver, scope), name, arguments, block, scope)
                raise
        return self._call_value(self.evaluate(receiver, scope), name, arguments, block, scope)

    def _is_known_constant(self, name: str, scope: RubyScope) -> bool:
        try:
            self._evaluate_constant(scope, name)
        except UnknownValue:
            return False
        return True

    def _call_value(
        self, value: object, name: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> object:
        if isinstance(value, RubyCallable) and name in ("call", "()"):
            return self.call_function(value, self.evaluate_arguments(arguments, scope), scope)
        if block is None:
            return call_method(value, name, self.evaluate_arguments(arguments, scope))
        items = _block_items(value, name)
        names, parts = split_block(block)
        found = []
        for item in items:
            variables = {**scope.variables, **_bind_block_parameters(names, item)}
            inner = RubyScope(scope.file, scope.module, scope.target, variables)
            if name.startswith("each"):
                self.run_body(parts, inner)
            else:
                found.append(self.run_statements(parts, inner))
        if name.startswith("each"):
            return value
        if name == "map":
            return found
        return [item for item, kept in zip(items, found, strict=True) if bool(kept) == (name == "select")]

    def find_method(self, name: str, scope: RubyScope) -> RubyCallable | None:
        """Return the method that a call without receiver names."""
        return self.modules.get(scope.module.removesuffix("<<"), {}).get(f"self.{name}")

    def find_module_function(self, module: str, name: str, scope: RubyScope) -> RubyCallable | None:
        """Return a function of a module, from this source or one that it requires."""
        while True:
            for full in _qualified_names(scope, module):
                found = self.modules.get(full, {}).get(f"self.{name}")
                if found is not None:
                    return found
            if not self.load_required():
                return None

    def find_module(self, name: str) -> dict[str, RubyCallable] | None:
        """Return the methods of a module; None if no source has it."""
        while name not in self.modules:
            if not self.load_required():
                return None
        while self.modules[name] == {} and self.load_required():
            pass
        return self.modules[name]

    def call_function(
        self,
        function: RubyCallable,
        arguments: list[object],
        scope: RubyScope,
        block: TokenGroup | None = None,
    ) -> object:
        """Call a method or a lambda with values, and a method with a block. Raises UnknownValue."""
        if function.names is not None:
            variables = {**function.variables, **dict(zip(function.names, arguments, strict=False))}
        else:
            variables = self._bind_parameters(function.parameters, list(arguments), scope, block)
        inner = RubyScope(scope.file, function.module, scope.target, variables)
        try:
            return self.run_statements(function.body, inner)
        except MethodReturn as found:
            return found.value

    def _bind_parameters(
        self, parameters: Parts, arguments: list[object], scope: RubyScope, block: TokenGroup | None
    ) -> Variables:
        variables: Variables = {}
        for parameter in _split_at_commas(parameters):
            first = parameter[0]
            second = parameter[1] if len(parameter) > 1 else None
            if is_word(first, "*", "&") and len(parameter) == 2 and isinstance(second, RubyToken):
                variables[str(second.value)] = block if is_word(first, "&") else arguments
                arguments = arguments if is_word(first, "&") else []
            elif not isinstance(first, RubyToken) or first.kind != "name":
                raise UnknownValue
            elif arguments:
                variables[str(first.value)] = arguments.pop(0)
            elif is_word(second, "="):
                variables[str(first.value)] = self.evaluate(parse_statement(parameter[2:]), scope)
            else:
                raise UnknownValue
        if arguments:
            raise UnknownValue
        return variables


def _qualified_names(scope: RubyScope, name: str) -> list[str]:
    """Return the full names that a name can mean in a scope, the innermost module first."""
    around = scope.module.removesuffix("<<").split("::") if scope.module else []
    return ["::".join([*around[:length], name]) for length in range(len(around), -1, -1)]


def _block_items(value: object, name: str) -> list[object]:
    """Return what a method such as `each` passes to its block, item by item.

    Raises UnknownValue.
    """
    if isinstance(value, dict) and name in ("each", "each_pair", "map"):
        return [list(pair) for pair in value.items()]
    if isinstance(value, dict) and name in ("each_key", "each_value"):
        return list(value if name == "each_key" else value.values())
    if isinstance(value, list) and name == "each_with_index":
        return [[item, index] for index, item in enumerate(value)]
    if isinstance(value, list) and name in ("each", "map", "select", "reject"):
        return value
    raise UnknownValue


def _parts_before(parts: Parts, *words: str) -> Parts:
    for index, part in enumerate(parts):
        if is_word(part, *words):
            return parts[:index]
    return parts


def _split_at_commas(parts: Parts) -> list[Parts]:
    found: list[Parts] = [[]]
    for part in parts:
        if is_word(part, ","):
            found.append([])
        elif not (isinstance(part, RubyToken) and part.kind == "line"):
            found[-1].append(part)
    return [item for item in found if item]


def _bind_block_parameters(names: list[str], item: object) -> Variables:
    """Return the variables of a block that gets one item; several parameters take it apart."""
    if len(names) == 1:
        return {names[0]: item}
    parts = item if isinstance(item, list) else [item]
    return {name: parts[index] if index < len(parts) else None for index, name in enumerate(names)}
