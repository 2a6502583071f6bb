"""Errors about the catalog: in the released Puppet's words, with the places they show."""

from __future__ import annotations

from typing import Any

from evaluator.errors import Failure
from evaluator.issues.language import ISSUES, error
from evaluator.program.definitions import Site
from lexer_parser.errors import Issue, IssueTable, Note, PuppetError
from lexer_parser.source import Span
from lexer_parser.tree.labels import a_label

TABLE = IssueTable(
    Issue("INVALID_TAG", "Invalid tag '{tag}'"),
    Issue("DEFAULT_REDEFINED", "Default already defined for {type} {{ {name} }}; cannot redefine"),
    Issue(
        "PARAMETER_ALREADY_SET",
        "Parameter '{name}' is already set on {resource} by #<Puppet::Resource::Type>{place}; cannot redefine",
    ),
    Issue("ONLY_SUBCLASSES_OVERRIDE", "Only subclasses can override parameters"),
    Issue("DUPLICATE_PARAMETER", "Duplicate parameter '{name}' for on {resource}"),
    Issue(
        "OVERRIDE_AFTER_EVALUATION",
        "Attempt to override an already evaluated resource, defined at {place}, with new values",
    ),
    Issue("OVERRIDE_MISSING", "Could not find resource(s) {references} for overriding"),
    Issue("REALIZE_MISSING", "Failed to realize virtual resources {references}"),
    Issue("UNKNOWN_PARAMETER", "no parameter named '{name}'{place} on {resource}"),
    Issue("RELATIONSHIP_SOURCE_MISSING", "Could not find resource '{source}' for relationship on '{target}'"),
    Issue(
        "RELATIONSHIP_TARGET_MISSING", "Could not find resource '{target}' for relationship from '{source}'"
    ),
    Issue("PARAMETER_TARGET_MISSING", "Could not find resource '{target}' in parameter '{name}'"),
    Issue("NO_REFERENCE", "No title provided and {text} is not a valid resource reference"),
    Issue(
        "PARENT_MISSING", "Could not find parent resource type '::{name}' of type hostclass in {environment}"
    ),
    Issue("NODE_MISSING", "Could not find node statement with name 'default' or '{node}'"),
    Issue("INHERITANCE_CYCLE", "stack level too deep"),
    Issue(
        "ILLEGAL_QUERY_EXPRESSION", "Illegal query expression. The value {value} cannot be used in a query"
    ),
    Issue("TOO_MANY_ROUNDS", "Somehow looped more than {rounds} times while evaluating host catalog"),
    Issue("RESERVED_PARAMETER", "Attempt to assign to a reserved variable name: '{name}'"),
    Issue(
        "METAPARAMETER_NAME",
        "{name} is a metaparameter; please choose another parameter name in the {owner} definition",
    ),
)


def failure(site: Site | None, text: str, *, notes: tuple[Note, ...] = ()) -> Exception:
    """The error of an expression or call that failed: `Error while evaluating a Resource Statement, <text>`.

    Without a site it is a Failure, and the place is found later.
    """
    if site is None:
        return Failure(text)
    found = error("RUNTIME_ERROR", site.span(), label=a_label(site.node), detail=text)
    found.notes = notes
    return found


def problem(
    code: str,
    span: Span | None = None,
    *,
    placeless: bool = False,
    notes: tuple[Note, ...] = (),
    help: str | None = None,
    **arguments: Any,
) -> PuppetError:
    """An error of the table above. The released Puppet tells only the line of these, or, `placeless`, no place."""
    found = TABLE.error(code, span, **arguments)
    found.column_known = False
    found.placeless = placeless
    found.notes = notes
    found.help = help
    return found


def place(span: Span | None) -> str:
    """A place inside a message: `(line: 3)`, `(file: /m/init.pp, line: 3)`, nothing without a span."""
    if span is None:
        return ""
    name = span.source.name
    return f"(file: {name}, line: {span.line})" if name else f"(line: {span.line})"


def spaced(text: str) -> str:
    """The text with a blank before it, nothing for nothing."""
    return f" {text}" if text else ""


def at(span: Span | None) -> str:
    """A place in a sentence: ` at (line: 3)`, nothing without a span."""
    return f" at {place(span)}" if span is not None else ""


def prefixed(inner: PuppetError) -> str:
    """An error as it is quoted inside another: the evaluator's own begin with "Evaluation Error: "."""
    from evaluator.operators.access import ISSUES as OF_ACCESS
    from evaluator.types.issues import ISSUES as OF_TYPES
    from lexer_parser.issues.validation import ISSUES as OF_SYNTAX

    own = any(inner.code in table.rows for table in (ISSUES, OF_ACCESS, OF_TYPES))
    evaluation = own or ("label" in inner.arguments and inner.code not in OF_SYNTAX.rows)
    return f"Evaluation Error: {inner}" if evaluation else str(inner)
