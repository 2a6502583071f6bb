"""The messages of static validation: one row per issue, in the words of the released Puppet."""

from __future__ import annotations

from lexer_parser.errors import Issue, IssueTable

ISSUES = IssueTable(
    # places
    Issue(
        "NOT_TOP_LEVEL", "Classes, definitions, and nodes may only appear at toplevel or inside other classes"
    ),
    Issue("NOT_ABSOLUTE_TOP_LEVEL", "{label} may only appear at toplevel"),
    Issue(
        "ILLEGAL_DEFINITION_LOCATION",
        "Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
    ),
    Issue(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        "This {label} is unacceptable as a top level construct in this location",
    ),
    Issue("NOT_RVALUE", "Invalid use of expression. {label} does not produce a value"),
    # names
    Issue(
        "ILLEGAL_DEFINITION_NAME",
        "Unacceptable name. The name '{name}' is unacceptable as the name of {label}",
    ),
    Issue(
        "RESERVED_TYPE_NAME",
        "The name: '{name}' is already defined by Puppet and can not be used as the name of {label}.",
    ),
    Issue("FUTURE_RESERVED_WORD", "Use of future reserved word: '{word}'", "deprecation"),
    Issue("RESERVED_WORD", "Use of reserved word: {word}, must be quoted if intended to be a String value"),
    Issue(
        "ILLEGAL_NAME",
        r"Illegal name. The given name '{name}' does not conform to the naming rule"
        r" /^((::)?[a-z]\w*)(::[a-z]\w*)*$/",
    ),
    Issue(
        "ILLEGAL_VAR_NAME",
        r"Illegal variable name, The given name '{name}' does not conform to the naming rule"
        r" /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/",
    ),
    Issue(
        "ILLEGAL_NUMERIC_VAR_NAME",
        "Illegal numeric variable name, The given name '{name}' must be a decimal value"
        " if it starts with a digit 0-9",
    ),
    Issue(
        "ILLEGAL_PARAM_NAME",
        r"Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\w*$/",
    ),
    Issue(
        "ILLEGAL_NUMERIC_PARAMETER",
        "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)",
    ),
    # assignment
    Issue("ILLEGAL_ASSIGNMENT", "Illegal attempt to assign to '{label}'. Not an assignable reference"),
    Issue(
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
    ),
    Issue(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        "Illegal attempt to assign to the numeric match result variable '${name}'."
        " Numeric variables are not assignable",
    ),
    Issue(
        "CROSS_SCOPE_ASSIGNMENT",
        "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
    ),
    Issue(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
    ),
    Issue("ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here"),
    # definitions and parameters
    Issue("DUPLICATE_PARAMETER", "The parameter '{name}' is declared more than once in the parameter list"),
    Issue("RESERVED_PARAMETER", "The parameter ${name} redefines a built in parameter in the {label}"),
    Issue(
        "CAPTURES_REST_NOT_SUPPORTED",
        "Parameter ${name} has 'captures rest' - not supported in {label}",
    ),
    Issue("CAPTURES_REST_NOT_LAST", "Parameter ${name} is not last, and has 'captures rest'"),
    Issue("ILLEGAL_EXPRESSION", "Illegal expression. {label} is unacceptable as {feature} in {container}"),
    Issue(
        "UNSUPPORTED_EXPRESSION",
        "Expressions of type {label} are not supported in this version of Puppet",
    ),
    Issue("ILLEGAL_TYPE_MAPPING", "Illegal type mapping. Expected a Type on the left side, got {label}"),
    Issue(
        "ILLEGAL_REGEXP_TYPE_MAPPING",
        "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got {label}",
    ),
    Issue(
        "ILLEGAL_NODE_INHERITANCE",
        "Node inheritance is not supported in Puppet >= 4.0.0."
        " See http://links.puppet.com/puppet-node-inheritance-deprecation",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_CHARS",
        "The hostname '{name}' contains illegal characters"
        " (only letters, digits, '_', '-', and '.' are allowed)",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_INTERPOLATION",
        "An interpolated expression is not allowed in a hostname of a node",
    ),
    # calls, collectors, resources, hashes
    Issue(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression."
        " Probably missing '<%-' before parameters to remove leading whitespace",
    ),
    Issue("ILLEGAL_QUERY_EXPRESSION", "Illegal query expression. {label} cannot be used in a query"),
    Issue(
        "RESOURCE_WITHOUT_TITLE",
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
    ),
    Issue(
        "ILLEGAL_ATTRIBUTE_APPEND",
        "Illegal +> operation on attribute {name}. This operator can not be used in {label}",
    ),
    Issue(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
    ),
    Issue("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable"),
    Issue("NOT_VIRTUALIZEABLE", "Resource Defaults are not virtualizable"),
    Issue("DUPLICATE_DEFAULT", "This {label} already has a 'default' entry - this is a duplicate"),
    Issue("DUPLICATE_KEY", "The key '{key}' is declared more than once", "strict"),
    Issue(
        "NUMERIC_OVERFLOW",
        "A Literal Integer resulted in a value outside of Puppet Integer max range, got '{value}'",
    ),
    # texts of a heredoc that names its syntax
    Issue("ILLEGAL_JSON", "Invalid produced text having syntax: '{syntax}'. JSON syntax checker: {detail}"),
    Issue("ILLEGAL_PP", "Invalid produced text having syntax: '{syntax}'. PP syntax checker: {detail}"),
    Issue("ILLEGAL_EPP", "Invalid produced text having syntax: '{syntax}'. EPP syntax checker: {detail}"),
    Issue(
        "ILLEGAL_BASE64", "Invalid produced text having syntax: '{syntax}'. Base64 syntax checker: {detail}"
    ),
    # expressions without effect
    Issue(
        "IDEM_EXPRESSION_NOT_LAST",
        "This {label} has no effect. A value was produced and then forgotten"
        " (one or more preceding expressions may have the wrong form)",
    ),
    Issue(
        "IDEM_NOT_ALLOWED_LAST",
        "This {label} has no effect."
        " {container} can not end with a value-producing expression without other effect",
    ),
    # more than one error
    Issue("LANGUAGE_VALIDATION", "Language validation logged {errors} errors{warnings}. Giving up"),
)
