"""A reader of resource types: `Puppet::Type.newtype`, `Puppet::ResourceApi.register_type`."""

from __future__ import annotations

import re

from evaluator.resource_types.records import Attribute, DeclaredType, Pattern
from evaluator.resource_types.ruby.interpreter import (
    FindSource,
    MethodReturn,
    RubyCallable,
    RubyInterpreter,
    RubyScope,
)
from evaluator.resource_types.ruby.lexer import (
    Parts,
    TokenGroup,
    UnsupportedSyntax,
    collect_names,
    split_statements,
)
from evaluator.resource_types.ruby.parser import Node, split_block
from evaluator.resource_types.ruby.values import RubyRegexp, UnknownValue, call_class_method

# calls in the body of a type that declare no attribute
_HARMLESS = frozenset(
    (
        *("alias", "alias_method", "apply_to_all", "apply_to_device", "apply_to_host", "attr_accessor"),
        *("attr_reader", "attr_writer", "autobefore", "autonotify", "autorequire", "autosubscribe", "debug"),
        *("desc", "define_method", "delegate", "feature", "fail", "info", "module_function", "newmetaparam"),
        *("private", "private_class_method", "private_constant", "protected", "provide", "public", "raise"),
        *("validate", "warning", "warn"),
    )
)
# names in a statement that may declare attributes
_DECLARING = frozenset(
    (
        *("newparam", "newproperty", "ensurable", "isnamevar", "class_eval", "instance_eval", "send"),
        *("public_send", "title_patterns"),
    )
)
_CALLED_IN_BODY = frozenset({"class_eval", "instance_eval", "class_exec", "instance_exec", "tap"})
_KINDS = {"newparam": "param", "newproperty": "property"}
_MODULES_OF_PUPPET = ("Puppet::", "Comparable", "Enumerable", "Kernel")


class TypeDraft:
    """A type while its source is read.

    The interpreter has its methods under the name in `module`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = f"type {name}"
        self.attributes: dict[str, Attribute] = {}
        self.namevars: list[str] = []
        self.patterns: tuple[Pattern, ...] | None = None
        self.complete = True
        self.isomorphic = True
        self.extended: list[str] = []

    def add_namevar(self, name: str) -> None:
        if name not in self.namevars:
            self.namevars.append(name)


class AttributeDraft:
    """An attribute while its block is read."""

    def __init__(self, draft: TypeDraft, kind: str, name: str) -> None:
        self.draft = draft
        self.kind = kind
        self.name = name
        self.words = ""
        self.values: list[str] = []


class TypeReader(RubyInterpreter):
    """An interpreter of the source of types; `drafts` has the types found so far by name."""

    def __init__(self, find_source: FindSource) -> None:
        super().__init__(find_source)
        self.drafts: dict[str, TypeDraft] = {}

    # --- calls that declare

    def call_on_constant(
        self, receiver: Node, name: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> object:
        """Evaluate `newtype`, `register_type`, or a function of a module or class."""
        owner = receiver[1]
        if name == "newtype" and owner.removeprefix("Puppet::") in ("Type", "Puppet") and block is not None:
            self._newtype(self.evaluate_arguments(arguments, scope)[:1], block, scope)
            return None
        if name == "register_type" and owner.endswith("ResourceApi") and arguments:
            self._register_type(arguments, scope)
            return None
        function = self.find_module_function(owner, name, scope)
        if function is not None:
            return self.call_function(function, self.evaluate_arguments(arguments, scope), scope)
        return call_class_method(owner, name, self.evaluate_arguments(arguments, scope))

    def _newtype(self, arguments: list[object], block: TokenGroup, scope: RubyScope) -> None:
        name = arguments[0] if arguments else None
        if type(name) is not str:
            raise UnknownValue
        draft = self.drafts[name] = TypeDraft(name)
        _, parts = split_block(block)
        self.run_body(parts, RubyScope(scope.file, draft.module, draft, dict(scope.variables)))
        function = self.find_method("title_patterns", RubyScope(scope.file, draft.module))
        if function is not None:
            self._set_patterns(draft, function, scope)
        isomorphic = self.find_method("isomorphic?", RubyScope(scope.file, draft.module))
        if isomorphic is not None:
            try:
                draft.isomorphic = bool(self.call_function(isomorphic, [], scope))
            except (UnknownValue, UnsupportedSyntax):
                draft.complete = False

    def evaluate_declaration(
        self, name: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> None:
        """Evaluate a call in the body of a type or of an attribute."""
        target = scope.target
        if isinstance(target, AttributeDraft):
            self._declare_in_attribute(target, name, arguments, scope)
        elif not isinstance(target, TypeDraft):
            raise UnknownValue
        elif name in _KINDS:
            self._declare_attribute(target, _KINDS[name], arguments, block, scope)
        elif name == "ensurable":
            target.attributes["ensure"] = ("property", "", ("present", "absent") if block is None else ())
        elif name in ("extend", "include"):
            for node in arguments:
                self._mix_in(target, name, node)
        elif name in _CALLED_IN_BODY and block is not None:
            self.run_body(split_block(block)[1], scope)
        elif name not in _HARMLESS:
            raise UnknownValue

    def handle_unknown(self, parts: Parts, scope: RubyScope) -> None:
        """Mark the record as incomplete if the statement may declare attributes."""
        target = scope.target
        if isinstance(target, AttributeDraft):
            if "isnamevar" in collect_names(parts):
                target.draft.complete = False
        elif isinstance(target, TypeDraft) and not self._declares_nothing(parts):
            target.complete = False
            self._read_branches(parts, scope)

    def _declares_nothing(self, parts: Parts) -> bool:
        names = set(collect_names(parts))
        first = parts[0]
        called = first.value if not isinstance(first, TokenGroup) and first.kind == "name" else None
        known = called is None or called in _HARMLESS or (len(parts) > 1 and _is_assignment(parts))
        return known and _DECLARING.isdisjoint(names)

    def _read_branches(self, parts: Parts, scope: RubyScope) -> None:
        """Read all branches of a condition whose value is unknown: each may declare attributes."""
        for part in parts:
            if isinstance(part, TokenGroup) and part.kind in ("if", "unless", "case", "begin"):
                for statement in list(split_statements(part.parts))[1:]:
                    try:
                        self.run_statement(statement, scope)
                    except (UnknownValue, UnsupportedSyntax, MethodReturn):
                        self.handle_unknown(statement, scope)

    def find_method(self, name: str, scope: RubyScope) -> RubyCallable | None:
        """Return a method of the type itself, or of a module that extends it."""
        found = super().find_method(name, scope)
        if found is None and isinstance(scope.target, TypeDraft):
            for module in scope.target.extended:
                found = found or self.modules.get(module, {}).get(name)
        return found

    def set_variable(self, name: str, value: object, scope: RubyScope) -> None:
        """Set `@isomorphic`, by which a type says whether two resources can mean the same thing."""
        if name == "@isomorphic" and isinstance(scope.target, TypeDraft):
            scope.target.isomorphic = bool(value)

    # --- attributes

    def _declare_attribute(
        self, draft: TypeDraft, kind: str, arguments: list[Node], block: TokenGroup | None, scope: RubyScope
    ) -> None:
        positional = [node for node in arguments if node[0] != "pair"]
        name, *rest = self.evaluate_arguments(positional, scope) or [None]
        namevar = [
            self.evaluate(node[2], scope)
            for node in arguments
            if node[0] == "pair" and node[1] == ("value", "namevar")
        ]
        namevar += [options.get("namevar") for options in rest if isinstance(options, dict)]
        if type(name) is not str or len(rest) > 1:
            raise UnknownValue
        attribute = AttributeDraft(draft, kind, name)
        draft.attributes.pop(name, None)
        draft.attributes[name] = (kind, "", ())
        if block is not None:
            inner = RubyScope(scope.file, scope.module, attribute, dict(scope.variables))
            self.run_body(split_block(block)[1], inner)
        draft.attributes[name] = (kind, attribute.words, tuple(attribute.values))
        if (name == "name" or any(namevar)) and kind == "param":
            draft.add_namevar(name)

    def _declare_in_attribute(
        self, attribute: AttributeDraft, name: str, arguments: list[Node], scope: RubyScope
    ) -> None:
        if name == "isnamevar":
            if attribute.kind == "param":  # Puppet ignores it for properties
                attribute.draft.add_namevar(attribute.name)
        elif name == "desc" and arguments:
            attribute.words = _first_sentence(self.evaluate(arguments[0], scope))
        elif name in ("newvalues", "newvalue"):
            values = self.evaluate_arguments(arguments, scope)
            attribute.values += [value for value in values if isinstance(value, str)]
        elif name in ("include", "extend"):
            for node in arguments:
                module = self.find_module(node[1]) if node[0] == "constant" else None
                if any("isnamevar" in collect_names(function.body) for function in (module or {}).values()):
                    attribute.draft.complete = False

    def _mix_in(self, draft: TypeDraft, form: str, node: Node) -> None:
        """Add the methods of a module to the type.

        One whose hook may declare attributes makes it incomplete.
        """
        if node[0] != "constant":
            raise UnknownValue
        name = node[1]
        methods = self.find_module(name)
        if methods is None:
            draft.complete &= name.startswith(_MODULES_OF_PUPPET)
            return
        if form == "extend":
            draft.extended.append(name)
        hook = methods.get("self.extended" if form == "extend" else "self.included")
        if hook is not None and not _DECLARING.isdisjoint(collect_names(hook.body)):
            draft.complete = False

    # --- title patterns

    def _set_patterns(self, draft: TypeDraft, function: RubyCallable, scope: RubyScope) -> None:
        try:
            rows = self.call_function(function, [], RubyScope(scope.file, draft.module, draft))
            if not isinstance(rows, list):
                raise UnknownValue
            draft.patterns = tuple(map(_to_pattern, rows))
        except (UnknownValue, UnsupportedSyntax):
            draft.complete = False

    # --- the Resource API

    def _register_type(self, arguments: list[Node], scope: RubyScope) -> None:
        """Read the hash of `register_type`: names and behaviours of attributes, title patterns."""
        pairs = arguments if arguments[0][0] == "pair" else self._pairs(arguments[0], scope)
        parts = {self.evaluate(pair[1], scope): pair[2] for pair in pairs}
        name = self.evaluate(parts["name"], scope) if "name" in parts else None
        if type(name) is not str:
            raise UnknownValue
        draft = self.drafts[name] = TypeDraft(name)
        try:
            for pair in self._pairs(parts["attributes"], scope):
                self._register_attribute(draft, str(self.evaluate(pair[1], scope)), pair[2], scope)
            if "title_patterns" in parts:
                listed = parts["title_patterns"]
                if listed[0] != "array":
                    raise UnknownValue
                rows = [
                    {self.evaluate(pair[1], scope): pair[2] for pair in self._pairs(item, scope)}
                    for item in listed[1]
                ]
                draft.patterns = tuple(
                    _to_named_pattern(self.evaluate(row["pattern"], scope)) for row in rows
                )
        except (UnknownValue, UnsupportedSyntax, KeyError):
            draft.complete = False

    def _register_attribute(self, draft: TypeDraft, name: str, node: Node, scope: RubyScope) -> None:
        parts = {self.evaluate(pair[1], scope): pair[2] for pair in self._pairs(node, scope)}
        behaviour = parts.get("behaviour") or parts.get("behavior")
        meaning = None if behaviour is None else self.evaluate(behaviour, scope)
        draft.attributes[name] = ("param" if meaning in ("namevar", "parameter") else "property", "", ())
        if meaning == "namevar":
            draft.add_namevar(name)

    def _pairs(self, node: Node, scope: RubyScope) -> list[Node]:
        """Return the pairs of a hash unevaluated: an unknown value in one leaves the others."""
        if node[0] == "hash" and all(item[0] == "pair" for item in node[1]):
            found: list[Node] = node[1]
            return found
        value = self.evaluate(node, scope)
        if not isinstance(value, dict):
            raise UnknownValue
        return [("pair", ("value", key), ("value", item)) for key, item in value.items()]


def read(name: str, path: str, text: str, find_source: FindSource) -> DeclaredType | None:
    """Return the record of a type from its source; None if the source does not declare it.

    Args:
        name: The name of the type.
        path: The path of the source, from the folder of modules.
        text: The source.
        find_source: Returns other sources, which this one may require.
    """
    reader = TypeReader(find_source)
    try:
        reader.run_source(path, text)
    except (UnsupportedSyntax, RecursionError):
        return None
    draft = reader.drafts.get(name)
    if draft is None:
        return None
    # several namevars need title patterns: without them Puppet cannot use the type
    complete = draft.complete and (draft.patterns is not None or len(draft.namevars) < 2)
    return DeclaredType(draft.attributes, tuple(draft.namevars), draft.patterns, complete, draft.isomorphic)


def _is_assignment(parts: Parts) -> bool:
    second = parts[1]
    return (
        not isinstance(second, TokenGroup) and second.kind == "operator" and str(second.value).endswith("=")
    )


def _first_sentence(text: object) -> str:
    if not isinstance(text, str):
        raise UnknownValue
    return " ".join(text.strip().partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def _to_pattern(row: object) -> Pattern:
    """Return a title pattern from a row of `title_patterns`. Raises UnknownValue."""
    if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
        raise UnknownValue
    pattern, attributes = row
    names = []
    for attribute in attributes:
        name, *conversion = (attribute or [None]) if isinstance(attribute, list) else [attribute]
        if type(name) is not str or not all(map(_is_identity, conversion)):
            raise UnknownValue
        names.append(name)
    if not isinstance(pattern, RubyRegexp):
        raise UnknownValue
    return pattern.text, tuple(names)


def _is_identity(conversion: object) -> bool:
    """Return whether a conversion is `lambda { |x| x }` or none."""
    if conversion is None:
        return True
    if not isinstance(conversion, RubyCallable) or conversion.names is None or len(conversion.names) != 1:
        return False
    return [str(getattr(part, "value", "")).strip() for part in conversion.body if part] == conversion.names


def _to_named_pattern(pattern: object) -> Pattern:
    """Return the title pattern of a regular expression whose groups have names of attributes."""
    if not isinstance(pattern, RubyRegexp):
        raise UnknownValue
    return pattern.text, tuple(re.findall(r"\(\?<([a-z_]\w*)>", pattern.source))
