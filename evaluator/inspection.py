"""Inspection: what is known about the name at the cursor, as a help card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.completion import about, all_variables, attributes
from evaluator.cursor import KEYWORDS, Token, enclosing_body, scan
from evaluator.definitions import Definition

TYPES: dict[str, tuple[str, str]] = {
    "Any": ("Any", "Everything."),
    "Array": ("Array[Type, min, max]", "An ordered list of values."),
    "Binary": ("Binary", "A sequence of bytes."),
    "Boolean": ("Boolean", "true or false."),
    "Callable": ("Callable[Type, …, min, max, Block]", "What can be called: lambdas and functions."),
    "CatalogEntry": ("CatalogEntry", "References to resources and classes."),
    "Class": ("Class[name]", "A reference to a class."),
    "Collection": ("Collection[min, max]", "An Array or a Hash."),
    "Data": ("Data", "What data files can hold: scalars, undef, arrays and hashes of them."),
    "Default": ("Default", "The value `default`."),
    "Deferred": ("Deferred(name, arguments)", "A call that is made later, where the catalog is applied."),
    "Enum": ("Enum['a', 'b']", "One of the given strings."),
    "Error": ("Error[kind, issue_code]", "A description of what went wrong."),
    "Float": ("Float[from, to]", "A number with a fraction."),
    "Hash": ("Hash[Key, Value, min, max]", "Pairs of keys and values, in their order."),
    "Init": ("Init[Type]", "Values from which an instance of the type can be made."),
    "Integer": ("Integer[from, to]", "A whole number."),
    "Iterable": ("Iterable[Type]", "What can be iterated over: arrays, hashes, strings, ranges."),
    "Iterator": ("Iterator[Type]", "What `step` and `reverse_each` give."),
    "NotUndef": ("NotUndef[Type]", "Everything of the type but undef."),
    "Numeric": ("Numeric", "An Integer or a Float."),
    "Object": ("Object[{…}]", "A type with attributes and functions of its own."),
    "Optional": ("Optional[Type]", "undef or an instance of the type."),
    "Pattern": ("Pattern[/regexp/, …]", "A string that matches one of the patterns."),
    "Regexp": ("Regexp[/regexp/]", "A regular expression."),
    "Resource": ("Resource[type, title]", "A reference to a resource."),
    "RichData": ("RichData", "Data, and all values that a catalog can hold."),
    "Runtime": ("Runtime[name, pattern]", "A value of the host."),
    "Scalar": ("Scalar", "A single value: number, string, boolean, regexp, time, version."),
    "ScalarData": ("ScalarData", "A number, string or boolean."),
    "SemVer": ("SemVer['>=1.0.0']", "A semantic version."),
    "SemVerRange": ("SemVerRange", "A range of semantic versions."),
    "Sensitive": ("Sensitive[Type]", "A value that is never shown."),
    "String": ("String[min, max]", "A text."),
    "Struct": ("Struct[{key => Type}]", "A hash with exactly these keys."),
    "Timespan": ("Timespan[from, to]", "A length of time."),
    "Timestamp": ("Timestamp[from, to]", "A moment in time."),
    "Tuple": ("Tuple[Type, …, min, max]", "An array with a type for each place."),
    "Type": ("Type[Type]", "A type."),
    "TypeSet": ("TypeSet[{…}]", "A named set of types."),
    "URI": ("URI[{scheme => …}]", "A uniform resource identifier."),
    "Undef": ("Undef", "The value `undef`."),
    "Variant": ("Variant[Type, …]", "An instance of any of the types."),
}


class Card:
    """What is known about a name.

    kind, name  "function" and "join", say
    signatures  lines of Puppet code: how it is written
    words       a few sentences
    header, rows  a table: attributes, parameters, the value of a variable
    examples    Puppet code with its results
    source      its definition, when it is the program's own
    origin      one line: where it comes from
    """

    __slots__ = ("examples", "header", "kind", "name", "origin", "rows", "signatures", "source", "words")

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        signatures: Sequence[str] = (),
        words: str = "",
        header: Sequence[str] = (),
        rows: Sequence[tuple[str, ...]] = (),
        examples: str = "",
        source: str = "",
        origin: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.signatures = tuple(signatures)
        self.words = words
        self.header = tuple(header)
        self.rows = tuple(rows)
        self.examples = examples
        self.source = source
        self.origin = origin


def inspect(session: Any, source: str, cursor: int) -> Card | None:
    """The card of the name at `cursor`, or of the function around it; None when there is neither."""
    tokens = [token for token in scan(source) if token.kind != "comment"]
    at = next(
        (i for i, token in enumerate(tokens) if token.start <= cursor <= token.end and _names(token)), None
    )
    if at is not None:
        found = _card_at(session, tokens, at)
        if found is not None:
            return found
    call = _enclosing_call(tokens, cursor)
    return function_card(session, call) if call else None


def _names(token: Token) -> bool:
    return token.kind in ("name", "variable") and token.text != "$"


def _enclosing_call(tokens: list[Token], cursor: int) -> str | None:
    stack: list[str | None] = []
    previous: Token | None = None
    for token in tokens:
        if token.start >= cursor:
            break
        if token.kind == "mark" and token.text in "([{":
            called = token.text == "(" and previous is not None and previous.kind == "name"
            stack.append(previous.text if called and previous is not None else None)
        elif token.kind == "mark" and token.text in ")]}" and stack:
            stack.pop()
        previous = token
    return next((name for name in reversed(stack) if name), None)


def _card_at(session: Any, tokens: list[Token], at: int) -> Card | None:
    token = tokens[at]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    preceding = tokens[at - 1].text if at else ""
    if token.kind == "variable":
        return variable_card(session, token.text[1:])
    body = enclosing_body(tokens[:at])
    if body is not None and body.wants == "attribute" and following in ("=>", "+>", ""):
        for item in attributes(session, body):
            if item.text == token.text:
                return Card(item.kind, item.text, words=item.words, origin=f"{item.kind} of {body.type_name}")
    if following == "{" and preceding != "class":
        found = resource_type_card(session, token.text) or definition_card(session, token.text)
        return found or named_card(session, token.text)
    return named_card(session, token.text)


def named_card(session: Any, name: str) -> Card | None:
    """The likeliest card of a name, or None."""
    return next(iter(named_cards(session, name)), None)


def named_cards(session: Any, name: str) -> list[Card]:
    """The cards of whatever bears a name: variable, function, class, resource type, data type, keyword."""
    if name.startswith("$"):
        found = [variable_card(session, name[1:])]
    elif name[:1].isupper():
        found = [type_card(session, name), resource_type_card(session, name)]
    elif name in KEYWORDS:
        found = [Card("keyword", name, words=KEYWORDS[name], origin="keyword")]
    else:
        found = [maker(session, name) for maker in (function_card, definition_card, resource_type_card)]
        found += [variable_card(session, name)]
    return [card for card in found if card is not None]


def variable_card(session: Any, name: str) -> Card | None:
    """A variable's type and value. What is Sensitive stays hidden."""
    known = dict(all_variables(session))
    name = name.removeprefix("::")
    if name not in known:
        return None
    from evaluator.types import infer

    value = known[name]
    rows = [("value", about(value)), ("type", _short(str(infer(value, session.runtime.dialect))))]
    return Card("variable", f"${name}", signatures=[f"${name}"], rows=rows, origin="variable")


def _short(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def function_card(session: Any, name: str) -> Card | None:
    """A function's signatures, words and examples."""
    from evaluator.functions import lookup

    own = session.runtime.state.definitions.functions.get(name.removeprefix("::"))
    if own is not None:
        return _own_function(name, own)
    function = lookup(name, session.runtime.dialect)
    if function is None:
        return None
    shown = []
    for example in function.examples:
        prompt = "\n".join(f"> {line}" for line in example.source.split("\n"))
        given = [*example.logs, *([example.result] if example.result else [])]
        shown.append("\n".join([prompt, *given, *([f"# error: {example.error}"] if example.error else [])]))
    return Card(
        "function",
        name,
        signatures=function.signatures,
        words=function.words,
        examples="\n\n".join(shown),
        origin=f"function of {'Puppet' if function.origin == 'puppet' else function.origin}",
    )


def _own_function(name: str, function: Any) -> Card:
    source, head = _definition_text(function)
    return Card(
        "function",
        name,
        signatures=[head] if head else [name],
        source=source,
        origin="function of this program",
    )


def _definition_text(definition: Any) -> tuple[str, str]:
    """The source of a definition and its head, up to the body."""
    if isinstance(definition, Definition):
        source, node = definition.site.source, definition.site.node
    else:
        source, node = definition.unit.source, definition.node
    text = source.text[node.start : node.end]
    depth = 0
    for token in scan(text):
        if token.kind == "mark" and token.text == "{" and depth == 0:
            return text, text[: token.start].strip()
        depth += token.kind == "mark" and (token.text in "([{") - (token.text in ")]}")
    return text, text


def definition_card(session: Any, name: str) -> Card | None:
    """A class or define of the program: its parameters and its source."""
    definitions = session.runtime.state.definitions
    name = name.removeprefix("::").lower()
    definition = definitions.classes.get(name) or definitions.defines.get(name)
    if definition is None:
        return None
    source, head = _definition_text(definition)
    return Card(
        definition.kind,
        name,
        signatures=[head] if head else [f"{definition.kind} {name}"],
        source=source,
        origin=f"{definition.kind} of this program",
    )


def type_card(session: Any, name: str) -> Card | None:
    """A data type, or a type alias of the program."""
    known = {key.casefold(): (key, *told) for key, told in TYPES.items()}
    if name.casefold() in known:
        key, signature, words = known[name.casefold()]
        return Card("type", key, signatures=[signature], words=words, origin="data type")
    alias = session.runtime.state.definitions.types.get(name.lower())
    if alias is None:
        return None
    right = alias.node.type
    written = f"type {alias.node.name} = {alias.unit.source.text[right.start : right.end]}"
    return Card("type", name, signatures=[written], origin="type alias of this program")


def resource_type_card(session: Any, name: str) -> Card | None:
    """A resource type's own attributes; those that every resource has are left out."""
    from evaluator import resource_types

    name = name.lower().removeprefix("::")
    if not resource_types.exists(name):
        return None
    known = resource_types.facts(name)
    return Card(
        "resource type",
        name,
        signatures=[f"{name} {{ 'title': attribute => value }}"],
        words=known.words,
        header=("attribute", "", "values"),
        rows=[(key, fact.words, values_of(fact)) for key, fact in known.attributes.items()],
        origin=f"resource type of {'Puppet' if known.module == 'core' else known.module}",
    )


def values_of(attribute: Any) -> str:
    """The values that an attribute can take, in one line; "" when it is open."""
    return _short(", ".join(attribute.values), 60)
