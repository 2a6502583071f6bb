"""Help cards: what is known about a function, a variable, a type, a keyword or a definition of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evaluator import resource_types
from evaluator.assistance.candidates import Candidate, find_resource_type, find_variable
from evaluator.assistance.documentation import Documentation, find_documentation
from evaluator.assistance.words import ReferenceEntry, find_language_entries, find_metaparameter, find_type
from evaluator.assistance.words.resources import EXAMPLES
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

KINDS = {"classes": "class", "defines": "define", "functions": "function", "types": "type"}
_FRAME = LazyPattern(r"^Error while evaluating a \w+ [Cc]all,\s+")  # precedes every failure of a function
LONG_HEAD = 6  # lines; parameters of a longer head are listed in a table


class Card:
    """A card of help about a name.

    Attributes:
        kind: The kind of the described thing, such as "function".
        name: The name, such as "join".
        signatures: Lines of Puppet code that show its syntax.
        words: A description of a few sentences.
        value: The value of a variable in a list, else an empty list.
        header: The names of the columns of `rows`.
        rows: A table: attributes or parameters as (name, description, details), or types as (type, an instance, not an
            instance).
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
        given = [*example.logs, *([example.result] if example.result else [])]
        error = [f"# error: {_FRAME.sub('', example.error)}"] if example.error else []
        shown.append("\n".join([prompt, *given, *error]))
    return "\n\n".join(shown)


def shorten_text(text: str, limit: int = 200) -> str:
    """Return a text, without its end if it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


# --- The language


def make_language_cards(session: Session, name: str) -> list[Card]:
    """Return a card for each meaning of a keyword, an operator or a topic."""
    return [_make_words_card(session, words, name, "language") for words in find_language_entries(name)]


def make_metaparameter_card(session: Session, name: str) -> Card | None:
    """Return the card of a metaparameter, which every resource has."""
    words = find_metaparameter(name)
    return _make_words_card(session, words, name, "metaparameter") if words is not None else None


def make_rule_card(session: Session, name: str) -> Card | None:
    """Return the card of a rule in which the dialects differ, by the name that notes use for it."""
    if name not in SWITCHES:
        return None
    state = "on" if getattr(session.runtime.dialect, name) else "off"
    owners = name_dialects_with(name)
    article = "the " if owners.startswith("specification") else ""
    return Card(
        *("rule", name),
        words=SWITCHES[name],
        origin=f"rule of {article}{owners}, {state} in this session",
    )


def _make_words_card(session: Session, words: ReferenceEntry, name: str, kind: str) -> Card:
    origin = {"language": "Puppet language", "metaparameter": "metaparameter: every resource has it"}[kind]
    return Card(
        "keyword" if kind == "language" else kind,
        name,
        signatures=words.usage,
        words=words.words,
        remarks=_name_dialects(words),
        examples=format_examples(words.examples(session.runtime.dialect)),
        origin=origin,
    )


def _name_dialects(words: ReferenceEntry) -> list[tuple[str, str]]:
    return [("dialects", words.dialects)] if words.dialects else []


# --- Types


def make_type_card(session: Session, name: str) -> Card | None:
    """Return the card of a data type, or of a type alias of the program or of a module."""
    words = find_type(name)
    if words is not None and find_builtin_type(words.name, session.runtime.dialect) is not None:
        remarks = [("new", words.new)] if words.new else []
        if words.under:
            remarks.append(("parents", ", ".join(words.under)))
        return Card(
            "type",
            words.name,
            signatures=words.usage,
            words=words.words,
            header=("type", "instances", "not instances") if words.members else (),
            rows=words.members,
            remarks=[*remarks, *_name_dialects(words)],
            examples=format_examples(words.examples(session.runtime.dialect)),
            origin="data type",
        )
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
    """Return the card of a class, define, function or type alias of the program or of a module."""
    name = name.removeprefix("::").lower()
    for table in tables:
        found = find_documentation(session, table, name)
        if found is not None:
            return _make_definition_card(session, KINDS[table], name, found)
    return None


def _make_definition_card(session: Session, kind: str, name: str, found: Documentation) -> Card:
    listed = bool(found.comment[1]) or found.head.count("\n") >= LONG_HEAD
    head = found.head.partition("(")[0].strip() if listed and found.parameters else found.head
    rows = found.parameters if listed else []
    return Card(
        kind,
        found.node.name if kind == "type" else name,
        signatures=head.split("\n") if head else [f"{kind} {name}"],
        words=found.comment[0],
        rows=rows,
        source=found.text,
        origin=_describe_origin(session, kind, name, found),
    )


def _describe_origin(session: Session, kind: str, name: str, found: Documentation) -> str:
    file = found.source.name
    line = found.source.text.count("\n", 0, found.node.start) + 1
    place = f"{file}:{line}" if file else "this program"
    origin = f"{'type alias' if kind == 'type' else kind} of {place}"
    if kind == "class":
        done = name in session.runtime.state.classes
        origin += ", evaluated" if done else f"; include {name} evaluates it"
    return origin


# --- Resource types


def make_resource_type_card(session: Session, name: str) -> Card | None:
    """Return the card of a resource type with its own attributes, without metaparameters."""
    name = name.lower().removeprefix("::")
    known = get_type_facts(session.runtime.settings, name)
    if known is None:
        return None
    example = EXAMPLES.get(name) or f"{name} {{ 'title': }}"
    return Card(
        "resource type",
        name,
        signatures=example.split("\n"),
        words=_to_sentence(known.words),
        rows=[_make_attribute_row(known, key) for key in _sort_attributes(known)],
        remarks=[
            ("and", f"the metaparameters that every resource has: {', '.join(sorted(get_metaparameters()))}")
        ],
        origin=f"resource type of {'Puppet' if known.module == 'core' else known.module}",
    )


def _to_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.endswith(".") else text


def _sort_attributes(known: TypeFacts) -> list[str]:
    """Return the names of attributes: `ensure` and the namevar, then properties, then parameters."""
    ranks = {"property": 2, "param": 3}

    def rank(name: str) -> tuple[int, str]:
        if name == "ensure":
            return 0, name
        return 1 if name in known.namevars else ranks.get(known.attributes[name].kind, 3), name

    return sorted(known.attributes, key=rank)


def _make_attribute_row(known: TypeFacts, name: str) -> tuple[str, str, str]:
    fact = known.attributes[name]
    words = fact.words.removesuffix("namevar").rstrip(", ;")
    if name in known.namevars:
        words = f"{words}; by default the title".removeprefix("; ")
    return name, words, f"({listed})" if (listed := list_values(fact)) else ""


def list_values(attribute: AttributeFacts) -> str:
    """Return the values of an attribute in one line; "" if any is allowed or its description lists them."""
    fixed = [value for value in attribute.values if not value.startswith("/")]
    known = re.findall(r"[\w-]+", attribute.words)
    return "" if set(fixed) <= set(known) else shorten_text(", ".join(fixed), 120)


def make_attribute_card(session: Session, item: Candidate, type_name: str) -> Card:
    """Return the card of an attribute of a resource at the cursor, or of a parameter."""
    metaparameter = make_metaparameter_card(session, item.text)
    if metaparameter is not None and item.kind == "attribute":
        return metaparameter
    rows = []
    known = find_resource_type(session, type_name)
    if known is not None:
        fact = known.attributes.get(item.text) or get_metaparameters().get(item.text)
        if fact is not None and (listed := list_values(fact)):
            rows = [("values", listed, "")]
    return Card(
        item.kind, item.text, words=_to_sentence(item.words), rows=rows, origin=f"{item.kind} of {type_name}"
    )


def make_attribute_cards(session: Session, name: str) -> list[Card]:
    """Return the card of `file.ensure`, or a card of `ensure` in each resource type."""
    kind, dot, attribute = name.rpartition(".")
    if dot:
        known = resource_types.get_attributes(kind.lower()) if resource_types.is_known(kind.lower()) else {}
        fact = known.get(attribute)
        return (
            [make_attribute_card(session, Candidate(attribute, "attribute", fact.words), kind.lower())]
            if fact
            else []
        )
    owners = {
        kind: resource_types.get_facts(kind).attributes.get(name)
        for kind in sorted(resource_types.list_names())
    }
    rows = [(kind, fact.words, list_values(fact)) for kind, fact in owners.items() if fact is not None]
    return [Card("attribute", name, rows=rows, origin="attribute of these resource types")] if rows else []
