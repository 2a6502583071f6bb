"""The candidates of completion: the names that the session, the module path and the language have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from evaluator import functions, resource_types, types, values
from evaluator.assistance.cursor import CursorBody
from evaluator.assistance.documentation import find_documentation, shorten_text
from evaluator.assistance.words.statements import KEYWORDS
from evaluator.program import modules
from evaluator.program.modules import get_type_facts
from evaluator.resource_types import get_facts
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record
from lexer_parser.tree.labels import capitalize_segments

if TYPE_CHECKING:
    from evaluator.resource_types import AttributeFacts, TypeFacts
    from evaluator.session.session import Session
    from evaluator.values import Value
    from lexer_parser.source import Source

_ENUM = LazyPattern(r"\bEnum\[([^\]]*)\]")
_LONGEST_STRING = 40  # characters of a string in a description
_QUOTED = LazyPattern(r"'([^'\\]*)'|\"([^\"\\$]*)\"")  # a string without escapes and interpolation


class Candidate(Record):
    """A candidate of completion, or an item of a list of names.

    Attributes:
        text: The text to insert.
        kind: The kind of the thing, such as "variable", "function" or "attribute".
        words: A short description, or "".
    """

    text: str
    kind: str
    words: str = ""


# --- Variables


def find_variable(session: Session, name: str, default: Value = None) -> Value:
    """Return the value of a variable, plain or qualified, as the top scope sees it, or a default."""
    return dict(iterate_variables(session)).get(name.removeprefix("::"), default)


def iterate_variables(session: Session) -> Iterator[tuple[str, Value]]:
    """Yield the names and values of the top scope's variables, then of each evaluated class's, qualified."""
    state = session.runtime.state
    yield from state.top.variables.items()
    for class_name, scope in state.classes.items():
        if scope is not state.top:
            for name, value in scope.variables.items():
                yield f"{class_name}::{name}", value


def find_variables(session: Session, sigil: str, word: str) -> Iterator[Candidate]:
    """Yield the session's variables that begin with a word.

    Args:
        session: The session.
        sigil: The text to insert before the name: "$", or "" in `${name}`.
        word: The beginning of the name, without a sigil. Variables of classes are found if it has a `::` inside.
    """
    absolute = "::" if word.startswith("::") else ""
    word = word.removeprefix("::")
    for name, value in iterate_variables(session):
        if name.startswith(word) and ("::" in word or "::" not in name):
            yield Candidate(f"{sigil}{absolute}{name}", "variable", summarize_value(value))


def summarize_value(value: Value) -> str:
    """Return a few words about a value: its literal, or its kind and size. A Sensitive stays hidden."""
    if isinstance(value, list | dict):
        return f"{values.describe_kind(value)}, {len(value)} {'element' if len(value) == 1 else 'elements'}"
    if isinstance(value, str):
        value = shorten_text(value, _LONGEST_STRING)
    return values.format_literal(value)


def find_keys(value: Value) -> list[Candidate]:
    """Return the keys of a hash that are Strings."""
    if not isinstance(value, dict):
        return []
    return [Candidate(key, "key", summarize_value(value[key])) for key in value if isinstance(key, str)]


# --- Names


def list_keywords() -> Iterator[Candidate]:
    """Yield the keywords."""
    return (Candidate(text, "keyword", words) for text, words in KEYWORDS.items())


def find_functions(session: Session, word: str = "") -> Iterator[Candidate]:
    """Yield the built-in functions, those that the program defines, and those of modules."""
    for name in functions.list_function_names():
        yield Candidate(name, "function")
    yield from find_defined_functions(session, word)


def find_defined_functions(session: Session, word: str) -> Iterator[Candidate]:
    """Yield the functions that the program defines, and those of modules."""
    for function in session.runtime.state.definitions.functions.values():
        yield Candidate(function.name, "function", _describe_origin(session, function.unit.source))
    for name, _ in _find_in_modules(session, "functions", word):
        yield Candidate(name, "function", "of a module")


def find_resource_types(session: Session, word: str = "") -> Iterator[Candidate]:
    """Yield the built-in resource types, and the defines of the program and of modules."""
    for name in resource_types.list_names():
        yield Candidate(name, "resource type", get_facts(name).words)
    for name in modules.list_module_types(session.runtime.settings.modulepath):
        yield Candidate(name, "resource type", "of a module")
    for name, define in session.runtime.state.definitions.defines.items():
        yield Candidate(name, "define", _describe_origin(session, define.site.source))
    yield from _find_in_manifests(session, "define", word)


def find_types(session: Session, word: str = "") -> Iterator[Candidate]:
    """Yield the capitalized names: data types, type aliases, references to resource types and defines."""
    yield from find_data_types(session, word)
    for item in find_resource_types(session, word.lower()):
        yield Candidate(capitalize_segments(item.text), item.kind, item.words)


def find_data_types(session: Session, word: str = "") -> Iterator[Candidate]:
    """Yield the data types and type aliases."""
    for name in types.list_builtin_names(session.runtime.dialect):
        yield Candidate(name, "type")
    for name, alias in session.runtime.state.definitions.types.items():
        yield Candidate(
            capitalize_segments(alias.node.name or name),
            "type",
            _describe_origin(session, alias.source),
        )
    for name, _ in _find_in_modules(session, "types", word):
        yield Candidate(capitalize_segments(name), "type", "of a module")


def find_classes(session: Session, word: str = "") -> Iterator[Candidate]:
    """Yield the classes of the program and of modules."""
    for name, definition in session.runtime.state.definitions.classes.items():
        yield Candidate(name, "class", _describe_origin(session, definition.site.source))
    yield from _find_in_manifests(session, "class", word)


def _describe_origin(session: Session, source: Source) -> str:
    """Return the origin of a definition of the program: the file of a module, or the program itself."""
    return "of a module" if source.name in session.runtime.state.definitions.loaded else "defined here"


def _find_in_manifests(session: Session, kind: str, word: str) -> Iterator[Candidate]:
    """Yield the definitions of a kind in the manifests of modules.

    After `module::` is typed, all definitions of the module are yielded. Before that, each module is represented by its
    main class, or by `module::` if it has none.
    """
    beginning = word.removeprefix("::")
    for name, path in _find_in_modules(session, "manifests", word):
        if not name.startswith(beginning):
            continue  # without reading its file
        actual_kind = modules.find_defined_kind(session.runtime.settings, path, name)
        if actual_kind == kind:
            yield Candidate(name, kind, "of a module")
        elif not actual_kind and "::" not in beginning:
            yield Candidate(f"{name}::", "module", "a module")


def _find_in_modules(session: Session, folder: str, word: str) -> Iterable[tuple[str, str]]:
    """Return names and files in a folder of modules; none before a letter is typed."""
    if not session.runtime.settings.modulepath or not word:
        return ()
    return modules.iterate_names(session.runtime.settings.modulepath, folder, word)


def find_titles(session: Session, type_name: str) -> Iterator[Candidate]:
    """Yield the titles of resources of a type; for Class the classes, for Resource the types."""
    if type_name == "Class":
        yield from find_classes(session)
        return
    if type_name == "Resource":
        yield from find_resource_types(session)
    lowered = type_name.casefold()
    for other_type, title in session.runtime.state.catalog.resources:
        if other_type == lowered:
            yield Candidate(title, "title", f"{type_name}['{title}']")


# --- Resource bodies


def find_attributes(session: Session, body: CursorBody) -> Iterator[Candidate]:
    """Yield the attributes that the resource of a body can have."""
    for name, declaration in _find_parameters(session, body).items():
        yield Candidate(name, "parameter", declaration or "any value")
    for name, attribute in _find_type_attributes(session, body).items():
        yield Candidate(name, "attribute", attribute.words)


def _find_parameters(session: Session, body: CursorBody) -> dict[str, str]:
    """Return the type and default of each parameter of a class or define, by name."""
    documentation = None
    if body.type_name == "class":
        documentation = find_documentation(session, "classes", body.title.removeprefix("::"))
    elif "::" in body.type_name or find_resource_type(session, body.type_name) is None:  # a define
        documentation = find_documentation(session, "defines", body.type_name)
    return documentation.declarations if documentation is not None else {}


def find_resource_type(session: Session, name: str) -> TypeFacts | None:
    """Return the facts about a resource type that is not a define, None for any other word."""
    return get_type_facts(session.runtime.settings, name) if name != "class" else None


def _find_type_attributes(session: Session, body: CursorBody) -> dict[str, AttributeFacts]:
    """Return the facts about the attributes of the resource of a body, by name."""
    facts = find_resource_type(session, body.type_name)
    if facts is not None:
        return {**facts.attributes, **resource_types.get_metaparameters()}
    is_defined = (
        body.type_name == "class" or find_documentation(session, "defines", body.type_name) is not None
    )
    return resource_types.get_metaparameters() if is_defined else {}


def find_attribute_values(session: Session, body: CursorBody, name: str) -> list[str]:
    """Return the values that the facts about an attribute, or the type of a parameter, list."""
    declaration = _find_parameters(session, body).get(name)
    if declaration is not None:
        return _list_values(declaration)
    attribute = _find_type_attributes(session, body).get(name)
    return list_plain_values(attribute) if attribute is not None else []


def list_plain_values(attribute: AttributeFacts) -> list[str]:
    """Return the accepted values of an attribute, without the regular expressions among them."""
    return [value for value in attribute.values if not value.startswith("/")]


def _list_values(declaration: str) -> list[str]:
    """Return the values of Enums and Booleans in a declaration: `Enum['a', 'b'] = 'a'`."""
    type_text = declaration.partition(" = ")[0]
    strings = [
        in_single_quotes or in_double_quotes
        for enum in _ENUM.findall(type_text)
        for in_single_quotes, in_double_quotes in _QUOTED.findall(enum)
    ]
    return strings + (["true", "false"] if re.search(r"\bBoolean\b", type_text) else [])
