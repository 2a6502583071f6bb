"""The messages about the catalog."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "PARAMETER_ORDER",
        "{resource}: default expression for ${name} tries to illegally access not yet evaluated ${other}",
    ),
    Issue("PARAMETER_VALUE_MISSING", "{resource}: expects a value for parameter ${other}"),
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
