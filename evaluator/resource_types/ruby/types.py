"""What the source of a resource type says: `Puppet::Type.newtype(…) do` and `Puppet::ResourceApi.register_type`."""

from __future__ import annotations

import re
from typing import Any

from evaluator.resource_types.records import Pattern as TitlePattern
from evaluator.resource_types.records import Record
from evaluator.resource_types.ruby.interpreter import Find, Follower, Function, Returned, Scope
from evaluator.resource_types.ruby.lexer import Group, Parts, Unreadable, statements, words
from evaluator.resource_types.ruby.parser import Node, block_of
from evaluator.resource_types.ruby.values import Pattern, Unknown, call

# calls in the body of a type that say nothing of its attributes
_HARMLESS = frozenset(
    (
        *("alias", "alias_method", "apply_to_all", "apply_to_device", "apply_to_host"),
        *("attr_accessor", "attr_reader", "attr_writer", "autobefore", "autonotify", "autorequire"),
        *("autosubscribe", "debug", "desc", "define_method", "delegate", "feature", "fail", "info"),
        *("module_function", "newmetaparam", "private", "private_class_method", "private_constant"),
        *("protected", "provide", "public", "raise", "validate", "warning", "warn"),
    )
)
# words in a statement that may make attributes
_DECLARING = frozenset(
    (
        *("newparam", "newproperty", "ensurable", "isnamevar", "class_eval", "instance_eval", "send"),
        *("public_send", "title_patterns"),
    )
)
_CALLED_IN_BODY = frozenset({"class_eval", "instance_eval", "class_exec", "instance_exec", "tap"})
_KINDS = {"newparam": "param", "newproperty": "property"}
_HELD_BY_PUPPET = ("Puppet::", "Comparable", "Enumerable", "Kernel")


class Made:
    """A type while its source is followed; `module` is what its methods are kept under."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = f"type {name}"
        self.attributes: dict[str, tuple[str, str, tuple[str, ...]]] = {}
        self.namevars: list[str] = []
        self.patterns: tuple[TitlePattern, ...] | None = None
        self.complete = True
        self.isomorphic = True
        self.extended: list[str] = []


class Attribute:
    """An attribute while its block is followed."""

    def __init__(self, made: Made, kind: str, name: str) -> None:
        self.made = made
        self.kind = kind
        self.name = name
        self.words = ""
        self.values: list[str] = []


class TypeReader(Follower):
    """Follows the source of types; `made` holds what it found by name."""

    def __init__(self, find: Find) -> None:
        super().__init__(find)
        self.made: dict[str, Made] = {}

    # --- what declares

    def sent(
        self, receiver: Node, name: str, arguments: list[Node], block: Group | None, scope: Scope
    ) -> Any:
        """`Puppet::Type.newtype`, `Puppet::ResourceApi.register_type`, or a function of a module or class."""
        owner = receiver[1]
        if name == "newtype" and owner.removeprefix("Puppet::") in ("Type", "Puppet") and block is not None:
            return self._newtype(self.arguments(arguments, scope)[:1], block, scope)
        if name == "register_type" and owner.endswith("ResourceApi") and arguments:
            return self._registered(arguments, scope)
        function = self.function_of(owner, name, scope)
        if function is not None:
            return self.run(function, self.arguments(arguments, scope), scope)
        return call(owner, name, self.arguments(arguments, scope))

    def _newtype(self, given: list[Any], block: Group, scope: Scope) -> None:
        if not given or type(given[0]) is not str:
            raise Unknown
        made = self.made[given[0]] = Made(given[0])
        _, parts = block_of(block)
        self.body(parts, Scope(scope.file, made.module, made, dict(scope.local)))
        function = self.method("title_patterns", Scope(scope.file, made.module))
        if function is not None:
            self._set_patterns(made, function, scope)
        isomorphic = self.method("isomorphic?", Scope(scope.file, made.module))
        if isomorphic is not None:
            try:
                made.isomorphic = bool(self.run(isomorphic, [], scope))
            except (Unknown, Unreadable):
                made.complete = False

    def declared(self, name: str, arguments: list[Node], block: Group | None, scope: Scope) -> Any:
        """What a call in the body of a type or of an attribute means."""
        target = scope.target
        if isinstance(target, Attribute):
            return self._of_attribute(target, name, arguments, scope)
        if not isinstance(target, Made):
            raise Unknown
        if name in _KINDS:
            return self._attribute(target, _KINDS[name], arguments, block, scope)
        if name == "ensurable":
            target.attributes["ensure"] = ("property", "", ("present", "absent") if block is None else ())
        elif name in ("extend", "include"):
            for node in arguments:
                self._mixed_in(target, name, node, scope)
        elif name in _CALLED_IN_BODY and block is not None:
            self.body(block_of(block)[1], scope)
        elif name not in _HARMLESS:
            raise Unknown
        return None

    def unclear(self, parts: Parts, scope: Scope) -> None:
        """Attributes that cannot be told make the record an open one."""
        target = scope.target
        made = target.made if isinstance(target, Attribute) else target
        if made is None:
            return
        if isinstance(target, Attribute):
            if "isnamevar" in words(parts):
                made.complete = False
        elif not self._is_plain(parts):
            made.complete = False
            self._inside(parts, scope)

    def _is_plain(self, parts: Parts) -> bool:
        """True for a statement that makes no attribute, whatever it does."""
        found = set(words(parts))
        first = parts[0]
        called = first.value if not isinstance(first, Group) and first.kind == "name" else None
        known = called is None or called in _HARMLESS or (len(parts) > 1 and _assigns(parts))
        return known and _DECLARING.isdisjoint(found)

    def _inside(self, parts: Parts, scope: Scope) -> None:
        """What a condition that nobody can tell may declare."""
        for part in parts:
            if isinstance(part, Group) and part.kind in ("if", "unless", "case", "begin"):
                for statement in list(statements(part.parts))[1:]:
                    try:
                        self.statement(statement, scope)
                    except (Unknown, Unreadable, Returned):
                        self.unclear(statement, scope)

    def method(self, name: str, scope: Scope) -> Function | None:
        """A method of the type itself, or of a module that extends it."""
        found = super().method(name, scope)
        if found is None and isinstance(scope.target, Made):
            for module in scope.target.extended:
                found = found or self.modules.get(module, {}).get(name)
        return found

    def kept(self, name: str, value: Any, scope: Scope) -> None:
        """`@isomorphic = false`."""
        if name == "@isomorphic" and isinstance(scope.target, Made):
            scope.target.isomorphic = bool(value)

    # --- attributes

    def _attribute(
        self, made: Made, kind: str, arguments: list[Node], block: Group | None, scope: Scope
    ) -> None:
        name, *rest = self.arguments([node for node in arguments if node[0] != "pair"], scope) or [None]
        namevar = [
            self.value(node[2], scope)
            for node in arguments
            if node[0] == "pair" and node[1] == ("value", "namevar")
        ]
        namevar += [options.get("namevar") for options in rest if isinstance(options, dict)]
        if type(name) is not str or len(rest) > 1:
            raise Unknown
        attribute = Attribute(made, kind, name)
        made.attributes.pop(name, None)
        made.attributes[name] = (kind, "", ())
        if block is not None:
            self.body(block_of(block)[1], Scope(scope.file, scope.module, attribute, dict(scope.local)))
        made.attributes[name] = (kind, attribute.words, tuple(attribute.values))
        if (name == "name" or any(namevar)) and kind == "param":
            _add(made.namevars, name)

    def _of_attribute(self, target: Attribute, name: str, arguments: list[Node], scope: Scope) -> None:
        if name == "isnamevar":
            if target.kind == "param":  # a property cannot be one, whatever it says
                _add(target.made.namevars, target.name)
        elif name == "desc" and arguments:
            target.words = _first_sentence(self.value(arguments[0], scope))
        elif name in ("newvalues", "newvalue"):
            values = self.arguments(arguments, scope)
            target.values += [value for value in values if type(value) is str]
        elif name in ("include", "extend"):
            for node in arguments:
                module = self.module_of(node[1]) if node[0] == "constant" else None
                if any("isnamevar" in words(function.body) for function in (module or {}).values()):
                    target.made.complete = False

    def _mixed_in(self, made: Made, how: str, node: Node, scope: Scope) -> None:
        """A module's methods become those of the type; what it declares when it is included too."""
        if node[0] != "constant":
            raise Unknown
        name = node[1]
        methods = self.module_of(name)
        if methods is None:
            made.complete &= name.startswith(_HELD_BY_PUPPET)
            return
        if how == "extend":
            made.extended.append(name)
        hook = methods.get("self.extended" if how == "extend" else "self.included")
        if hook is not None and not _DECLARING.isdisjoint(words(hook.body)):
            made.complete = False

    # --- titles

    def _set_patterns(self, made: Made, function: Function, scope: Scope) -> None:
        try:
            made.patterns = tuple(
                _pattern(item) for item in self.run(function, [], Scope(scope.file, made.module, made))
            )
        except (Unknown, Unreadable, TypeError):
            made.complete = False

    # --- the other way to declare

    def _registered(self, arguments: list[Node], scope: Scope) -> None:
        """`register_type` with its hash, of which only names, behaviours and patterns count."""
        pairs = arguments if arguments[0][0] == "pair" else self._pairs(arguments[0], scope)
        parts = {self.value(pair[1], scope): pair[2] for pair in pairs}
        name = self.value(parts["name"], scope) if "name" in parts else None
        if type(name) is not str:
            raise Unknown
        made = self.made[name] = Made(name)
        try:
            for pair in self._pairs(parts["attributes"], scope):
                self._registered_attribute(made, self.value(pair[1], scope), pair[2], scope)
            if "title_patterns" in parts:
                listed = [self._pairs(item, scope) for item in _items(parts["title_patterns"])]
                found = [{self.value(pair[1], scope): pair[2] for pair in item} for item in listed]
                made.patterns = tuple(_named_pattern(self.value(item["pattern"], scope)) for item in found)
        except (Unknown, Unreadable, KeyError):
            made.complete = False

    def _registered_attribute(self, made: Made, name: str, node: Node, scope: Scope) -> None:
        parts = {self.value(pair[1], scope): pair[2] for pair in self._pairs(node, scope)}
        behaviour = parts.get("behaviour") or parts.get("behavior")
        meaning = None if behaviour is None else self.value(behaviour, scope)
        made.attributes[name] = ("param" if meaning in ("namevar", "parameter") else "property", "", ())
        if meaning == "namevar":
            _add(made.namevars, name)

    def _pairs(self, node: Node, scope: Scope) -> list[Node]:
        """The pairs of a hash as they stand, so that what cannot be told in one does not spoil the others."""
        if node[0] == "hash" and all(item[0] == "pair" for item in node[1]):
            found: list[Node] = node[1]
            return found
        value = self.value(node, scope)
        if not isinstance(value, dict):
            raise Unknown
        return [("pair", ("value", key), ("value", item)) for key, item in value.items()]


def read(name: str, path: str, text: str, find: Find) -> Record | None:
    """The record of a type from its source; None when the source does not tell of it.

    path  the source's, from the folder of modules;  find  gives other sources
    """
    reader = TypeReader(find)
    try:
        reader.file(path, text)
    except (Unreadable, RecursionError):
        return None
    made = reader.made.get(name)
    if made is None:
        return None
    patterns, complete = made.patterns, made.complete
    if patterns is None and len(made.namevars) > 1:
        complete = False  # the type itself cannot be used
    return Record(made.attributes, tuple(made.namevars), patterns, complete, made.isomorphic)


def _add(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


def _assigns(parts: Parts) -> bool:
    second = parts[1]
    return not isinstance(second, Group) and second.kind == "operator" and str(second.value).endswith("=")


def _first_sentence(text: Any) -> str:
    if type(text) is not str:
        raise Unknown
    return " ".join(text.strip().partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def _pattern(item: Any) -> TitlePattern:
    """A pattern with the attributes that its groups give. Raises Unknown."""
    if not isinstance(item, list) or len(item) != 2 or not isinstance(item[1], list):
        raise Unknown
    pattern, attributes = item
    names = []
    for attribute in attributes:
        name, *conversion = (attribute or [None]) if isinstance(attribute, list) else [attribute]
        if type(name) is not str or not all(map(_is_identity, conversion)):
            raise Unknown
        names.append(name)
    if not isinstance(pattern, Pattern):
        raise Unknown
    return pattern.text, tuple(names)


def _is_identity(conversion: Any) -> bool:
    """True for `lambda { |x| x }`."""
    if conversion is None:
        return True
    if not isinstance(conversion, Function) or conversion.names is None or len(conversion.names) != 1:
        return False
    return [str(getattr(part, "value", "")).strip() for part in conversion.body if part] == conversion.names


def _items(node: Node) -> list[Node]:
    if node[0] != "array":
        raise Unknown
    found: list[Node] = node[1]
    return found


def _named_pattern(pattern: Any) -> TitlePattern:
    """A pattern whose groups are named after attributes."""
    if not isinstance(pattern, Pattern):
        raise Unknown
    return pattern.text, tuple(re.findall(r"\(\?<([a-z_]\w*)>", pattern.source))
