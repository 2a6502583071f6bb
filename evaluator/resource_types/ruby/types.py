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

from evaluator.resource_types.records import Attribute, DeclaredType, Pattern
from evaluator.resource_types.ruby.lexer import (
    MalformedSource,
    Parts,
    RubyLexer,
    RubyToken,
    Text,
    TokenGroup,
    UnsupportedSyntax,
    collect_names,
    group_tokens,
    is_group,
    is_word,
    refuse_if,
    require_kind,
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
# The messages of Puppet for an attribute that is declared twice, by kind: `{0}` is the type, `{1}` the attribute, `{2}`
# and `{3}` are both with a capital letter.
_REPEATED = {
    "": "",
    "property": "Class {0} already has a property named {1}",
    "param": "Class Parameter{3} is already defined in Puppet::Type::{2}",
}
_CALLED_IN_BODY = frozenset({"class_eval", "instance_eval", "class_exec", "instance_exec", "tap"})
_KINDS = {"newparam": "param", "newproperty": "property"}
_NEW_TYPE = frozenset({"Puppet::Type.", "Puppet::Type::", "Type.", "Puppet.", "Puppet::"})
_MODULES_OF_PUPPET = ("Puppet::", "Comparable", "Enumerable", "Kernel")
_MODIFIERS = ("if", "unless", "while", "until", "rescue")
_MAX_STATEMENTS = 50_000


class TypeDraft(Record):
    """A type while its source is read; `DeclaredType` describes the attributes that both have.

    Attributes:
        methods: The bodies of its own methods, by name.
        repeated: The kind and the name of an attribute that is declared twice; empty if there is none.
    """

    attributes: dict[str, Attribute] = fresh(factory=dict)
    namevars: dict[str, None] = fresh(factory=dict)
    methods: dict[str, Parts] = fresh(factory=dict)
    patterns: tuple[Pattern, ...] | None = None
    complete: bool = True
    isomorphic: bool = True
    repeated: tuple[str, str] = ("", "")


class RubyCall(Record):
    """A call: what precedes its name, `A::B.`, and its arguments unread."""

    receiver: str
    name: str
    arguments: list[Parts]
    block: TokenGroup | None

    @property
    def first(self) -> Parts:
        """The first argument; nothing if there is none."""
        return self.arguments[0] if self.arguments else []


class TypeReader(Record):
    """A reader of the types in one source; `drafts` has those found so far by name."""

    _statements: int = 0
    drafts: dict[str, TypeDraft] = fresh(factory=dict)

    def read_source(self, parts: Parts, names: Names) -> None:
        """Read the statements outside types: modules, constants and the declarations of types."""
        for statement in split_statements(parts):
            first = statement[0]
            with suppress(UnsupportedSyntax):
                if isinstance(first, TokenGroup):
                    if first.kind != "def":
                        self.read_source(first.parts, names)
                elif not _read_assignment(statement, names):
                    self._read_type(_parse_call(statement), names)

    def _read_type(self, call: RubyCall, names: Names) -> None:
        if (
            call.name == "newtype"
            and call.receiver.removeprefix("::") in _NEW_TYPE
            and call.block is not None
        ):
            self._newtype(read_value(call.first, names), call.block, names)
        elif call.name == "register_type" and call.receiver.endswith("ResourceApi."):
            self._register_type(call, names)

    def _newtype(self, name: object, block: TokenGroup, names: Names) -> None:
        draft = self.drafts[require_kind(name, str)] = TypeDraft()
        names = dict(names)
        self._read_body(block.parts, draft, names)
        try:
            if "title_patterns" in draft.methods:
                draft.patterns = tuple(map(_to_pattern, _read_result(draft.methods["title_patterns"], names)))
            if "isomorphic?" in draft.methods:
                draft.isomorphic = bool(_read_result(draft.methods["isomorphic?"], names))
        except (UnsupportedSyntax, TypeError):
            draft.complete = False

    # --- the body of a type

    def _read_body(self, parts: Parts, draft: TypeDraft, names: Names) -> None:
        for statement in split_statements(parts):
            try:
                self._read_statement(statement, draft, names)
            except UnsupportedSyntax:
                draft.complete = draft.complete and not _may_declare(statement)

    def _read_statement(self, statement: Parts, draft: TypeDraft, names: Names) -> None:
        self._statements += 1
        refuse_if(self._statements > _MAX_STATEMENTS)
        first = statement[0]
        if isinstance(first, TokenGroup) and first.kind.isalpha():
            self._read_block_statement(first, draft, names)
            return
        modifier = next((index for index, part in enumerate(statement) if is_word(part, *_MODIFIERS)), 0)
        if modifier:  # the condition is unknown
            draft.complete = draft.complete and not _may_declare(statement)
            statement = statement[:modifier]
        block = statement[-1]
        if _is_name(statement, -2, "each") and isinstance(block, TokenGroup) and len(block.parts) > 2:
            self._read_loop(read_value(statement[:-3], names), block.parts, draft, names)
        elif _is_name(statement, 0, "@isomorphic"):
            draft.isomorphic = bool(read_value(statement[2:], names))
        elif not _read_assignment(statement, names):
            self._read_call(_parse_call(statement), draft, names)

    def _read_block_statement(self, group: TokenGroup, draft: TypeDraft, names: Names) -> None:
        """Read a method of the type, `begin`, or all branches of a condition."""
        head, *statements = [*split_statements(group.parts)] or [[]]
        if group.kind == "def":
            if len(head) > 2 and is_word(head[0], "self"):
                draft.methods[str(getattr(head[2], "value", ""))] = group.parts[len(head) :]
        elif group.kind == "class" and head and is_word(head[0], "<<"):
            for method in group.parts:
                if isinstance(method, TokenGroup) and method.kind == "def":
                    name = next(split_statements(method.parts), [])
                    called = str(getattr(name[0], "value", "")) if name else ""
                    draft.methods[called] = method.parts[len(name) :]
        elif group.kind == "begin":
            self._read_body(_list_parts_before(group.parts, "rescue", "ensure", "else"), draft, names)
        elif group.kind not in ("class", "module") and _may_declare([group]):
            draft.complete = False
            for statement in statements:
                self._read_body(statement, draft, names)

    def _read_loop(self, items: object, block: Parts, draft: TypeDraft, names: Names) -> None:
        refuse_if(not is_word(block[0], "|"))
        parameters = _list_parts_before(block[1:], "|")
        variables = [str(getattr(part[0], "value", "")) for part in split_parts(parameters, ",")]
        for item in [*items.items()] if isinstance(items, dict) else require_kind(items, list):
            values = item if len(variables) > 1 and isinstance(item, list | tuple) else [item]
            self._read_body(
                block[len(parameters) + 2 :], draft, names | dict(zip(variables, values, strict=False))
            )

    def _read_call(self, call: RubyCall, draft: TypeDraft, names: Names) -> None:
        refuse_if(call.receiver not in ("", "self."))
        if call.name in _KINDS:
            self._declare_attribute(_KINDS[call.name], call, draft, names)
        elif call.name == "ensurable":
            draft.attributes["ensure"] = ("property", "", ("present", "absent") if call.block is None else ())
        elif call.name in ("extend", "include"):
            modules = [
                "".join(str(getattr(part, "value", "")) for part in argument) for argument in call.arguments
            ]
            draft.complete = draft.complete and all(name.startswith(_MODULES_OF_PUPPET) for name in modules)
        elif call.name in _CALLED_IN_BODY and call.block is not None:
            self._read_body(call.block.parts, draft, names)
        else:
            refuse_if(call.name not in _HARMLESS)

    def _declare_attribute(self, kind: str, call: RubyCall, draft: TypeDraft, names: Names) -> None:
        name, *options = [
            read_value(argument, names) for argument in call.arguments if not is_pair(argument)
        ] or [None]
        refuse_if(type(name) is not str or len(options) > 1)
        pairs = dict(read_pairs([argument for argument in call.arguments if is_pair(argument)], names))
        is_namevar = (
            name == "name"
            or ("namevar" in pairs and read_value(pairs["namevar"], names))
            or any(isinstance(argument, dict) and argument.get("namevar") for argument in options)
        )
        former = draft.attributes.pop(name, None)
        if draft.complete and former is not None and former[0] == kind:
            draft.repeated = kind, name
        words = ""
        values: list[str] = []
        for statement in split_statements([] if call.block is None else call.block.parts):
            with suppress(UnsupportedSyntax):
                if _is_name(statement, 0, "isnamevar") and len(statement) == 1:
                    is_namevar = True
                elif "isnamevar" in collect_names(statement):
                    draft.complete = False
                elif _is_name(statement, 0, "desc"):
                    words = _cut_first_sentence(read_value(_parse_call(statement).first, names))
                elif _is_name(statement, 0, "newvalues") or _is_name(statement, 0, "newvalue"):
                    listed = _parse_call(statement).arguments
                    read = [read_value(argument, names) for argument in listed if not is_pair(argument)]
                    values += [value for value in read if isinstance(value, str)]
        draft.attributes[name] = (kind, words, tuple(values))
        if is_namevar and kind == "param":  # Puppet ignores it for properties
            draft.namevars[name] = None

    # --- the Resource API

    def _register_type(self, call: RubyCall, names: Names) -> None:
        """Read the hash of `register_type`: names and behaviours of attributes, title patterns."""
        elements = call.arguments if is_pair(call.first) else _split_group(call.first, "{")
        parts = dict(read_pairs(elements, names))
        draft = self.drafts[require_kind(read_value(parts.get("name", []), names), str)] = TypeDraft()
        try:
            for attribute, value in read_pairs(_split_group(parts.get("attributes", []), "{"), names):
                options = dict(read_pairs(_split_group(value, "{"), names))
                behaviour = options.get("behaviour") or options.get("behavior")
                meaning = read_value(behaviour, names) if behaviour else ""
                draft.attributes[str(attribute)] = (
                    "param" if meaning in ("namevar", "parameter") else "property",
                    "",
                    (),
                )
                if meaning == "namevar":
                    draft.namevars[str(attribute)] = None
            if "title_patterns" in parts:
                draft.patterns = tuple(
                    _to_named_pattern(dict(read_pairs(_split_group(group, "{"), names)), names)
                    for group in _split_group(parts["title_patterns"], "[")
                )
        except UnsupportedSyntax:
            draft.complete = False


# The beginning of Ruby's message, which depends on its version, and our own words.
_MALFORMED = "{path}: syntax error, quotes, brackets or words such as `do` and `end` do not match"
# The message of Puppet for a source whose type has not the name of the file, so that Puppet loads it once more. The
# caller of `read` fills in the path.
_OF_OTHER_NAME = (
    "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{type}'."
    " Originally set at file://{{path}}?line={line}."
)


def read(name: str, text: str) -> DeclaredType | None:
    """Return the record of a type from its source; None if that may declare it or not."""
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
    kind, attribute = draft.repeated
    return DeclaredType(
        draft.attributes,
        tuple(draft.namevars),
        draft.patterns,
        draft.complete and not is_reopened,
        draft.isomorphic,
        _REPEATED[kind].format(name, attribute, name.capitalize(), attribute.capitalize()),
    )


# --- statements


def _is_name(statement: Parts, index: int, name: str) -> bool:
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


def _read_assignment(statement: Parts, names: Names) -> bool:
    """Set a name, or remove it if its value is unknown; return False if this is no assignment."""
    if not _is_assignment(statement):
        return False
    target = str(getattr(statement[0], "value", ""))
    names.pop(target, None)
    if is_word(statement[1], "="):
        with suppress(UnsupportedSyntax):
            names[target] = read_value(statement[2:], names)
    return True


def _parse_call(statement: Parts) -> RubyCall:
    """Return the call that a statement is. Raises UnsupportedSyntax."""
    index = 0
    while len(statement) > index + 1 and is_word(statement[index + 1], ".", "::"):
        index += 2
    name = require_kind(statement[index] if index < len(statement) else None, RubyToken)
    refuse_if(name.kind != "name")
    receiver = "".join(str(getattr(part, "value", "")) for part in statement[:index])
    rest = statement[index + 1 :]
    last = rest[-1] if rest else None
    block = None
    if isinstance(last, TokenGroup) and (
        last.kind == "do" or (last.kind == "{" and (len(rest) == 1 or is_group(rest[-2], "(")))
    ):
        block = last
        rest = rest[:-1]
    if len(rest) == 1 and isinstance(rest[0], TokenGroup) and rest[0].kind == "(":
        rest = rest[0].parts
    return RubyCall(receiver, str(name.value), split_parts(rest, ","), block)


def _split_group(parts: Parts, kind: str) -> list[Parts]:
    """Return the elements of an array or hash. Raises UnsupportedSyntax."""
    group = require_kind(parts[0] if parts else None, TokenGroup)
    refuse_if(group.kind != kind)
    return split_parts(group.parts, ",")


def _list_parts_before(parts: Parts, *words: str) -> Parts:
    return parts[: next((index for index, part in enumerate(parts) if is_word(part, *words)), len(parts))]


def _read_result(body: Parts, names: Names) -> Any:
    """Return the value of a method's last statement. Raises UnsupportedSyntax."""
    names = dict(names)
    value = None
    for statement in split_statements(body):
        if not _read_assignment(statement, names):
            value = read_value(statement[is_word(statement[0], "return") :], names)
    return value


def _cut_first_sentence(text: object) -> str:
    return (
        " ".join(require_kind(text, str).strip().partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    )


# --- title patterns


def _to_pattern(row: Any) -> Pattern:
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
    words = [str(getattr(part, "value", "")).strip() for part in conversion.block.parts]
    bar, name, *rest = [*filter(None, words), "", ""]
    return bar == "|" and rest[:2] == ["|", name] and not any(rest[2:])


def _to_named_pattern(row: dict[object, Parts], names: Names) -> Pattern:
    """Return the title pattern of a regular expression whose groups have names of attributes."""
    pattern = require_kind(read_value(row.get("pattern", []), names), RubyRegexp)
    return pattern.text, tuple(re.findall(r"\(\?<([a-z_]\w*)>", pattern.source))


# --- literals


# The values of local variables and constants.
Names = dict[str, object]

_MAX_SIZE = 10_000  # elements of an array
_LITERAL_WORDS: dict[Any, object] = {"nil": None, "true": True, "false": False}
# Methods that return their receiver here.
_CONVERSIONS = frozenset({"freeze", "dup", "to_s", "to_sym", "intern"})


class RubyRegexp:
    """A regular expression; `text` includes its options, as Ruby prints it: `(?m-ix:…)`."""

    def __init__(self, source: str, flags: str) -> None:
        on = "".join(flag for flag in "mix" if flag in flags)
        off = "".join(flag for flag in "mix" if flag not in flags)
        self.source = source
        self.text = f"(?{on}{'-' + off if off else ''}:{source})"


class RubyLambda(Record):
    """A lambda, which is not evaluated."""

    block: TokenGroup


def split_parts(parts: Parts, word: str) -> list[Parts]:
    """Return the parts between the operators `word`, without ends of lines."""
    pieces: list[Parts] = [[]]
    for part in parts:
        if is_word(part, word):
            pieces.append([])
        elif isinstance(part, TokenGroup) or part.kind != "line":
            pieces[-1].append(part)
    return pieces if pieces[-1] else pieces[:-1]


def is_pair(parts: Parts) -> bool:
    """Return whether an argument or element is a pair `key: value` or `key => value`."""
    is_labelled = bool(parts) and isinstance(parts[0], RubyToken) and parts[0].kind == "label"
    return is_labelled or any(is_word(part, "=>") for part in parts)


def read_pairs(elements: list[Parts], names: Names) -> Iterator[tuple[object, Parts]]:
    """Yield the key and the unread value of each pair. Raises UnsupportedSyntax."""
    for element in elements:
        first = element[0] if element else None
        if isinstance(first, RubyToken) and first.kind == "label":
            yield first.value, element[1:]
            continue
        left, right = [*split_parts(element, "=>"), [], []][:2]
        key = read_value(left, names)
        refuse_if(not isinstance(key, str | int | None))
        yield key, right


def read_value(parts: Parts, names: Names) -> Any:
    """Return the value of a literal, a name or a sum of arrays. Raises UnsupportedSyntax."""
    operands = [_read_operand(operand, names) for operand in split_parts(parts, "+")]
    if len(operands) == 1:
        return operands[0]
    items: list[object] = []
    for operand in operands:
        refuse_if(len(items) > _MAX_SIZE)
        items += require_kind(operand, list)
    return items


def _read_operand(parts: Parts, names: Names) -> object:
    """Return the value of an operand: a literal or name, adjacent strings, a lambda."""
    while len(parts) > 2 and is_word(parts[-2], ".") and str(getattr(parts[-1], "value", "")) in _CONVERSIONS:
        parts = parts[:-2]
    last = parts[-1] if parts else None
    if len(parts) == 1:
        return _read_group(last, names) if isinstance(last, TokenGroup) else _read_token(parts[0], names)
    if isinstance(last, TokenGroup) and getattr(parts[0], "value", "") in ("->", "lambda", "proc"):
        return RubyLambda(last)
    refuse_if(not parts or any(getattr(part, "kind", "") != "text" for part in parts))
    return "".join([str(_read_token(part, names)) for part in parts])


def _read_group(group: TokenGroup, names: Names) -> object:
    elements = split_parts(group.parts, ",")
    match group.kind:
        case "[":
            return [read_value(element, names) for element in elements]
        case "{":
            return {key: read_value(value, names) for key, value in read_pairs(elements, names)}
        case "(":
            return read_value(group.parts, names)
    raise UnsupportedSyntax


def _read_token(token: Any, names: Names) -> object:
    value: Any = token.value
    match token.kind:
        case "text":
            return _join(value, names)
        case "symbol" | "words":
            return value
        case "number":
            return float(value) if "." in value else int(value, 0) if value.startswith("0x") else int(value)
        case "regexp":
            return RubyRegexp(_join(value, names), token.flags)
        case "name" | "constant" if value in names:
            return names[value]
        case "keyword" if value in _LITERAL_WORDS:
            return _LITERAL_WORDS[value]
    raise UnsupportedSyntax


def _join(parts: Text, names: Names) -> str:
    """Return the text of a string or regular expression with the values that it interpolates."""
    texts = []
    for part in parts:
        value = part if isinstance(part, str) else read_value(group_tokens(part), names)
        refuse_if(not isinstance(value, str | int | RubyRegexp))
        texts.append(value.text if isinstance(value, RubyRegexp) else str(value))
    return "".join(texts)
