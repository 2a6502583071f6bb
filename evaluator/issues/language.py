"""The evaluator's messages: one row per issue, in the words of the released Puppet."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    # variables
    Issue("UNKNOWN_VARIABLE", "Unknown variable: '{name}'.", "strict"),
    Issue("ILLEGAL_REASSIGNMENT", "Cannot reassign variable '${name}'"),
    Issue(
        "ILLEGAL_BUILTIN_REASSIGNMENT", "Cannot reassign built in (or already assigned) variable '${name}'"
    ),
    Issue("ILLEGAL_RESERVED_ASSIGNMENT", "Attempt to assign to a reserved variable name: '{variable}'"),
    Issue(
        "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
        "Mismatched number of assignable entries and values, expected {expected}, got {actual}",
    ),
    Issue(
        "MISSING_MULTI_ASSIGNMENT_KEY",
        "No value for required key '{key}' in assignment to variables from hash",
    ),
    Issue(
        "MISSING_MULTI_ASSIGNMENT_VARIABLE",
        "No value for required variable '${name}' in assignment to variables from class reference",
    ),
    # operators
    Issue("OPERATOR_NOT_APPLICABLE", "Operator '{operator}' is not applicable to {left}."),
    Issue(
        "OPERATOR_NOT_APPLICABLE_WHEN",
        "Operator '{operator}' is not applicable to {left} when right side is {right}.",
    ),
    Issue(
        "COMPARISON_NOT_POSSIBLE",
        "Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'.",
    ),
    Issue(
        "MATCH_NOT_REGEXP",
        "Can not convert right match operand to a regular expression. Caused by '{detail}'.",
    ),
    Issue("MATCH_NOT_STRING", "Left match operand must result in a String value. Got {left}."),
    Issue("NOT_NUMERIC", "The value '{value}' cannot be converted to Numeric."),
    Issue(
        "NUMERIC_COERCION",
        "The string '{before}' was automatically coerced to the numerical value {after}",
        "strict",
    ),
    Issue(
        "NUMERIC_OVERFLOW",
        "{what} resulted in a value outside of Puppet Integer {bound} range, got '{value}'",
    ),
    Issue("DIV_BY_ZERO", "Division by 0"),
    Issue("RESULT_IS_INFINITY", "The result of the {operator} expression is Infinity"),
    Issue("UNMATCHED_SELECTOR", "No matching entry for selector parameter with value '{value}'"),
    # access and types
    Issue("UNKNOWN_RESOURCE_TYPE", "Resource type not found: {name}"),
    Issue("UNKNOWN_RESOURCE", "Resource not found: {reference}"),
    Issue("UNKNOWN_RESOURCE_PARAMETER", "The resource {reference} does not have a parameter called '{name}'"),
    Issue("TYPE_MISMATCH", "Expected value of type {expected}, got {actual}"),
    # calls
    Issue("UNKNOWN_FUNCTION", "Unknown function: '{name}'."),
    Issue("MISSING_REQUIRED_PARAMETER", "Parameter ${name} is required but no value was given"),
    Issue(
        "REQUIRED_PARAMETER_AFTER_OPTIONAL",
        "Parameter ${name} is required but appears after optional parameters",
    ),
    # resources
    Issue(
        "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
        "Illegal relationship operand, can not form a relationship with {operand}. A Catalog type is required.",
    ),
    Issue(
        "NOT_CATALOG_TYPE",
        "Illegal relationship operand, can not form a relationship with something of type {type}."
        " A Catalog type is required.",
    ),
    Issue(
        "ILLEGAL_RESOURCE_TYPE",
        "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}",
    ),
    Issue("DUPLICATE_TITLE", "The title '{title}' has already been used in this resource expression"),
    Issue("DUPLICATE_ATTRIBUTE", "The attribute '{name}' has already been set"),
    Issue("MISSING_TITLE", "Missing title. The title expression resulted in undef"),
    Issue(
        "MISSING_TITLE_AT", "Missing title at index {index}. The title expression resulted in an undef title"
    ),
    Issue("ILLEGAL_TITLE_TYPE_AT", "Illegal title type at index {index}. Expected String, got {actual}"),
    Issue(
        "EMPTY_STRING_TITLE_AT",
        "Empty string title at {index}. Title strings must have a length greater than zero.",
    ),
    Issue("ILLEGAL_OVERRIDDEN_TYPE", "Resource Override can only operate on resources, got: {actual}"),
    # everything that is not an issue of the language itself
    Issue("FAILURE", "{detail}"),
    Issue("RUNTIME_ERROR", "Error while evaluating {label}, {detail}"),
)
