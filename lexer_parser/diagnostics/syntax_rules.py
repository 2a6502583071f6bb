"""The rules for syntax errors in the order of trial: each recognizes one mistake.

Above each rule is the code that it is for. A `Rule` has the code of the error, a test, a message, and perhaps the code
to write instead. `{names}` in the last two are `TokenWords` or words of the test's `RuleMatch`. The first rule that
recognizes a mistake decides, so specific ones precede general ones. Tests that are more than a comparison of a few
tokens are functions of `lexer_parser.diagnostics.syntax_tests`.
"""

from lexer_parser.diagnostics import Rule, RuleTable
from lexer_parser.diagnostics import syntax_tests as tests
from lexer_parser.diagnostics.foreign_words import SMART_QUOTES
from lexer_parser.diagnostics.tokens import (
    CONDITIONALS,
    DEFINING,
    VALUE_ENDS,
    VALUE_STARTS,
    TokenContext,
    when,
)
from lexer_parser.lexing.tokens import CLOSING, OPENERS

SYNTAX = "SYNTAX_ERROR"
END_OF_INPUT = "END_OF_INPUT"  # used in place of a code for an error without a place

PARENTHESES = "LPAREN WSLPAREN"
STATEMENTS = ("", "body")  # roles of the braces around statements
# The functions that are written like a resource by mistake: `notice{'a'}`.
LOG_FUNCTIONS = ("notice", "warning", "err", "info", "debug", "fail", "alert", "crit", "emerg")
FUNCTIONS = frozenset((*LOG_FUNCTIONS, "include", "contain", "require"))
ATTRIBUTES = frozenset(
    ["ensure", "require", "before", "notify", "subscribe", "content", "mode", "owner", "enable", "source"]
)
TYPES = frozenset(["any", "array", "boolean", "float", "hash", "integer", "numeric", "string", "type"])

WRITE_BRACES = "Write the body in braces: `{{ … }}`."
WRITE_ARROW = "Write `=>` between a name and its value: `{short_before} => …`."
WRITE_ARROW_IN_HASH = "Write `=>` between a key and its value: `{{ 'a' => 1 }}`."
JOIN_RESOURCES = "Join resources by `->`, or by `~>`, which also notifies: `A -> B`."
ONE_ELSE = "An `if` has one `else`, the last of its branches; others are `elsif`."

RULES: RuleTable[[TokenContext]] = RuleTable(
    (
        # `“a”`
        Rule(
            SYNTAX,
            lambda tokens: tokens.rest[:1] != "" and tokens.rest[0] in SMART_QUOTES,
            "Use straight quotes, ' or \": these were made by a word processor.",
        ),
        # `f"hi ${name}"`, `r'a'`
        Rule(
            SYNTAX,
            tests.is_letter_before_string,
            "Leave the `{before}` out: a string has no letter before its quote."
            " `\"…${{name}}\"` inserts values, `'…'` does not.",
        ),
        # `if $a -eq 1 {`
        Rule(
            SYNTAX,
            tests.find_shell_comparison,
            "Write `{sign}` for `-{before}`, without brackets around: `if $x {sign} 1 {{ … }}`.",
        ),
        # `$list[0:2]`, `$list[0..2]`
        Rule(
            SYNTAX,
            when(
                lambda tokens: tokens.word(0) == ":" or tokens.word(-1) == ".", marks=". :", opener="LBRACK"
            ),
            "A part of a list is `$list[START, LENGTH]`, or `$list[START, -1]` up to its end.",
        ),
        # `(1..3)`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.word(-1) == ".", marks="."),
            "The numbers from one to another are `range(1, 3)`, or the values of `Integer[1, 3]`.",
        ),
        # `function f() -> Integer {`, `function f(): Integer {`
        Rule(
            SYNTAX,
            when(before="RPAREN", marks="-> : =>", after="CLASSREF", keyword="FUNCTION"),
            "Write the type of the result after `>>`: `>> {after} {{ … }}`.",
            ">>",
        ),
        # `class web($port: 80)`
        Rule(
            SYNTAX,
            when(
                lambda tokens: tokens.kind(1) != "CLASSREF" and tokens.is_in_parameters,
                before="VARIABLE",
                here="COLON",
            ),
            "Write a default after `=`, and a type before the name: `{before} = …`.",
            "=",
        ),
        # `class web(string $root)`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.is_in_parameters, marks=TYPES, after="VARIABLE"),
            "Types begin with a capital: `{capitalized_here} {after}`.",
            "{capitalized_here}",
        ),
        # `map |$x| => { … }`
        Rule(
            SYNTAX,
            when(before="PIPE", marks="=> -> :"),
            "The body of a lambda follows its parameters at once: `|$x| {{ … }}`.",
        ),
        # `[1, 2] map |$x| { … }`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.word(-1) != "do", before2=VALUE_ENDS, before="NAME", here="PIPE"),
            "Write a dot before the function: `.{before} |$x| {{ … }}`.",
            ".{before}",
        ),
        # `if $a AND $b {`
        Rule(
            SYNTAX,
            when(before=VALUE_ENDS, here="CLASSREF", marks="AND OR NOT IN"),
            "It is written in small letters: `{lower_here}`.",
            "{lower_here}",
        ),
        # `{ 'a' -> 1 }`, at the end of the entry
        Rule(
            SYNTAX,
            when(
                lambda tokens: "IN_EDGE" in tokens.kinds_inside and "FARROW" not in tokens.kinds_inside,
                here="RBRACE COMMA",
                inside="hash",
            ),
            WRITE_ARROW_IN_HASH,
            "=>",
        ),
        # `.5`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.kind(-1) not in VALUE_ENDS, marks=".", after="NUMBER"),
            "Write a zero before the point: `0.{after}`.",
        ),
        # `if $x notice(1)`
        Rule(
            SYNTAX,
            when(before=VALUE_ENDS, here="NAME", keyword=CONDITIONALS),
            "Write the body in braces: `if $x {{ … }}`.",
            "{{",
        ),
        # `Package['a'] ~ Service['b']`
        Rule(
            SYNTAX,
            when(before=VALUE_ENDS, marks="~"),
            "Write `~>`, which orders and notifies, or `=~`, which matches.",
            "~>",
        ),
        # `7 // 2`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.is_adjacent and tokens.word(-1) == "/", marks="/"),
            "Write `/`: for two integers the result is an integer.",
            "/",
        ),
        # `default { … }` in a `case`
        Rule(
            SYNTAX,
            when(before=VALUE_ENDS, here="LBRACE", inside="case"),
            "Put a colon before the braces: `{before}: {{ … }}`.",
            ":",
        ),
        # `['a'].map(&upcase)`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.rest.startswith("&"), before="LPAREN", after="NAME"),
            "Call the function in a lambda: `|$x| {{ $x.{after} }}`.",
        ),
        # `$x := 5`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.word(1) == "=", before="VARIABLE", marks=":"),
            "Write `=` alone: `{before} = …`.",
            "=",
        ),
        # `{{ foo }}`
        Rule(
            SYNTAX,
            tests.find_double_braces,
            'A variable is written `${name}`, and in a text `"${{{name}}}"`, with one pair of braces.',
        ),
        # `$a || $b`
        Rule(SYNTAX, lambda tokens: tokens.rest.startswith("||"), "Write `or`: `$a or $b`."),
        # `$a && $b`
        Rule(SYNTAX, tests.find_foreign_character, "{advice}"),
        # `${x}` outside of a string
        Rule(
            SYNTAX,
            tests.find_braced_variable,
            "Only in a string a variable has braces: here it is `${name}`.",
        ),
        # `foreach ($x in $list) { … }`
        Rule(SYNTAX, tests.find_foreign_loop, "{advice}", "{fix}"),
        # `<%= $x %>` in a manifest
        Rule(
            SYNTAX,
            lambda tokens: tokens.rest.startswith("<%"),
            'Tags are for templates; in a manifest write `$x`, or "${{x}}" in a string.',
        ),
        # `if ($x == 1 {`
        Rule(
            SYNTAX,
            tests.find_unclosed_condition,
            "Close the parenthesis of the condition before the `{{`.",
            ")",
        ),
        # `'it's'`
        Rule(
            SYNTAX,
            tests.find_quote_in_string,
            "The string ends before this: write `\\{quote}` inside it, or quote it with {other}.",
        ),
        # `else if`
        Rule(SYNTAX, when(before="ELSE", here="IF"), "Write `elsif`, in one word.", "elsif"),
        # `===`, `=<`, `<>`, `++`
        Rule(SYNTAX, tests.find_foreign_operator, "{advice}"),
        # `.each { |$x| … }`, as in Ruby
        Rule(
            SYNTAX,
            when(before="LBRACE", here="PIPE"),
            "Write the parameters before the braces: `.each |$x| {{ … }}`.",
        ),
        # `.each |$x| notice($x)`
        Rule(
            SYNTAX,
            when(before2="VARIABLE", before="PIPE", here="NAME WORD"),
            "Write the body of a lambda in braces: `.each |$x| {{ … }}`.",
            "{{",
        ),
        # `|x|`, `class a(x)`, `function f(String x)`
        Rule(
            SYNTAX,
            tests.find_parameter_without_dollar,
            "A parameter begins with a dollar sign: `${here}`.",
            "${here}",
        ),
        # `class a($x: Integer)`, `|$x: Integer|`
        Rule(
            SYNTAX,
            when(before="VARIABLE", here="COLON", after="CLASSREF"),
            "Write the type before the name: `{after} {before}`.",
        ),
        # `$f = |$x| { … }`
        Rule(
            SYNTAX,
            when(before="EQUALS", here="PIPE"),
            "A lambda is not a value: it follows a call, `map($list) |$x| {{ … }}`.",
        ),
        # `$x = notify { 'a': }`, which the specification does not permit, and `message => notify { 'a': }`
        Rule(
            SYNTAX,
            tests.find_resource_as_value,
            "A resource is not a value: declare it by itself, then use its reference, `Notify['a']`.",
        ),
        # `f(A -> B)`, which the specification does not permit, and `$x[A -> B]`
        Rule(
            SYNTAX,
            when(marks="-> ~> <- <~", opener=OPENERS.keys() - {"LBRACE"}),
            "An arrow joins whole statements; it has no place in brackets: `A {here} B`.",
        ),
        # `ensure -> file` and `ensure: file` in a resource
        Rule(
            SYNTAX,
            tests.find_arrow_in_attributes,
            "Write `=>` between a name and its value: `{before} => …`.",
            "=>",
        ),
        # `file { '/a', '/b': … }`
        Rule(SYNTAX, tests.find_several_titles, "Write several titles in brackets: `[{before}, …]:`."),
        # `require => Package['a'] Service['b']`
        Rule(
            SYNTAX,
            tests.find_several_references,
            "Write several references in brackets, with commas: `[A['x'], B['y']]`.",
            ",",
        ),
        # `notice{'a'}`
        Rule(
            SYNTAX,
            lambda tokens: tests.is_lone_title(tokens) and tokens.word(-3) in FUNCTIONS,
            "A function is called with parentheses: `{before3}({before})`.",
        ),
        # `package { ntp }`
        Rule(SYNTAX, tests.is_lone_title, "Put a colon after the title: `{before3} {{ {before}: }}`.", ":"),
        # `file ( '/a': ensure => file )`
        Rule(
            SYNTAX,
            tests.find_resource_in_parentheses,
            "Write a resource with braces: `{name} {{ {before}: … }}`.",
        ),
        # `$x = (1, 2)`
        Rule(
            SYNTAX,
            when(
                lambda tokens: tokens.kind_before_opener in ("EQUALS", "IN", "FARROW"),
                here="COMMA",
                opener=PARENTHESES,
            ),
            "Write a list in brackets: `[1, 2]`.",
            "[",
        ),
        # `Notify['a'] => Notify['b']`
        Rule(SYNTAX, when(before="RBRACK", here="FARROW", after="CLASSREF"), JOIN_RESOURCES, "->"),
        # `define web-site() { }`
        Rule(
            SYNTAX,
            tests.find_definition_with_hyphen,
            "Names are lower-case words joined by `::`, without hyphens: `{name}`.",
            "{name}",
        ),
        # `'a' . $b`
        Rule(SYNTAX, tests.find_strings_joined_by_dot, 'Join strings by interpolation: `"…${{{name}}}"`.'),
        # `file { 'a' ensure => …`, `file { 'a' => ensure => …`
        Rule(SYNTAX, tests.find_title_without_colon, "Put a colon after the title: `{title}:`.", "{fix}"),
        # `notify { hello world: }`
        Rule(
            SYNTAX,
            tests.find_title_of_words,
            "Write a title of several words in quotes: `'{words}':`.",
            "'{words}'",
        ),
        # `message => hello world`
        Rule(
            SYNTAX,
            when(
                lambda tokens: tokens.kind(1) not in ("FARROW", "PARROW"),
                before2="FARROW",
                before="NAME WORD",
                here="NAME WORD",
            ),
            "Write a string of several words in quotes: `'{before} {here} …'`.",
        ),
        # `owner => root:root`
        Rule(
            SYNTAX,
            tests.find_value_with_colon,
            "Write a string with a colon in quotes: `{string}`.",
            "{string}",
        ),
        # `ensure => present mode => 1`
        Rule(
            SYNTAX,
            tests.find_missing_comma,
            "Put a comma after `{short_before}`: {parts} are separated by commas.",
        ),
        # `case $x { 1: 'one' }`, `else 'b'`
        Rule(
            SYNTAX,
            tests.find_branch_without_braces,
            "Write a branch in braces: `{branch} {{ {short_here} }}`.",
            "{{",
        ),
        # `if $x = 1 {`
        Rule(
            SYNTAX,
            when(here="EQUALS", keyword=CONDITIONALS),
            "Compare with `==`: `if $x == 1 {{ … }}`.",
            "==",
        ),
        # `File <| mode = '0644' |>`
        Rule(SYNTAX, when(tests.is_in_query, here="EQUALS"), "A query compares with `==` and `!=`.", "=="),
        # `ensure = present`, `{ 'a' = 1 }`
        Rule(SYNTAX, when(here="EQUALS", inside="resource hash selector"), WRITE_ARROW, "=>"),
        # `{ 'a' = 1 }`, at the end of the entry
        Rule(
            SYNTAX,
            when(lambda tokens: "EQUALS" in tokens.kinds_inside, here="RBRACE COMMA", inside="hash"),
            WRITE_ARROW_IN_HASH,
            "=>",
        ),
        # `case $x { 'a' => … }`
        Rule(
            SYNTAX,
            when(here="FARROW", inside="case"),
            "In a `case` the value is followed by a colon and braces: `'a': {{ … }}`.",
            ":",
        ),
        # `$x => 1` as a statement
        Rule(
            SYNTAX,
            when(before="VARIABLE", here="FARROW", inside=STATEMENTS),
            "Assign with `=`: `{before} = …`.",
            "=",
        ),
        # `ensure => present; mode => 1`
        Rule(
            SYNTAX,
            when(before2="SEMIC", here="FARROW", inside="resource"),
            "Separate attributes by commas; after a semicolon comes another title.",
            ",",
        ),
        # `'ensure' => present`
        Rule(
            SYNTAX,
            when(here="STRING", after="FARROW", inside="resource"),
            "Attributes are written without quotes: `{value} => …`.",
            "{value}",
        ),
        # `$name => …` as an attribute
        Rule(
            SYNTAX,
            when(here="VARIABLE", after="FARROW", inside="resource"),
            "Attributes whose names are computed come from a hash: `* => {{ $name => … }}`.",
        ),
        # `/etc/motd` without quotes
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.is_adjacent, before="REGEX", here="NAME WORD"),
            "Put a path in quotes: `'{before}{here}'`.",
            "'{before}{here}'",
        ),
        # `def f(x):`
        Rule(SYNTAX, tests.find_python_function, "{advice}", "{fix}"),
        # `package 'vim': ensure => present`
        Rule(
            SYNTAX,
            tests.find_resource_like_yaml,
            "Write a resource with braces: `{before2} {{ {before}: … }}`.",
            "{{",
        ),
        # `package: name=vim`, `- name: x`
        Rule(
            SYNTAX,
            tests.find_unindented_data,
            "This reads like data in YAML or JSON. A resource is `file {{ '/tmp/a': ensure => file }}`,"
            " a hash `{{ '{name}' => … }}`.",
        ),
        # `$x ? { 'a': 1 }`
        Rule(
            SYNTAX,
            when(here="COLON", inside="selector"),
            "In a selector the value is followed by an arrow: `'a' => 1`.",
            "=>",
        ),
        # `if $x:`, `else:`
        Rule(SYNTAX, when(here="COLON", keyword=(*CONDITIONALS, *DEFINING)), WRITE_BRACES, "{{"),
        Rule(SYNTAX, when(before="ELSE", here="COLON"), WRITE_BRACES, "{{"),
        # `$a ? b : c`
        Rule(
            SYNTAX,
            when(lambda tokens: "QMARK" in tokens.kinds_inside, here="COLON"),
            "A choice is written `$x ? {{ true => 'a', default => 'b' }}`.",
        ),
        # `{ 'a': 1 }`
        Rule(
            SYNTAX,
            when(here="COLON", inside="hash"),
            "A hash is written with arrows: `{{ 'a' => 1 }}`.",
            "=>",
        ),
        # `:symbol`
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.kind(-1) not in VALUE_ENDS, here="COLON", after="NAME WORD"),
            "Puppet has no symbols; write a string: `'{after}'`.",
            "'{after}'",
        ),
        # `type port = …`, `>> integer`
        Rule(SYNTAX, tests.find_type_in_lower_case, "Types begin with a capital: `{type}`.", "{type}"),
        # a word of Ruby, Python or another language
        Rule((SYNTAX, "NOT_A_RESOURCE"), tests.find_foreign_word, "{advice}", "{fix}"),
        # `[1, 2].each { notice(1) }`
        Rule(
            SYNTAX,
            tests.find_lambda_without_parameters,
            "A lambda has parameters before its braces: `.{name} |$x| {{ … }}`.",
            "|$x| {{",
        ),
        # `each [1, 2] |$x| { … }`
        Rule(
            SYNTAX,
            tests.find_function_before_list,
            "A function with a lambda is called after a dot: `{value}.{name} |$x| {{ … }}`.",
        ),
        # `[1, 2].each($x) { … }`
        Rule(
            SYNTAX,
            tests.find_lambda_in_parentheses,
            "Write the parameters of a lambda between bars: `.{name} |{variable}| {{ … }}`.",
        ),
        # a string of several lines before the error
        Rule(
            SYNTAX,
            tests.find_long_string,
            "Look at the string that begins on line {line}: its closing quote may be missing.",
        ),
        # `file { … } => service { … }`
        Rule(SYNTAX, when(before="RBRACE", here="FARROW"), JOIN_RESOURCES, "->"),
        # `ensure => file` outside of a resource
        Rule(
            SYNTAX,
            when(lambda tokens: tokens.word(-1) in ATTRIBUTES, here="FARROW", inside=STATEMENTS),
            "Write an attribute in a resource: `file {{ 'title': {before} => … }}`.",
        ),
        # `notice a => 1`
        Rule(
            SYNTAX, when(here="FARROW", inside=STATEMENTS), "Put a hash in braces: `notice({{ 'a' => 1 }})`."
        ),
        # keywords where a name or a value is expected
        Rule(SYNTAX, when(tests.is_after_else, marks="elsif else"), ONE_ELSE, "elsif"),
        Rule(
            SYNTAX,
            when(marks="elsif"),
            "`elsif` follows the closing brace of an `if`; an `unless` has `else` only.",
        ),
        Rule(SYNTAX, when(marks="else"), "`else` follows the closing brace of an `if` or an `unless`."),
        Rule(SYNTAX, when(marks="inherits"), "Only a class inherits: `class a inherits b {{ … }}`."),
        Rule(
            SYNTAX,
            when(tests.is_keyword, before="DOT"),
            "`{here}` is a keyword: read a hash's entry with `['{here}']`.",
            "['{here}']",
        ),
        Rule(
            SYNTAX,
            when(tests.is_keyword, before=(*DEFINING, "NODE")),
            "`{here}` is a keyword; choose another name.",
        ),
        Rule(
            SYNTAX,
            tests.is_keyword,
            "`{here}` is a keyword; quote it if it is meant as a string: `'{here}'`.",
            "'{here}'",
        ),
        # `node a-b.c { }`
        Rule(
            SYNTAX,
            when(before="WORD", here="DOT"),
            "Put the name in quotes: `node 'web-1.example.com' {{ … }}`.",
        ),
        # `a.Foo`
        Rule(
            SYNTAX,
            lambda tokens: "DOT" in (tokens.kind(-1), tokens.kind(0)),
            "After a dot comes the name of a function: `$x.length`, `$x.map |$y| {{ … }}`.",
        ),
        # `;;`, `{ ; }`
        Rule(
            SYNTAX,
            when(marks=";"),
            "Remove the semicolon: it only separates statements or titles.",
        ),
        # `,,`, `foo(,)`
        Rule(SYNTAX, tests.is_comma_first, "Remove the comma: there is no value before it."),
        # `foo(1, )`, where the grammar allows no trailing comma
        Rule(SYNTAX, when(before="COMMA", here=CLOSING), "Remove the comma before the closing bracket."),
        # `)` and `(]`
        Rule(
            SYNTAX,
            tests.find_unopened_bracket,
            "Remove the `{bracket}`, or open it before: nothing is open here.",
        ),
        Rule(SYNTAX, tests.find_wrong_bracket, "Write `{bracket}` first.", "{bracket}"),
        # `[1 2]`, `foo(1 2)`
        Rule(
            SYNTAX,
            when(before=VALUE_ENDS, here=VALUE_STARTS, opener="LBRACK LISTSTART LPAREN"),
            "Put a comma after `{short_before}`.",
        ),
        # `(1 + )`
        Rule(
            SYNTAX,
            when(lambda tokens: tests.is_operator(tokens.word(-1)), here=CLOSING),
            "Something is missing after `{before}`.",
        ),
        # if no other rule applies: the tokens that the grammar expected
        Rule(SYNTAX, tests.find_expected_tokens, "Expected {choice}{position}, found `{short_here}`."),
        Rule(
            SYNTAX,
            lambda tokens: "" not in (tokens.word(-1), tokens.word(0)),
            "`{short_here}` cannot follow `{short_before}`: something is missing between them, or too much.",
        ),
        Rule(SYNTAX, lambda tokens: tokens.word(0) != "", "A statement cannot begin with `{short_here}`."),
        # the end of input
        Rule(
            END_OF_INPUT,
            tests.find_open_bracket,
            "Close what was opened on line {line}: a `{bracket}` is missing.",
        ),
        Rule(
            END_OF_INPUT,
            tests.find_last_semicolon,
            "Remove the semicolon at the end: it only separates statements.",
        ),
        Rule(
            END_OF_INPUT,
            lambda tokens: tests.is_operator(tokens.word(-1)),
            "Something is missing after `{before}`.",
        ),
        Rule(
            END_OF_INPUT,
            lambda tokens: True,
            "The text ends too early: a value or a body in braces is missing.",
        ),
    )
)
