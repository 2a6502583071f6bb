"""What to write instead: one line of help for every issue, and what a person's slip most likely was.

`enrich` is called where an error leaves the parser or the validator; nothing here runs for a correct program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source

HELP: dict[str, str] = {
    # lexer
    "ILLEGAL_BOM": "Save the file as UTF-8 without a byte order mark.",
    "ILLEGAL_CLASS_REFERENCE": "In the name of a type every segment begins with a capital: `Apache::Vhost`.",
    "ILLEGAL_FULLY_QUALIFIED_NAME": "After `::` comes a name: `::apache`, `$apache::port`.",
    "UNCLOSED_QUOTE": "Close the string with the quote it began with.",
    "UNCLOSED_MLCOMMENT": "Close the comment with `*/`, or begin each line with `#`.",
    "INVALID_REGEXP": r"Mend the pattern, or escape what is meant literally: `\(`, `\[`, `\/`.",
    "REGEXP_OPTIONS": "Write options inside the pattern: `/(?i:abc)/`.",
    "BOOLEAN_AS_VARIABLE": "Write the word without `${ }`, or begin a variable's name with `$`: `${$x}`.",
    "UNRECOGNIZED_ESCAPE": r"Write `\\` for a backslash, or use a string in single quotes.",
    "ILLEGAL_UNICODE_ESCAPE": r"Write four hexadecimal digits, `\u2713`, or up to six in braces: `\u{1F60}`.",
    "INVALID_OCTAL_NUMBER": "A number that begins with 0 is octal: digits 0 to 7. Drop the 0, or quote it.",
    "INVALID_HEX_NUMBER": "After `0x` come hexadecimal digits: `0xFF`.",
    "INVALID_DECIMAL_NUMBER": "Write `1.5`, `1e5` or `1e-5`: an exponent has no plus sign.",
    "ILLEGAL_NUMBER": "Quote text that begins with a digit: `'1a'`. Numbers have no separators.",
    "HEREDOC_UNCLOSED_PARENTHESIS": "Close the heredoc's tag: `@(END)`.",
    "HEREDOC_WITHOUT_TEXT": "Write the text on the next lines and end it with a line `| END`.",
    "HEREDOC_WITHOUT_END_TAGGED_LINE": "End the text with a line that holds only the tag: `| END`.",
    "HEREDOC_INVALID_SYNTAX": 'Write `@(END)`, `@(END:json)` or `@("END":json/tn)`.',
    "HEREDOC_INVALID_ESCAPE": "After the `/` come some of the letters t, r, n, s, u, L and $.",
    "HEREDOC_MULTIPLE_AT_ESCAPES": "Name each escape once.",
    "HEREDOC_EMPTY_ENDTAG": "Give the heredoc a tag: `@(END)`.",
    "EPP_UNBALANCED_EXPRESSION": "Close the tag with `%>`.",
    "EPP_UNBALANCED_TAG": "Close the tag with `%>`.",
    "EPP_UNBALANCED_COMMENT": "Close the comment with `%>`.",
    # grammar
    "SYNTAX_ERROR": "Something is missing before this place, or too much.",
    "UNEXPECTED_END": "Something is still open: a bracket, a brace, or an operator without right side.",
    "NOT_VIRTUAL": "`@` stands before a resource with a title: `@file { '/tmp/a': }`.",
    "NOT_EXPORTED": "`@@` stands before a resource with a title: `@@file { '/tmp/a': }`.",
    "UNTITLED_APPEND": "`+>` needs a reference: `File['/tmp/a'] { mode +> '0644' }`.",
    "NOT_A_RESOURCE": "Braces follow a type: `file { 'title': }`, `File { }` or `File['title'] { }`.",
    "ARGUMENTS_WITHOUT_PARENTHESES": "Put the arguments in parentheses: `{name}(…)`.",
    "ILLEGAL_COMMA_LIST": "Put a list in brackets: `[1, 2]`, and arguments in parentheses: `notice(1, 2)`.",
    "CLASS_NOT_ALLOWED_HERE": "`class` is a keyword; choose another name.",
    "QUOTED_NAME": "Write the name without quotes: `class apache { }`.",
    # places
    "NOT_TOP_LEVEL": "Move the definition out, to the top of the file or directly into a class.",
    "NOT_ABSOLUTE_TOP_LEVEL": "Move the definition to the top of the file.",
    "ILLEGAL_DEFINITION_LOCATION": "Name it after its file: `mod/manifests/a.pp` defines `mod::a`.",
    "ILLEGAL_TOP_CONSTRUCT_LOCATION": "A module's file holds only definitions: put this into a class.",
    "NOT_RVALUE": "Write it as a statement of its own.",
    # names
    "ILLEGAL_DEFINITION_NAME": "Names are lower-case words joined by `::`; an alias's are capitalised.",
    "RESERVED_TYPE_NAME": "This is the name of a built-in type; choose another, or put it into a namespace.",
    "FUTURE_RESERVED_WORD": "Choose another name: `plan` is a keyword of Bolt.",
    "RESERVED_WORD": "Put it in quotes: `'{word}'`.",
    "ILLEGAL_NAME": "Put it in quotes, or write the name without hyphens and keywords.",
    "ILLEGAL_VAR_NAME": "Variables begin with a lower-case letter or an underscore: `$my_value`.",
    "ILLEGAL_NUMERIC_VAR_NAME": "`$0`, `$1`, … hold what a match found; other names begin with a letter.",
    "ILLEGAL_PARAM_NAME": "Parameters are lower-case words without `::`: `$my_value`.",
    "ILLEGAL_NUMERIC_PARAMETER": "Begin the name with a letter: `$1` holds what the last match found.",
    # assignment
    "ILLEGAL_ASSIGNMENT": "On the left of `=` stands a variable, `$x`, or a list of variables, `[$x, $y]`.",
    "ILLEGAL_INDEXED_ASSIGNMENT": "Values never change: make a new one, as in `$h + { 'key' => 1 }`.",
    "ILLEGAL_NUMERIC_ASSIGNMENT": "Choose a name that begins with a letter.",
    "CROSS_SCOPE_ASSIGNMENT": "Assign in the class that owns the variable; elsewhere it can only be read.",
    "APPENDS_DELETES_NO_LONGER_SUPPORTED": "Values never change: assign the result to a new variable.",
    "ILLEGAL_ASSIGNMENT_CONTEXT": "Assign in the body; a default is only computed.",
    # definitions
    "DUPLICATE_PARAMETER": "Rename or remove one of them.",
    "RESERVED_PARAMETER": "`$name` and `$title` are there already; remove the parameter or rename it.",
    "CAPTURES_REST_NOT_SUPPORTED": "Only functions and lambdas take `*$rest`; here take an Array.",
    "CAPTURES_REST_NOT_LAST": "Move it to the end: it takes all the arguments that are left.",
    "ILLEGAL_EXPRESSION": "Only a name can be called: `notice(1)`, `Integer('1')`.",
    "UNSUPPORTED_EXPRESSION": "Only aliases are supported: `type Port = Integer[1, 65535]`.",
    "ILLEGAL_TYPE_MAPPING": "Map a Runtime type to a type: `type Runtime[ruby, 'A'] = B`.",
    "ILLEGAL_REGEXP_TYPE_MAPPING": "Map a pattern to a pattern: `[/^A::(.*)$/, 'B::\\1']` on both sides.",
    "ILLEGAL_NODE_INHERITANCE": "Put what the nodes share into a class, and include it in both.",
    "ILLEGAL_HOSTNAME_CHARS": "For several hosts write a regular expression: `node /^web\\d+/ { }`.",
    "ILLEGAL_HOSTNAME_INTERPOLATION": "Write the name out, or use a regular expression: `node /^web/ { }`.",
    # calls, resources, hashes
    "ILLEGAL_EPP_PARAMETERS": "Parameters come first in a template: `<%- | $x | -%>`.",
    "ILLEGAL_QUERY_EXPRESSION": "A query compares attributes: `File <| mode == '0644' and tag != 'web' |>`.",
    "RESOURCE_WITHOUT_TITLE": "Begin with a title and a colon: `{name} { 'title': … }`.",
    "ILLEGAL_ATTRIBUTE_APPEND": "Set it with `=>`; `+>` is for overrides: `File['/a'] { require +> … }`.",
    "MULTIPLE_ATTRIBUTES_UNFOLD": "Join the hashes: `* => $first + $second`.",
    "CLASS_NOT_VIRTUALIZABLE": "Declare the class without `@`, or not at all.",
    "NOT_VIRTUALIZEABLE": "Remove the `@`: only resources with a title can be virtual.",
    "DUPLICATE_DEFAULT": "Keep one `default`.",
    "DUPLICATE_KEY": "Remove one of the entries: the last one counts.",
    "NUMERIC_OVERFLOW": "Integers end at 9223372036854775807; write it as a float or a string.",
    "ILLEGAL_JSON": "Mend the JSON, or leave out `:json`.",
    "ILLEGAL_PP": "Mend the Puppet code, or leave out `:pp`.",
    "ILLEGAL_EPP": "Mend the template, or leave out `:epp`.",
    "ILLEGAL_BASE64": "Mend the text, or leave out `:base64`.",
    # expressions without effect
    "IDEM_EXPRESSION_NOT_LAST": "Use the value, `notice(…)`, assign it, `$x = …`, or remove it.",
    "IDEM_NOT_ALLOWED_LAST": "Remove it: what a body computes last is lost.",
    "LANGUAGE_VALIDATION": "Mend them one by one, from the top.",
}


def enrich(
    error: PuppetError,
    source: Source | None = None,
    epp: bool = False,
    expected: Iterable[str] = (),
) -> PuppetError:
    """Adds help, a near name and secondary places to an error of the lexer, the grammar or validation.

    error     is changed and given back; its message stays the released wording
    source    what was read, for errors that have no place
    epp       it was read as a template
    expected  the names of the tokens that the grammar would have taken
    """
    if error.help is not None:
        return error
    if source is None and error.span is not None:
        source = error.span.source
    if source is not None:
        from lexer_parser.slips import explain

        explain(error, source, epp, expected)
    if error.help is None:
        error.help = general_help(error)
    return error


def general_help(error: PuppetError) -> str | None:
    """The line of help that belongs to the error's code, with the name from its message put in."""
    line = HELP.get(error.code)
    if line and ("{name}" in line or "{word}" in line):
        quoted = re.search(r"'([^']*)'|: (\w+),", error.message)
        word = (quoted[1] or quoted[2]) if quoted else "name"
        line = line.replace("{name}", word).replace("{word}", word)
    return line
