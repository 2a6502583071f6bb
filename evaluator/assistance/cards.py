"""Help cards, which describe functions, variables, types, keywords and definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evaluator import resource_types
from evaluator.assistance.candidates import (
    Candidate,
    find_resource_type,
    find_variable,
    list_plain_values,
)
from evaluator.assistance.documentation import Documentation, find_documentation, shorten_text
from evaluator.assistance.words import ReferenceEntry, find_language_entries, find_metaparameter, find_type
from evaluator.assistance.words.resources import EXAMPLES
from evaluator.calling.registry import to_plain_name
from evaluator.functions import find_function
from evaluator.program.definitions import MISSING
from evaluator.program.modules import get_type_facts
from evaluator.resource_types import get_metaparameters
from evaluator.types import describe_outline, find_builtin_type
from lexer_parser.dialect import SWITCHES, name_dialects_with
from lexer_parser.lazy import LazyPattern

if TYPE_CHECKING:
    from evaluator.calling.registry import Example
    from evaluator.resource_types import AttributeFacts, TypeFacts
    from evaluator.session.session import Session
    from evaluator.values import Value

DEFINITION_KINDS = {"classes": "class", "defines": "define", "functions": "function", "types": "type"}
# precedes every failure of a function
_FAILURE_PREFIX = LazyPattern(r"^Error while evaluating a \w+ [Cc]all,\s+")
LONGEST_HEAD = 6  # lines; parameters of a longer head are listed in a table


class Card:
    """A card of help about a name.

    Attributes:
        kind: The kind of the described thing, such as "function".
        name: The name, such as "join".
        signatures: Lines of Puppet code that show its syntax.
        words: A description of a few sentences.
        value: A list with the value of a variable, which may be undef; empty for anything else.
        header: The names of the columns of `rows`; without it they are name, description and details.
        rows: A table of attributes, of parameters, of accepted values, or of types with instances.
        remarks: Pairs of a label and a sentence.
        examples: Puppet code with its results.
        source: The definition, if it belongs to the program.
        origin: One line that states where it comes from.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        signatures: Sequence[str] = (),
        words: str = "",
        value: Sequence[Value] = (),
        header: Sequence[str] = (),
        rows: Sequence[tuple[str, ...]] = (),
        remarks: Sequence[tuple[str, str]] = (),
        examples: str = "",
        source: str = "",
        origin: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.signatures = tuple(signatures)
        self.words = words
        self.value = tuple(value)
        self.header = tuple(header)
        self.rows = tuple(rows)
        self.remarks = tuple(remarks)
        self.examples = examples
        self.source = source
        self.origin = origin


def format_examples(examples: Iterable[Example]) -> str:
    """Return examples as they look at a prompt."""
    shown = []
    for example in examples:
        prompt = "\n".join(f"> {line}" for line in example.source.split("\n"))
        output = [*example.logs, *([example.result] if example.result else [])]
        error = [f"# error: {_FAILURE_PREFIX.sub('', example.error)}"] if example.error else []
        shown.append("\n".join([prompt, *output, *error]))
    return "\n\n".join(shown)


# --- The language


def make_language_cards(session: Session, name: str) -> list[Card]:
    """Return a card for each meaning of a keyword, an operator or a topic."""
    return [
        _make_entry_card(session, entry, "keyword", name, "Puppet language")
        for entry in find_language_entries(name)
    ]


def make_metaparameter_card(session: Session, name: str) -> Card | None:
    """Return the card of a metaparameter, which every resource has."""
    entry = find_metaparameter(name)
    if entry is None:
        return None
    return _make_entry_card(session, entry, "metaparameter", name, "metaparameter: every resource has it")


def make_rule_card(session: Session, name: str) -> Card | None:
    """Return the card of a rule in which the dialects differ, by the name that notes use for it."""
    if name not in SWITCHES:
        return None
    state = "on" if getattr(session.runtime.dialect, name) else "off"
    owners = name_dialects_with(name)
    article = "the " if owners.startswith("specification") else ""
    origin = f"rule of {article}{owners}, {state} in this session"
    return Card("rule", name, words=SWITCHES[name], origin=origin)


def _make_entry_card(session: Session, entry: ReferenceEntry, kind: str, name: str, origin: str) -> Card:
    remarks = [("new", entry.new), ("parents", ", ".join(entry.supertypes)), ("dialects", entry.dialects)]
    return Card(
        kind,
        name,
        signatures=entry.usage,
        words=entry.words,
        header=("type", "instances", "not instances") if entry.instance_rows else (),
        rows=entry.instance_rows,
        remarks=[(label, text) for label, text in remarks if text],
        examples=format_examples(entry.examples(session.runtime.dialect)),
        origin=origin,
    )


# --- Types


def make_type_card(session: Session, name: str) -> Card | None:
    """Return the card of a data type, or of a type alias of the program or of a module."""
    entry = find_type(name)
    if entry is not None and find_builtin_type(entry.name, session.runtime.dialect) is not None:
        return _make_entry_card(session, entry, "type", entry.name, "data type")
    return make_definition_card(session, name, ("types",))


# --- Variables


def make_variable_card(session: Session, name: str) -> Card | None:
    """Return the card of a variable with its type and value. A Sensitive stays hidden."""
    name = name.removeprefix("::")
    value = find_variable(session, name, MISSING)
    if value is MISSING:
        return None
    kind = shorten_text(describe_outline(value, session.runtime.dialect))
    return Card(
        "variable",
        f"${name}",
        signatures=[f"${name}"],
        value=[value],
        remarks=[("type", kind)],
        origin="variable",
    )


# --- Functions


def make_function_card(session: Session, name: str) -> Card | None:
    """Return the card of a function with its signatures, description and examples."""
    own = make_definition_card(session, name, ("functions",))
    if own is not None:
        return own
    function = find_function(name, session.runtime.dialect)
    if function is None:
        return None
    return Card(
        "function",
        name,
        signatures=function.usage,
        words=function.words,
        examples=format_examples(function.examples),
        origin=f"function of {'Puppet' if function.origin == 'puppet' else function.origin}",
    )


# --- Definitions


def make_definition_card(
    session: Session, name: str, tables: Sequence[str] = ("classes", "defines")
) -> Card | None:
    """Return the card of a class, define, function or type alias of the program or of a module.

    The name is looked up in each of the tables: "classes", "defines", "functions" or "types".
    """
    name = to_plain_name(name)
    for table in tables:
        documentation = find_documentation(session, table, name)
        if documentation is not None:
            return _make_definition_card(session, DEFINITION_KINDS[table], name, documentation)
    return None


def _make_definition_card(session: Session, kind: str, name: str, documentation: Documentation) -> Card:
    head, comment = documentation.head, documentation.comment
    is_long = len(head.split("\n")) > LONGEST_HEAD
    rows = documentation.parameter_rows if comment.parameters or is_long else []
    if rows:  # which show the parameters
        head = head.partition("(")[0].strip()
    return Card(
        kind,
        documentation.node.name if kind == "type" else name,
        signatures=head.split("\n") if head else [f"{kind} {name}"],
        words=comment.words,
        rows=rows,
        source=documentation.text,
        origin=_describe_origin(session, kind, name, documentation),
    )


def _describe_origin(session: Session, kind: str, name: str, documentation: Documentation) -> str:
    file = documentation.source.name
    line = documentation.source.text.count("\n", 0, documentation.node.start) + 1
    place = f"{file}:{line}" if file else "this program"
    origin = f"{'type alias' if kind == 'type' else kind} of {place}"
    if kind == "class":
        is_evaluated = name in session.runtime.state.classes
        origin += ", evaluated" if is_evaluated else f"; include {name} evaluates it"
    return origin


# --- Resource types


def make_resource_type_card(session: Session, name: str) -> Card | None:
    """Return the card of a resource type with its own attributes, without metaparameters."""
    name = to_plain_name(name)
    facts = get_type_facts(session.runtime.settings, name)
    if facts is None:
        return None
    example = EXAMPLES.get(name) or f"{name} {{ 'title': }}"
    return Card(
        "resource type",
        name,
        signatures=example.split("\n"),
        words=_to_sentence(facts.words),
        rows=[_make_attribute_row(facts, key) for key in _sort_attributes(facts)],
        remarks=[
            ("and", f"the metaparameters that every resource has: {', '.join(sorted(get_metaparameters()))}")
        ],
        origin=f"resource type of {'Puppet' if facts.module == 'core' else facts.module}",
    )


def _to_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.endswith(".") else text


def _sort_attributes(facts: TypeFacts) -> list[str]:
    """Return the names of attributes: `ensure` and the namevar, then properties, then parameters."""

    def make_key(name: str) -> tuple[int, str]:
        if name == "ensure":
            return 0, name
        if name in facts.namevars:
            return 1, name
        return 2 if facts.attributes[name].kind == "property" else 3, name

    return sorted(facts.attributes, key=make_key)


def _make_attribute_row(facts: TypeFacts, name: str) -> tuple[str, str, str]:
    attribute = facts.attributes[name]
    words = attribute.words.removesuffix("namevar").rstrip(", ;")
    if name in facts.namevars:
        words = f"{words}; by default the title" if words else "by default the title"
    values = _format_values(attribute)
    return name, words, f"({values})" if values else ""


def _format_values(attribute: AttributeFacts) -> str:
    """Return the values of an attribute in one line; "" if any is allowed or its description lists them."""
    values = list_plain_values(attribute)
    described = re.findall(r"[\w-]+", attribute.words)
    return "" if set(values) <= set(described) else shorten_text(", ".join(values), limit=120)


def make_attribute_card(session: Session, item: Candidate, type_name: str) -> Card:
    """Return the card of an attribute of a resource at the cursor, or of a parameter."""
    metaparameter = make_metaparameter_card(session, item.text)
    if metaparameter is not None and item.kind == "attribute":
        return metaparameter
    facts = find_resource_type(session, type_name)
    known = {**get_metaparameters(), **facts.attributes} if facts is not None else {}
    values = _format_values(known[item.text]) if item.text in known else ""
    rows = [("values", values, "")] if values else []
    return Card(
        item.kind, item.text, words=_to_sentence(item.words), rows=rows, origin=f"{item.kind} of {type_name}"
    )


def make_attribute_cards(session: Session, name: str) -> list[Card]:
    """Return the card of `file.ensure`; for `ensure`, one that lists the types with it."""
    type_name, dot, own_name = name.rpartition(".")
    if dot:
        type_name = type_name.lower()
        is_known = resource_types.is_known(type_name)
        attribute = resource_types.get_attributes(type_name).get(own_name) if is_known else None
        if attribute is None:
            return []
        return [make_attribute_card(session, Candidate(own_name, "attribute", attribute.words), type_name)]
    rows = [
        (type_name, attribute.words, _format_values(attribute))
        for type_name in sorted(resource_types.list_names())
        if (attribute := resource_types.get_facts(type_name).attributes.get(name)) is not None
    ]
    return [Card("attribute", name, rows=rows, origin="attribute of these resource types")] if rows else []
