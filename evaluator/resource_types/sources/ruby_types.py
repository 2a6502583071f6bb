"""A reader of resource types: `Puppet::Type.newtype`, `Puppet::ResourceApi.register_type`.

It reads declarations: names and options that are literals, in the body of the type or in loops over literal arrays
and hashes. Nothing is run and no other source is read. A statement that may declare attributes in another way makes
the type incomplete, so that its attributes are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from evaluator.resource_types.records import AttributeRow, DeclaredType, TitlePattern
from evaluator.resource_types.sources.ruby_lexer import (
    MalformedSource,
    RubyLexer,
    RubyToken,
    UnsupportedSyntax,
    refuse_if,
    require_kind,
)
from evaluator.resource_types.sources.ruby_parser import (
    MODIFIERS,
    Parts,
    RubyCall,
    RubyLambda,
    RubyRegexp,
    TokenGroup,
    Variables,
    collect_names,
    get_text,
    group_tokens,
    is_pair,
    is_word,
    parse_call,
    read_pairs,
    read_value,
    split_group,
    split_parts,
    split_statements,
)
from lexer_parser.record import Record, fresh

# calls in the body of a type that declare no attribute
_HARMLESS = frozenset(
    (
        *("alias", "alias_method", "apply_to_all", "apply_to_device", "apply_to_host", "attr_accessor"),
        *("attr_reader", "attr_writer", "autobefore", "autonotify", "autorequire", "autosubscribe", "debug"),
        *("desc", "define_method", "delegate", "feature", "fail", "info", "module_function", "newmetaparam"),
        *("private", "private_class_method", "private_constant", "protected", "provide", "public", "raise"),
        *("require", "require_relative", "validate", "warning", "warn"),
    )
)
# names in a statement that may declare attributes
_DECLARING = frozenset(
    (
        *("newparam", "newproperty", "ensurable", "isnamevar", "class_eval", "instance_eval", "send"),
        *("public_send", "title_patterns"),
    )
)
# The messages of Puppet for an attribute that is declared twice, by kind; `Type` and `Attribute` are the names with a
# capital letter.
_REPEATED = {
    "property": "Class {type} already has a property named {attribute}",
    "param": "Class Parameter{Attribute} is already defined in Puppet::Type::{Type}",
}
_CALLED_IN_BODY = frozenset({"class_eval", "instance_eval", "class_exec", "instance_exec", "tap"})
_KINDS = {"newparam": "param", "newproperty": "property"}
_NEW_TYPE = frozenset({"Puppet::Type.", "Puppet::Type::", "Type.", "Puppet.", "Puppet::"})
_MODULES_OF_PUPPET = ("Puppet::", "Comparable", "Enumerable", "Kernel")
_MAX_STATEMENTS = 50_000


class TypeDraft(Record):
    """A type while its source is read; `DeclaredType` describes the attributes that both have.

    Attributes:
        namevars: The names are the keys, in the order of their declaration.
        methods: The bodies of its own methods, by name.
    """

    name: str
    attributes: dict[str, AttributeRow] = fresh(factory=dict)
    namevars: dict[str, None] = fresh(factory=dict)
    methods: dict[str, Parts] = fresh(factory=dict)
    patterns: tuple[TitlePattern, ...] | None = None
    complete: bool = True
    isomorphic: bool = True
    failure: str = ""


class TypeReader(Record):
    """A reader of the types in one source.

    Its methods add to the draft of a type, and set the variables that assignments define.

    Attributes:
        drafts: The types found so far, by name.
    """

    _statements: int = 0
    drafts: dict[str, TypeDraft] = fresh(factory=dict)

    def read_source(self, parts: Parts, variables: Variables) -> None:
        """Read the statements outside types: modules, constants and the declarations of types."""
        for statement in split_statements(parts):
            first = statement[0]
            with suppress(UnsupportedSyntax):
                if isinstance(first, TokenGroup):
                    if first.kind != "def":
                        self.read_source(first.parts, variables)
                elif not _read_assignment(statement, variables):
                    self._read_type(parse_call(statement), variables)

    def _read_type(self, call: RubyCall, variables: Variables) -> None:
        """Read the type that a call declares, if it declares one."""
        if (
            call.name == "newtype"
            and call.receiver.removeprefix("::") in _NEW_TYPE
            and call.block is not None
        ):
            self._read_newtype(read_value(call.first, variables), call.block, variables)
        elif call.name == "register_type" and call.receiver.endswith("ResourceApi."):
            self._read_register_type(call, variables)

    def _read_newtype(self, name: object, block: TokenGroup, variables: Variables) -> None:
        """Read the block of `newtype`: first the body, then the methods that it defines."""
        name = require_kind(name, str)
        draft = self.drafts[name] = TypeDraft(name)
        variables = dict(variables)
        self._read_body(block.parts, draft, variables)
        try:
            if "title_patterns" in draft.methods:
                draft.patterns = tuple(
                    map(_to_pattern, _read_result(draft.methods["title_patterns"], variables))
                )
            if "isomorphic?" in draft.methods:
                draft.isomorphic = bool(_read_result(draft.methods["isomorphic?"], variables))
        except (UnsupportedSyntax, TypeError):
            draft.complete = False

    # --- the body of a type

    def _read_body(self, parts: Parts, draft: TypeDraft, variables: Variables) -> None:
        """Read statements; the type is incomplete if one that is not understood may declare attributes."""
        for statement in split_statements(parts):
            try:
                self._read_statement(statement, draft, variables)
            except UnsupportedSyntax:
                draft.complete &= not _may_declare(statement)

    def _read_statement(self, statement: Parts, draft: TypeDraft, variables: Variables) -> None:
        """Read a statement with its own `end`, a loop, an assignment or a call, maybe with a modifier."""
        self._statements += 1
        refuse_if(self._statements > _MAX_STATEMENTS)
        first = statement[0]
        if isinstance(first, TokenGroup) and first.kind.isalpha():
            self._read_block_statement(first, draft, variables)
            return
        modifier = next((index for index, part in enumerate(statement) if is_word(part, *MODIFIERS)), 0)
        if modifier:  # `… if condition`, which is unknown
            draft.complete &= not _may_declare(statement)
            statement = statement[:modifier]
        block = statement[-1]
        if _is_name(statement, -2, "each") and isinstance(block, TokenGroup) and len(block.parts) > 2:
            items = read_value(statement[:-3], variables)  # what precedes `.each do … end`
            self._read_loop(items, block.parts, draft, variables)
        elif _is_name(statement, 0, "@isomorphic"):
            draft.isomorphic = bool(read_value(statement[2:], variables))
        elif not _read_assignment(statement, variables):
            self._read_call(parse_call(statement), draft, variables)

    def _read_block_statement(self, group: TokenGroup, draft: TypeDraft, variables: Variables) -> None:
        """Read a method of the type, `begin`, or all branches of a condition."""
        head, *statements = [*split_statements(group.parts)] or [[]]
        if group.kind == "def":
            if len(head) > 2 and is_word(head[0], "self"):  # `def self.NAME`
                draft.methods[get_text(head[2])] = group.parts[len(head) :]
        elif group.kind == "class" and head and is_word(head[0], "<<"):  # `class << self`
            for method in group.parts:
                if isinstance(method, TokenGroup) and method.kind == "def":
                    name = next(split_statements(method.parts), [])
                    called = get_text(name[0]) if name else ""
                    draft.methods[called] = method.parts[len(name) :]
        elif group.kind == "begin":
            self._read_body(_list_parts_before(group.parts, "rescue", "ensure", "else"), draft, variables)
        elif group.kind not in ("class", "module") and _may_declare([group]):
            draft.complete = False  # the condition is unknown
            for statement in statements:
                self._read_body(statement, draft, variables)

    def _read_loop(self, items: object, block: Parts, draft: TypeDraft, variables: Variables) -> None:
        """Read the block of `each` for each element of an array, or key and value of a hash."""
        refuse_if(not is_word(block[0], "|"))
        parameters = _list_parts_before(block[1:], "|")
        body = block[len(parameters) + 2 :]  # what follows `|parameters|`
        names = [get_text(part[0]) for part in split_parts(parameters, ",")]
        for item in [*items.items()] if isinstance(items, dict) else require_kind(items, list):
            values = item if len(names) > 1 and isinstance(item, list | tuple) else [item]
            self._read_body(body, draft, variables | dict(zip(names, values, strict=False)))

    def _read_call(self, call: RubyCall, draft: TypeDraft, variables: Variables) -> None:
        """Read a call in the body of a type. Raise UnsupportedSyntax for an unknown one."""
        refuse_if(call.receiver not in ("", "self."))
        if call.name in _KINDS:
            self._declare_attribute(_KINDS[call.name], call, draft, variables)
        elif call.name == "ensurable":
            draft.attributes["ensure"] = ("property", "", ("present", "absent") if call.block is None else ())
        elif call.name in ("extend", "include"):
            modules = ["".join(get_text(part) for part in argument) for argument in call.arguments]
            draft.complete &= all(name.startswith(_MODULES_OF_PUPPET) for name in modules)
        elif call.name in _CALLED_IN_BODY and call.block is not None:
            self._read_body(call.block.parts, draft, variables)
        else:
            refuse_if(call.name not in _HARMLESS)

    def _declare_attribute(self, kind: str, call: RubyCall, draft: TypeDraft, variables: Variables) -> None:
        """Add the attribute that `newparam` or `newproperty` declares, with its options."""
        name, *hashes = [
            read_value(argument, variables) for argument in call.arguments if not is_pair(argument)
        ] or [None]
        refuse_if(type(name) is not str or len(hashes) > 1)
        pairs = dict(read_pairs([argument for argument in call.arguments if is_pair(argument)], variables))
        # an option is a pair, or in a hash with braces
        is_namevar = (
            name == "name"
            or ("namevar" in pairs and read_value(pairs["namevar"], variables))
            or any(isinstance(options, dict) and options.get("namevar") for options in hashes)
        )
        former_kind, *_ = draft.attributes.pop(name, ("",))
        if draft.complete and former_kind == kind:
            draft.failure = _REPEATED[kind].format(
                type=draft.name, Type=draft.name.capitalize(), attribute=name, Attribute=name.capitalize()
            )
        words = ""
        values: list[str] = []
        for statement in split_statements([] if call.block is None else call.block.parts):
            with suppress(UnsupportedSyntax):
                if _is_name(statement, 0, "isnamevar") and len(statement) == 1:
                    is_namevar = True
                elif "isnamevar" in collect_names(statement):
                    draft.complete = False
                elif _is_name(statement, 0, "desc"):
                    words = _cut_first_sentence(read_value(parse_call(statement).first, variables))
                elif _is_name(statement, 0, "newvalues") or _is_name(statement, 0, "newvalue"):
                    listed = parse_call(statement).arguments
                    read = [read_value(argument, variables) for argument in listed if not is_pair(argument)]
                    values += [value for value in read if isinstance(value, str)]
        draft.attributes[name] = (kind, words, tuple(values))
        if is_namevar and kind == "param":  # Puppet ignores it for properties
            draft.namevars[name] = None

    # --- the Resource API

    def _read_register_type(self, call: RubyCall, variables: Variables) -> None:
        """Read the hash of `register_type`: names and behaviours of attributes, title patterns."""
        elements = call.arguments if is_pair(call.first) else split_group(call.first, "{")
        parts = dict(read_pairs(elements, variables))
        name = require_kind(read_value(parts.get("name", []), variables), str)
        draft = self.drafts[name] = TypeDraft(name)
        try:
            for attribute, value in read_pairs(split_group(parts.get("attributes", []), "{"), variables):
                options = dict(read_pairs(split_group(value, "{"), variables))
                behaviour = options.get("behaviour") or options.get("behavior")
                meaning = read_value(behaviour, variables) if behaviour else ""
                kind = "param" if meaning in ("namevar", "parameter") else "property"
                draft.attributes[str(attribute)] = (kind, "", ())
                if meaning == "namevar":
                    draft.namevars[str(attribute)] = None
            if "title_patterns" in parts:
                draft.patterns = tuple(
                    _to_named_pattern(dict(read_pairs(split_group(group, "{"), variables)), variables)
                    for group in split_group(parts["title_patterns"], "[")
                )
        except UnsupportedSyntax:
            draft.complete = False


# The beginning of Ruby's message, which depends on its version, and our own words.
_MALFORMED = "{path}: syntax error, quotes, brackets or words such as `do` and `end` do not match"
# The message of Puppet for a source whose type has not the name of the file, so that Puppet loads it once more. The
# caller of `read_ruby` fills in the path.
_OF_OTHER_NAME = (
    "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{type}'."
    " Originally set at file://{{path}}?line={line}."
)


def read_ruby(name: str, text: str) -> DeclaredType | None:
    """Return the record of a type from its source; None if that cannot be read for certain."""
    reader = TypeReader()
    try:
        parts = group_tokens(RubyLexer(text).read())
        reader.read_source(parts, {})
    except MalformedSource:
        return DeclaredType({}, (), None, complete=False, failure=_MALFORMED)
    except (UnsupportedSyntax, RecursionError):
        return None
    draft = reader.drafts.get(name)
    if draft is None:
        before, *calls = text.split("newtype")
        # if some `newtype` was not read, that may declare the type, and the line of the first one read is not known
        if not 0 < len(reader.drafts) == len(calls):
            return None
        other, line = next(iter(reader.drafts)), before.count("\n") + 1
        return DeclaredType({}, (), None, failure=_OF_OTHER_NAME.format(type=other, line=line))
    is_reopened = any(  # `Puppet::Type.type(:name).newparam(…)`
        _is_name(statement, 4, "type") and not _DECLARING.isdisjoint(collect_names(statement))
        for statement in split_statements(parts)
    )
    return DeclaredType(
        draft.attributes,
        tuple(draft.namevars),
        draft.patterns,
        complete=draft.complete and not is_reopened,
        isomorphic=draft.isomorphic,
        failure=draft.failure,
    )


def read_data_type(text: str) -> str:
    """Return a statement of Puppet for the data type that a source declares.

    Its interface is a string in Puppet's notation, in which nothing may be interpolated. If it cannot be read, the
    statement is `undef`.
    """
    with suppress(UnsupportedSyntax, RecursionError):
        for declaration in _find_calls(group_tokens(RubyLexer(text).read()), "create_type"):
            for call in _find_calls(require_kind(declaration.block, TokenGroup).parts, "interface"):
                name, interface = read_value(declaration.first, {}), read_value(call.first, {})
                return f"type {name} = Object[{{{interface}\n}}]"
    return "undef"


def _find_calls(parts: Parts, name: str) -> Iterator[RubyCall]:
    """Yield the calls of a method among the statements of a source or a block."""
    for statement in split_statements(parts):
        with suppress(UnsupportedSyntax):
            call = parse_call(statement)
            if call.name == name:
                yield call


# --- statements


def _is_name(statement: Parts, index: int, name: str) -> bool:
    """Return whether the part at an index is a name or variable `name`."""
    part = statement[index] if -len(statement) <= index < len(statement) else None
    return isinstance(part, RubyToken) and part.kind in ("name", "variable") and part.value == name


def _may_declare(statement: Parts) -> bool:
    """Return whether a statement that was not understood may declare attributes."""
    first = statement[0]
    called = first.value if isinstance(first, RubyToken) and first.kind == "name" else None
    is_known = called is None or called in _HARMLESS or _is_assignment(statement)
    return not is_known or not _DECLARING.isdisjoint(collect_names(statement))


def _is_assignment(statement: Parts) -> bool:
    second = statement[1] if len(statement) > 1 else None
    return isinstance(second, RubyToken) and second.kind == "operator" and str(second.value).endswith("=")


def _read_assignment(statement: Parts, variables: Variables) -> bool:
    """Set a name, or remove it if its value is unknown; return False if this is no assignment."""
    if not _is_assignment(statement):
        return False
    target = get_text(statement[0])
    variables.pop(target, None)
    if is_word(statement[1], "="):
        with suppress(UnsupportedSyntax):
            variables[target] = read_value(statement[2:], variables)
    return True


def _list_parts_before(parts: Parts, *words: str) -> Parts:
    return parts[: next((index for index, part in enumerate(parts) if is_word(part, *words)), len(parts))]


def _read_result(body: Parts, variables: Variables) -> Any:
    """Return the value of a method's last statement. Raises UnsupportedSyntax."""
    variables = dict(variables)
    value = None
    for statement in split_statements(body):
        if not _read_assignment(statement, variables):
            value = read_value(statement[is_word(statement[0], "return") :], variables)
    return value


def _cut_first_sentence(text: object) -> str:
    return (
        " ".join(require_kind(text, str).strip().partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    )


# --- title patterns


def _to_pattern(row: Any) -> TitlePattern:
    """Return a title pattern from a row of `title_patterns`.

    Raises:
        UnsupportedSyntax: A part of the row is not a literal.
        TypeError: The row is not an array.
    """
    pattern, attributes = row if len(row) == 2 else (None, [])
    names = []
    for attribute in attributes:
        name, *conversion = (attribute or [None]) if isinstance(attribute, list) else [attribute]
        refuse_if(not all(map(_is_identity, conversion)))
        names.append(require_kind(name, str))
    return require_kind(pattern, RubyRegexp).text, tuple(names)


def _is_identity(conversion: object) -> bool:
    """Return whether a conversion is `lambda { |x| x }` or none."""
    if not isinstance(conversion, RubyLambda):
        return conversion is None
    words = [get_text(part).strip() for part in conversion.block.parts]
    bar, name, *rest = [*filter(None, words), "", ""]
    return bar == "|" and rest[:2] == ["|", name] and not any(rest[2:])


def _to_named_pattern(row: dict[object, Parts], variables: Variables) -> TitlePattern:
    """Return the title pattern of a regular expression whose groups have names of attributes."""
    pattern = require_kind(read_value(row.get("pattern", []), variables), RubyRegexp)
    return pattern.text, tuple(re.findall(r"\(\?<([a-z_]\w*)>", pattern.source))
