"""Issues of definitions that validation finds: their place, their names and their parameters.

`Issue` in `lexer_parser/errors.py` describes the columns.
"""

from lexer_parser.errors import Issue

ROWS = (
    # places
    Issue(
        "NOT_TOP_LEVEL",
        "Classes, definitions, and nodes may only appear at toplevel or inside other classes",
        help="Move the definition out, to the top of the file or directly into a class.",
        words=(
            "Classes, defined types and nodes are definitions for the whole program. They belong at its top level or "
            "directly in a class, not in a condition or a lambda."
        ),
        wrong="if true { class a { } }",
        right="class a { }\nif true { include a }",
    ),
    Issue(
        "NOT_ABSOLUTE_TOP_LEVEL",
        "{label} may only appear at toplevel",
        help="Move the definition to the top of the file.",
        words="Functions and types belong at the top level of the program, not even in a class.",
        wrong="class a { function f() { 1 } }",
        right="function f() { 1 }\nclass a { notice(f()) }",
    ),
    Issue(
        "ILLEGAL_DEFINITION_LOCATION",
        "Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
        help="Name it after its file: `mod/manifests/a.pp` defines `mod::a`.",
        words=(
            "A file of a module defines what its path says: `mod/manifests/a/b.pp` defines `mod::a::b` and names "
            "below it. Otherwise the definition could not be found by its name."
        ),
        wrong="class other { }",
        right="class mod::a { }",
    ),
    Issue(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        "This {label} is unacceptable as a top level construct in this location",
        help="A module's file holds only definitions: put this into a class.",
        words="A file of a module holds definitions only. Statements belong into a class, or into the site's manifest.",
        wrong="class mod::a { }\nnotice('loaded')",
        right="class mod::a { notice('loaded') }",
    ),
    Issue(
        "NOT_RVALUE",
        "Invalid use of expression. {label} does not produce a value",
        help="Write it as a statement of its own.",
        words="Definitions and collectors are no values: they cannot be assigned, compared or put into a list.",
        wrong="$x = File <| |>",
        right="File <| |>",
    ),
    # names
    Issue(
        "ILLEGAL_DEFINITION_NAME",
        "Unacceptable name. The name '{name}' is unacceptable as the name of {label}",
        help="Names are lower-case words joined by `::`; an alias's are capitalised.",
        words=(
            "Classes, defined types and functions have lower-case names: letters, digits and underscores, segments "
            "joined by `::`. Types have capitalised ones."
        ),
        wrong="class My_App { }",
        right="class my_app { }",
    ),
    Issue(
        "RESERVED_TYPE_NAME",
        "The name: '{name}' is already defined by Puppet and can not be used as the name of {label}.",
        help="This is the name of a built-in type; choose another, or put it into a namespace.",
        words="The name is that of a built-in type.",
        wrong="class integer { }",
        right="class my_integer { }",
    ),
    Issue(
        "FUTURE_RESERVED_WORD",
        "Use of future reserved word: '{word}'",
        "deprecation",
        help="Choose another name: `plan` is a keyword of Bolt.",
        words="`plan` is a keyword where tasks are run, so the name may stop working. This is a warning.",
        wrong="class plan { }",
        right="class planning { }",
    ),
    Issue(
        "NOT_LITERAL_TYPE",
        "The parameter '${name}' must be a literal type, not a Puppet::Pops::Model::AccessExpression",
        "warning",
        help="Write the type without variables and operators, or give it a name: `type Port = Integer[0, 65535]`.",
        words="The type of a parameter of a class is to be known before the program runs. This is a warning.",
        wrong="class web(Integer[0, 1024 * 64] $port) { }",
        right="class web(Integer[0, 65536] $port) { }",
    ),
    Issue(
        "RESERVED_WORD",
        "Use of reserved word: {word}, must be quoted if intended to be a String value",
        help="Put it in quotes: `'{word}'`.",
        words="`attr` and `private` are reserved and mean nothing yet.",
        wrong="$x = private",
        right="$x = 'private'",
    ),
    Issue(
        "ILLEGAL_NAME",
        (
            r"Illegal name. The given name '{name}' does not conform to the naming rule"
            r" /^((::)?[a-z]\w*)(::[a-z]\w*)*$/"
        ),
        help="Put it in quotes, or write the name without hyphens and keywords.",
        words="In the specification a bare word has no hyphen, and no segment of a name is a keyword.",
        wrong="$x = foo::class",
        right="$x = 'foo::class'",
    ),
    Issue(
        "ILLEGAL_VAR_NAME",
        (
            r"Illegal variable name, The given name '{name}' does not conform to the naming rule"
            r" /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/"
        ),
        help="Variables begin with a lower-case letter or an underscore: `$my_value`.",
        words="A variable's name begins with a lower-case letter or an underscore in each segment.",
        wrong="$Port = 80",
        right="$port = 80",
    ),
    Issue(
        "ILLEGAL_NUMERIC_VAR_NAME",
        (
            "Illegal numeric variable name, The given name '{name}' must be a decimal value"
            " if it starts with a digit 0-9"
        ),
        help="`$0`, `$1`, … hold what a match found; other names begin with a letter.",
        words="A variable whose name begins with a digit holds what the last match found: `$0`, `$1`, `$2` …",
        wrong="notice($01)",
        right="if 'ab' =~ /(a)/ { notice($1) }",
    ),
    Issue(
        "ILLEGAL_PARAM_NAME",
        r"Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\w*$/",
        help="Parameters are lower-case words without `::`: `$my_value`.",
        words="A parameter is one lower-case word; it has no namespace.",
        wrong="class a($Port = 80) { }",
        right="class a($port = 80) { }",
    ),
    Issue(
        "ILLEGAL_NUMERIC_PARAMETER",
        "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)",
        help="Begin the name with a letter: `$1` holds what the last match found.",
        words="A parameter named by a number would hide what the last match found.",
        wrong="class a($1 = 80) { }",
        right="class a($port = 80) { }",
    ),
    # definitions and parameters
    Issue(
        "DUPLICATE_PARAMETER",
        "The parameter '{name}' is declared more than once in the parameter list",
        help="Rename or remove one of them.",
        words="A parameter is there twice.",
        wrong="class a($x = 1, $x = 2) { }",
        right="class a($x = 1, $y = 2) { }",
    ),
    Issue(
        "RESERVED_PARAMETER",
        "The parameter ${name} redefines a built in parameter in the {label}",
        help="`$name` and `$title` are there already; remove the parameter or rename it.",
        words="`$name` and `$title` are set in every class and defined type.",
        wrong="define a($title) { }",
        right="define a($label) { }",
    ),
    Issue(
        "CAPTURES_REST_NOT_SUPPORTED",
        "Parameter ${name} has 'captures rest' - not supported in {label}",
        help="Only functions and lambdas take `*$rest`; here take an Array.",
        words="Only functions and lambdas take the rest of their arguments in `*$rest`; attributes are named.",
        wrong="define a(*$rest) { }",
        right="define a(Array $rest) { }",
    ),
    Issue(
        "CAPTURES_REST_NOT_LAST",
        "Parameter ${name} is not last, and has 'captures rest'",
        help="Move it to the end: it takes all the arguments that are left.",
        words="The parameter that takes the rest of the arguments leaves nothing for those behind it.",
        wrong="$x = [1].map |*$rest, $last| { $rest }",
        right="$x = [1].map |*$rest| { $rest }",
    ),
    Issue(
        "ILLEGAL_EXPRESSION",
        "Illegal expression. {label} is unacceptable as {feature} in {container}",
        help="Only a name can be called: `notice(1)`, `Integer('1')`.",
        words=(
            "The expression is of a kind that means nothing here: only a name or a type can be called, only a type "
            "can be collected."
        ),
        wrong="$x = 'a'()",
        right="$x = abs(-1)",
    ),
    Issue(
        "UNSUPPORTED_EXPRESSION",
        "Expressions of type {label} are not supported in this version of {product}",
        help="Only aliases are supported: `type Port = Integer[1, 65535]`.",
        words="The grammar knows this kind of definition, the language does not support it.",
        wrong="type Port inherits Integer { }",
        right="type Port = Integer[1, 65535]",
    ),
    Issue(
        "ILLEGAL_TYPE_MAPPING",
        "Illegal type mapping. Expected a Type on the left side, got {label}",
        help="Map a Runtime type to a type: `type Runtime[ruby, 'A'] = B`.",
        words="A Runtime type is mapped to a type.",
        wrong="type Runtime[ruby, 'A'] = ['A']",
        right="type Runtime[ruby, 'A'] = Integer",
    ),
    Issue(
        "ILLEGAL_REGEXP_TYPE_MAPPING",
        "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got {label}",
        help="Map a pattern to a pattern: `[/^A::(.*)$/, 'B::\\1']` on both sides.",
        words="A pattern of Runtime types is mapped to a pattern of types.",
        wrong="type Runtime[ruby, [/A/, 'B']] = Integer",
        right="type Runtime[ruby, [/A/, 'B']] = [/A/, 'B']",
    ),
    Issue(
        "ILLEGAL_NODE_INHERITANCE",
        (
            "Node inheritance is not supported in Puppet >= 4.0.0."
            " See http://links.puppet.com/puppet-node-inheritance-deprecation"
        ),
        help="Put what the nodes share into a class, and include it in both.",
        words="A node cannot inherit from another. Share code by a class that both include.",
        wrong="node 'a' inherits 'base' { }",
        right="class base { }\nnode 'a', default { include base }",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_CHARS",
        (
            "The hostname '{name}' contains illegal characters"
            " (only letters, digits, '_', '-', and '.' are allowed)"
        ),
        help="For several hosts write a regular expression: `node /^web\\d+/ {{ }}`.",
        words=(
            "The name of a node has letters, digits, dots, hyphens and underscores. There are no wildcards; use a "
            "regular expression."
        ),
        wrong="node 'web*', default { }",
        right="node /^web/, default { }",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_INTERPOLATION",
        "An interpolated expression is not allowed in a hostname of a node",
        help="Write the name out, or use a regular expression: `node /^web/ {{ }}`.",
        words="Nodes are chosen before any variable is set, so a node's name is fixed.",
        wrong='node "web${x}", default { }',
        right="node /^web/, default { }",
    ),
)
