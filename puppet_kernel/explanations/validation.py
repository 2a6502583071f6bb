"""Explanations of the issues of static validation: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # places
    "NOT_TOP_LEVEL": (
        "Classes, defined types and nodes are definitions for the whole program. They stand at its top or "
        "directly in a class, not in a condition or a lambda.",
        "if true { class a { } }",
        "class a { }\nif true { include a }",
    ),
    "NOT_ABSOLUTE_TOP_LEVEL": (
        "Functions and types stand at the top of the program, not even in a class.",
        "class a { function f() { 1 } }",
        "function f() { 1 }\nclass a { notice(f()) }",
    ),
    "ILLEGAL_DEFINITION_LOCATION": (
        "A file of a module defines what its path says: `mod/manifests/a/b.pp` defines `mod::a::b` and names "
        "below it. Otherwise the definition could not be found by its name.",
        "class other { }",
        "class mod::a { }",
    ),
    "ILLEGAL_TOP_CONSTRUCT_LOCATION": (
        "A file of a module holds definitions only. Statements belong into a class, or into the site's manifest.",
        "class mod::a { }\nnotice('loaded')",
        "class mod::a { notice('loaded') }",
    ),
    "NOT_RVALUE": (
        "Definitions and collectors are no values: they cannot be assigned, compared or put into a list.",
        "$x = File <| |>",
        "File <| |>",
    ),
    # names
    "ILLEGAL_DEFINITION_NAME": (
        "Classes, defined types and functions have lower-case names: letters, digits and underscores, segments "
        "joined by `::`. Types have capitalised ones.",
        "class My_App { }",
        "class my_app { }",
    ),
    "RESERVED_TYPE_NAME": (
        "The name is that of a built-in type.",
        "class integer { }",
        "class my_integer { }",
    ),
    "FUTURE_RESERVED_WORD": (
        "`plan` is a keyword where tasks are run, so the name may stop working. This is a warning.",
        "class plan { }",
        "class planning { }",
    ),
    "RESERVED_WORD": (
        "`attr` and `private` are reserved and mean nothing yet.",
        "$x = private",
        "$x = 'private'",
    ),
    "ILLEGAL_NAME": (
        "In the specification a bare word has no hyphen, and no segment of a name is a keyword.",
        "$x = foo::class",
        "$x = 'foo::class'",
    ),
    "ILLEGAL_VAR_NAME": (
        "A variable's name begins with a lower-case letter or an underscore in each segment.",
        "$Port = 80",
        "$port = 80",
    ),
    "ILLEGAL_NUMERIC_VAR_NAME": (
        "A variable whose name begins with a digit holds what the last match found: `$0`, `$1`, `$2` …",
        "notice($01)",
        "if 'ab' =~ /(a)/ { notice($1) }",
    ),
    "ILLEGAL_PARAM_NAME": (
        "A parameter is one lower-case word; it has no namespace.",
        "class a($Port = 80) { }",
        "class a($port = 80) { }",
    ),
    "ILLEGAL_NUMERIC_PARAMETER": (
        "A parameter named by a number would hide what the last match found.",
        "class a($1 = 80) { }",
        "class a($port = 80) { }",
    ),
    # assignment
    "ILLEGAL_ASSIGNMENT": (
        "Only a variable can be assigned to, or a list of variables.",
        "port = 80",
        "$port = 80",
    ),
    "ILLEGAL_INDEXED_ASSIGNMENT": (
        "Arrays and hashes never change. Make a new one.",
        "$a = { 'x' => 1 }\n$a['y'] = 2",
        "$a = { 'x' => 1 }\n$b = $a + { 'y' => 2 }",
    ),
    "ILLEGAL_NUMERIC_ASSIGNMENT": (
        "`$0`, `$1`, … are set by a match only.",
        "$1 = 'a'",
        "$first = 'a'",
    ),
    "CROSS_SCOPE_ASSIGNMENT": (
        "A class sets its own variables only; others can read them by their full name.",
        "$other::x = 1",
        "$x = 1",
    ),
    "APPENDS_DELETES_NO_LONGER_SUPPORTED": (
        "`+=` and `-=` are gone: they made a new variable of the same name, which looked like a change.",
        "$a = [1]\n$a += [2]",
        "$a = [1]\n$b = $a + [2]",
    ),
    "ILLEGAL_ASSIGNMENT_CONTEXT": (
        "The default of a parameter is computed, it sets no variables.",
        "class a($x = ($y = 1)) { }",
        "class a($x = 1) { $y = $x }",
    ),
    # definitions and parameters
    "DUPLICATE_PARAMETER": (
        "A parameter is there twice.",
        "class a($x = 1, $x = 2) { }",
        "class a($x = 1, $y = 2) { }",
    ),
    "RESERVED_PARAMETER": (
        "`$name` and `$title` are set in every class and defined type.",
        "define a($title) { }",
        "define a($label) { }",
    ),
    "CAPTURES_REST_NOT_SUPPORTED": (
        "Only functions and lambdas take the rest of their arguments in `*$rest`; attributes are named.",
        "define a(*$rest) { }",
        "define a(Array $rest) { }",
    ),
    "CAPTURES_REST_NOT_LAST": (
        "The parameter that takes the rest of the arguments leaves nothing for those behind it.",
        "$x = [1].map |*$rest, $last| { $rest }",
        "$x = [1].map |*$rest| { $rest }",
    ),
    "ILLEGAL_EXPRESSION": (
        "The expression is of a kind that means nothing here: only a name or a type can be called, only a type "
        "can be collected.",
        "$x = 'a'()",
        "$x = abs(-1)",
    ),
    "UNSUPPORTED_EXPRESSION": (
        "The grammar knows this kind of definition, the language does not support it.",
        "type Port inherits Integer { }",
        "type Port = Integer[1, 65535]",
    ),
    "ILLEGAL_TYPE_MAPPING": (
        "A Runtime type is mapped to a type.",
        "type Runtime[ruby, 'A'] = ['A']",
        "type Runtime[ruby, 'A'] = Integer",
    ),
    "ILLEGAL_REGEXP_TYPE_MAPPING": (
        "A pattern of Runtime types is mapped to a pattern of types.",
        "type Runtime[ruby, [/A/, 'B']] = Integer",
        "type Runtime[ruby, [/A/, 'B']] = [/A/, 'B']",
    ),
    "ILLEGAL_NODE_INHERITANCE": (
        "A node cannot inherit from another. Share code by a class that both include.",
        "node 'a' inherits 'base' { }",
        "class base { }\nnode 'a', default { include base }",
    ),
    "ILLEGAL_HOSTNAME_CHARS": (
        "The name of a node has letters, digits, dots, hyphens and underscores. There are no wildcards; use a "
        "regular expression.",
        "node 'web*', default { }",
        "node /^web/, default { }",
    ),
    "ILLEGAL_HOSTNAME_INTERPOLATION": (
        "Nodes are chosen before any variable is set, so a node's name is fixed.",
        'node "web${x}", default { }',
        "node /^web/, default { }",
    ),
    # calls, collectors, resources, hashes
    "ILLEGAL_EPP_PARAMETERS": (
        "A template's parameters stand between pipes, before everything else. Parentheses behind text look like "
        "a call of that text.",
        "a <%- ($x) -%>",
        "<%- | $x | -%>\na",
    ),
    "ILLEGAL_QUERY_EXPRESSION": (
        "A query compares attributes with `==` and `!=`, joined by `and`, `or` and parentheses.",
        "File <| mode > '0644' |>",
        "File <| mode == '0644' |>",
    ),
    "ILLEGAL_ATTRIBUTE_APPEND": (
        "`+>` adds to what an attribute has. In a resource or in defaults there is nothing to add to.",
        "file { '/tmp/a': tag +> 'x' }",
        "file { '/tmp/a': tag => 'x' }",
    ),
    "MULTIPLE_ATTRIBUTES_UNFOLD": (
        "`* =>` sets attributes from a hash, once in each resource.",
        "file { '/tmp/a': * => { 'mode' => '0644' }, * => { 'owner' => 'root' } }",
        "file { '/tmp/a': * => { 'mode' => '0644' } + { 'owner' => 'root' } }",
    ),
    "CLASS_NOT_VIRTUALIZABLE": (
        "A class is either declared or not; it cannot wait to be realized.",
        "class a { }\n@class { 'a': }",
        "class a { }\nclass { 'a': }",
    ),
    "NOT_VIRTUALIZEABLE": (
        "Defaults and overrides are statements about resources, not resources that could be virtual.",
        "@File { mode => '0644' }",
        "File { mode => '0644' }",
    ),
    "DUPLICATE_DEFAULT": (
        "There is one `default` in a `case` or selector.",
        "$x = 1 ? { 1 => 'a', default => 'b', default => 'c' }",
        "$x = 1 ? { 1 => 'a', default => 'b' }",
    ),
    "DUPLICATE_KEY": (
        "A hash has an entry for each key; the last one counts. Names and strings are the same key.",
        "$x = { a => 1, 'a' => 2 }",
        "$x = { a => 1, 'b' => 2 }",
    ),
    "NUMERIC_OVERFLOW": (
        "An integer has 64 bits: -9223372036854775808 to 9223372036854775807.",
        "$x = 9223372036854775808",
        "$x = 9223372036854775807",
    ),
    # texts
    "ILLEGAL_JSON": (
        "The heredoc says that its text is JSON, and it is not.",
        "$x = @(END:json)\n  { a: 1 }\n  | END\n",
        '$x = @(END:json)\n  { "a": 1 }\n  | END\n',
    ),
    "ILLEGAL_PP": (
        "The heredoc says that its text is Puppet code, and it has an error.",
        "$x = @(END:pp)\n  $y =\n  | END\n",
        "$x = @(END:pp)\n  $y = 1\n  | END\n",
    ),
    "ILLEGAL_EPP": (
        "The heredoc says that its text is a template, and it has an error.",
        "$x = @(END:epp)\n  <%= $y\n  | END\n",
        "$x = @(END:epp)\n  <%= $y %>\n  | END\n",
    ),
    "ILLEGAL_BASE64": (
        "The heredoc says that its text is Base64, and it is not.",
        "$x = @(END:base64)\n  a!\n  | END\n",
        "$x = @(END:base64)\n  YWJj\n  | END\n",
    ),
    # expressions without effect
    "IDEM_EXPRESSION_NOT_LAST": (
        "The statement computes a value that nobody uses and changes nothing. Often a function without "
        "parentheses, or `==` for `=`.",
        "$x == 1\nnotice($x)",
        "$x = 1\nnotice($x)",
    ),
    "IDEM_NOT_ALLOWED_LAST": (
        "What the body of a class, a defined type or a node computes last is lost.",
        "class a { 1 }",
        "class a { notice(1) }",
    ),
    "LANGUAGE_VALIDATION": (
        "There is more than one error; each is told by itself.",
        "class A($B) { }",
        "class a($b) { }",
    ),
}
