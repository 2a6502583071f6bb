"""Issues of expressions that validation finds: assignments, calls, resources, hashes, strings, unused values.

`Issue` in `lexer_parser/errors.py` describes the columns.
"""

from lexer_parser.errors import Issue

ROWS = (
    # assignment
    Issue(
        "ILLEGAL_ASSIGNMENT",
        "Illegal attempt to assign to '{label}'. Not an assignable reference",
        help="Write a variable, `$x`, or a list of variables, `[$x, $y]`, on the left of `=`.",
        words="Only a variable can be assigned to, or a list of variables.",
        wrong="port = 80",
        right="$port = 80",
    ),
    Issue(
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
        help="Values never change: make a new one, as in `$h + {{ 'key' => 1 }}`.",
        words="Arrays and hashes never change. Make a new one.",
        wrong="$a = { 'x' => 1 }\n$a['y'] = 2",
        right="$a = { 'x' => 1 }\n$b = $a + { 'y' => 2 }",
    ),
    Issue(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        (
            "Illegal attempt to assign to the numeric match result variable '${name}'."
            " Numeric variables are not assignable"
        ),
        help="Choose a name that begins with a letter.",
        words="`$0`, `$1`, … are set by a match only.",
        wrong="$1 = 'a'",
        right="$first = 'a'",
    ),
    Issue(
        "CROSS_SCOPE_ASSIGNMENT",
        "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
        help="Assign in the class that owns the variable; elsewhere it can only be read.",
        words="A class sets its own variables only; others can read them by their full name.",
        wrong="$other::x = 1",
        right="$x = 1",
    ),
    Issue(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
        help="Values never change: assign the result to a new variable.",
        words="`+=` and `-=` are gone: they made a new variable of the same name, which looked like a change.",
        wrong="$a = [1]\n$a += [2]",
        right="$a = [1]\n$b = $a + [2]",
    ),
    Issue(
        "ILLEGAL_ASSIGNMENT_CONTEXT",
        "Assignment not allowed here",
        help="Assign in the body; a default is only computed.",
        words="The default of a parameter is computed, it sets no variables.",
        wrong="class a($x = ($y = 1)) { }",
        right="class a($x = 1) { $y = $x }",
    ),
    # calls, collectors, resources, hashes
    Issue(
        "ILLEGAL_EPP_PARAMETERS",
        (
            "Ambiguous EPP parameter expression."
            " Probably missing '<%-' before parameters to remove leading whitespace"
        ),
        help="Parameters come first in a template: `<%- | $x | -%>`.",
        words=(
            "A template's parameters are between pipes, before everything else. Parentheses behind text look like "
            "a call of that text."
        ),
        wrong="a <%- ($x) -%>",
        right="<%- | $x | -%>\na",
    ),
    Issue(
        "ILLEGAL_QUERY_EXPRESSION",
        "Illegal query expression. {label} cannot be used in a query",
        help="A query compares attributes: `File <| mode == '0644' and tag != 'web' |>`.",
        words="A query compares attributes with `==` and `!=`, joined by `and`, `or` and parentheses.",
        wrong="File <| mode > '0644' |>",
        right="File <| mode == '0644' |>",
    ),
    Issue(
        "ILLEGAL_ATTRIBUTE_APPEND",
        "Illegal +> operation on attribute {name}. This operator can not be used in {label}",
        help="Set it with `=>`; `+>` is for overrides: `File['/a'] {{ require +> … }}`.",
        words="`+>` adds to what an attribute has. In a resource or in defaults there is nothing to add to.",
        wrong="file { '/tmp/a': tag +> 'x' }",
        right="file { '/tmp/a': tag => 'x' }",
    ),
    Issue(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
        help="Join the hashes: `* => $first + $second`.",
        words="`* =>` sets attributes from a hash, once in each resource.",
        wrong="file { '/tmp/a': * => { 'mode' => '0644' }, * => { 'owner' => 'root' } }",
        right="file { '/tmp/a': * => { 'mode' => '0644' } + { 'owner' => 'root' } }",
    ),
    Issue(
        "CLASS_NOT_VIRTUALIZABLE",
        "Classes are not virtualizable",
        help="Declare the class without `@`, or not at all.",
        words="A class is either declared or not; it cannot wait to be realized.",
        wrong="class a { }\n@class { 'a': }",
        right="class a { }\nclass { 'a': }",
    ),
    Issue(
        "NOT_VIRTUALIZEABLE",
        "Resource Defaults are not virtualizable",
        help="Remove the `@`: only resources with a title can be virtual.",
        words="Defaults and overrides are statements about resources, not resources that could be virtual.",
        wrong="@File { mode => '0644' }",
        right="File { mode => '0644' }",
    ),
    Issue(
        "DUPLICATE_DEFAULT",
        "This {label} already has a 'default' entry - this is a duplicate",
        help="Keep one `default`.",
        words="There is one `default` in a `case` or selector.",
        wrong="$x = 1 ? { 1 => 'a', default => 'b', default => 'c' }",
        right="$x = 1 ? { 1 => 'a', default => 'b' }",
    ),
    Issue(
        "DUPLICATE_KEY",
        "The key '{key}' is declared more than once",
        "strict",
        help="Remove one of the entries: the last one counts.",
        words="A hash has an entry for each key; the last one counts. Names and strings are the same key.",
        wrong="$x = { a => 1, 'a' => 2 }",
        right="$x = { a => 1, 'b' => 2 }",
    ),
    Issue(
        "NUMERIC_OVERFLOW",
        "A Literal Integer resulted in a value outside of Puppet Integer max range, got '{value}'",
        help="Integers end at 9223372036854775807; write it as a float or a string.",
        words="An integer has 64 bits: -9223372036854775808 to 9223372036854775807.",
        wrong="$x = 9223372036854775808",
        right="$x = 9223372036854775807",
    ),
    # texts of a heredoc that names its syntax
    Issue(
        "ILLEGAL_JSON",
        "Invalid produced text having syntax: '{syntax}'. JSON syntax checker: {detail}",
        help="Fix the JSON, or leave out `:json`.",
        words="The heredoc says that its text is JSON, and it is not.",
        wrong="$x = @(END:json)\n  { a: 1 }\n  | END\n",
        right='$x = @(END:json)\n  { "a": 1 }\n  | END\n',
    ),
    Issue(
        "ILLEGAL_PP",
        "Invalid produced text having syntax: '{syntax}'. PP syntax checker: {detail}",
        help="Fix the Puppet code, or leave out `:pp`.",
        words="The heredoc says that its text is Puppet code, and it has an error.",
        wrong="$x = @(END:pp)\n  $y =\n  | END\n",
        right="$x = @(END:pp)\n  $y = 1\n  | END\n",
    ),
    Issue(
        "ILLEGAL_EPP",
        "Invalid produced text having syntax: '{syntax}'. EPP syntax checker: {detail}",
        help="Fix the template, or leave out `:epp`.",
        words="The heredoc says that its text is a template, and it has an error.",
        wrong="$x = @(END:epp)\n  <%= $y\n  | END\n",
        right="$x = @(END:epp)\n  <%= $y %>\n  | END\n",
    ),
    Issue(
        "ILLEGAL_BASE64",
        "Invalid produced text having syntax: '{syntax}'. Base64 syntax checker: {detail}",
        help="Fix the text, or leave out `:base64`.",
        words="The heredoc says that its text is Base64, and it is not.",
        wrong="$x = @(END:base64)\n  a!\n  | END\n",
        right="$x = @(END:base64)\n  YWJj\n  | END\n",
    ),
    # expressions without effect
    Issue(
        "IDEM_EXPRESSION_NOT_LAST",
        (
            "This {label} has no effect. A value was produced and then forgotten"
            " (one or more preceding expressions may have the wrong form)"
        ),
        help="Use the value, `notice(…)`, assign it, `$x = …`, or remove it.",
        words=(
            "The statement computes a value that nobody uses and changes nothing. Often a function without "
            "parentheses, or `==` for `=`."
        ),
        wrong="$x == 1\nnotice($x)",
        right="$x = 1\nnotice($x)",
    ),
    Issue(
        "IDEM_NOT_ALLOWED_LAST",
        (
            "This {label} has no effect."
            " {container} can not end with a value-producing expression without other effect"
        ),
        help="Remove it: what a body computes last is lost.",
        words="What the body of a class, a defined type or a node computes last is lost.",
        wrong="class a { 1 }",
        right="class a { notice(1) }",
    ),
    # more than one error
    Issue(
        "LANGUAGE_VALIDATION",
        "Language validation logged {errors} errors{warnings}. Giving up",
        help="Fix them one by one, from the top.",
        words="There are several errors; each is reported separately.",
        wrong="class A($B) { }",
        right="class a($b) { }",
    ),
)
