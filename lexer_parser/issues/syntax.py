"""The issues that the lexer and the grammar report; `Issue` describes the columns."""

from lexer_parser.errors import Issue

ROWS = (
    # texts, names, strings
    Issue(
        "ILLEGAL_BOM",
        "Illegal {format} Byte Order mark at beginning of input: [{bytes}] - remove these from the puppet source",
        help="Save the file as UTF-8 without a byte order mark.",
        words="The text begins with a byte order mark, which some editors put there. Puppet wants plain UTF-8.",
        wrong="\ufeff$x = 1",
        right="$x = 1",
        place="",
    ),
    Issue(
        "ILLEGAL_CLASS_REFERENCE",
        "Illegal {kind} reference",
        help="In the name of a type every segment begins with a capital: `Apache::Vhost`.",
        words="The name of a type begins with a capital in every segment.",
        wrong="Apache::vhost['a']",
        right="Apache::Vhost['a']",
    ),
    Issue(
        "ILLEGAL_FULLY_QUALIFIED_NAME",
        "Illegal fully qualified name",
        help="After `::` comes a name: `::apache`, `$apache::port`.",
        words="After `::` comes a name: a letter or an underscore first.",
        wrong="$x = a::1",
        right="$x = a::b",
    ),
    Issue(
        "UNCLOSED_QUOTE",
        "Unclosed quote after {after} followed by '{followed_by}'",
        help="Close the string with the quote it began with.",
        words=(
            "A string has no closing quote. If it seems to have one, look further up: a missing quote there makes "
            "the end of that string the beginning of this one."
        ),
        wrong="$x = 'abc",
        right="$x = 'abc'",
    ),
    Issue(
        "UNCLOSED_MLCOMMENT",
        "Unclosed multiline comment",
        help="Close the comment with `*/`, or begin each line with `#`.",
        words="A comment that begins with `/*` has no `*/`.",
        wrong="/* a comment\n$x = 1",
        right="/* a comment */\n$x = 1",
    ),
    Issue(
        "INVALID_REGEXP",
        "{reason}: /{pattern}/",
        help=r"Fix the pattern, or escape what is meant literally: `\(`, `\[`, `\/`.",
        words="The pattern between the slashes is no regular expression: often a bracket that is meant literally.",
        wrong="$x = '(a' =~ /(a/",
        right="$x = '(a' =~ /\\(a/",
        place="",
    ),
    Issue(
        "REGEXP_OPTIONS",
        "Options are not allowed after a regular expression",
        help="Write options inside the pattern: `/(?i:abc)/`.",
        words="A regular expression has no letters behind its second slash; options go into the pattern.",
        wrong="$x = 'A' =~ /a/i",
        right="$x = 'A' =~ /(?i:a)/",
    ),
    Issue(
        "BOOLEAN_AS_VARIABLE",
        "The boolean '{name}' in an interpolation is not the name of a variable",
        help="Write the word without `${{ }}`, or begin a variable's name with `$`: `${{$x}}`.",
        words="A lone word in `${ }` is the name of a variable, and `true` and `false` are none.",
        wrong='$x = "${true}"',
        right='$x = "true"',
    ),
    Issue(
        "UNRECOGNIZED_ESCAPE",
        "Unrecognized escape sequence '\\{character}'",
        "warning",
        help=r"Write `\\` for a backslash, or use a string in single quotes.",
        words=(
            "A backslash in a string in double quotes is followed by a letter that means nothing there. It stays "
            "as it is, with a warning."
        ),
        wrong='$x = "C:\\data"',
        right='$x = "C:\\\\data"',
    ),
    Issue(
        "ILLEGAL_UNICODE_ESCAPE",
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} or was > 10ffff",
        "warning",
        help=r"Write four hexadecimal digits, `\u2713`, or up to six in braces: `\u{{1F60}}`.",
        words=(
            "`\\u` is followed by four hexadecimal digits, or by up to six in braces. Otherwise it stays as it is, "
            "with a warning."
        ),
        wrong='$x = "\\u12"',
        right='$x = "\\u{12}"',
    ),
    # numbers
    Issue(
        "INVALID_OCTAL_NUMBER",
        "Not a valid octal number {value}",
        help="A number that begins with 0 is octal: digits 0 to 7. Drop the 0, or quote it.",
        words="A number that begins with 0 is octal and has the digits 0 to 7 only.",
        wrong="$x = 08",
        right="$x = 8",
    ),
    Issue(
        "INVALID_HEX_NUMBER",
        "Not a valid hex number {value}",
        help="After `0x` come hexadecimal digits: `0xFF`.",
        words="After `0x` come hexadecimal digits: 0 to 9, a to f.",
        wrong="$x = 0xfg",
        right="$x = 0xff",
    ),
    Issue(
        "INVALID_DECIMAL_NUMBER",
        "Not a valid decimal number {value}",
        help="Write `1.5`, `1e5` or `1e-5`: an exponent has no plus sign.",
        words="A decimal number is written `1.5`, `1e5` or `1e-5`. The exponent has no plus sign.",
        wrong="$x = 1e+5",
        right="$x = 1e5",
    ),
    Issue(
        "NUMBER_OUT_OF_RANGE",
        "Internal Error, NUMBER token does not contain a valid number, {value}",
        help="The greatest Float is about `1.79e308`. Write a smaller number, or quote it.",
        words="A Float has 64 bits, and the greatest is about `1.79e308`. A number above it has no value.",
        wrong="$x = 1e400",
        right="$x = 1e300",
        place="",
    ),
    Issue(
        "ILLEGAL_NUMBER",
        "Illegal number '{value}'",
        help="Quote text that begins with a digit: `'1a'`. Numbers have no separators.",
        words=(
            "A word that begins with a digit is neither a number nor a name. "
            "Quote it, or separate digits and letters."
        ),
        wrong="$x = 10mb",
        right="$x = '10mb'",
    ),
    # heredocs
    Issue(
        "HEREDOC_UNCLOSED_PARENTHESIS",
        "Unclosed parenthesis after '@(' followed by '{followed_by}'",
        help="Close the heredoc's tag: `@(END)`.",
        words="`@(` begins a heredoc; its tag is followed by a closing parenthesis.",
        wrong="$x = @(END\n",
        right="$x = @(END)\n  text\n  | END\n",
    ),
    Issue(
        "HEREDOC_WITHOUT_TEXT",
        "Heredoc without any following lines of text",
        help="Write the text on the next lines and end it with a line `| END`.",
        words="The text of a heredoc begins on the line after its tag, and there is no such line.",
        wrong="$x = @(END)",
        right="$x = @(END)\n  text\n  | END\n",
    ),
    Issue(
        "HEREDOC_WITHOUT_END_TAGGED_LINE",
        "Heredoc without end-tagged line",
        help="End the text with a line that holds only the tag: `| END`.",
        words=(
            "No line ends the text of the heredoc. The end line holds only the tag, "
            "perhaps with `|` and `-` before it."
        ),
        wrong="$x = @(END)\n  text\n  | EDN\n",
        right="$x = @(END)\n  text\n  | END\n",
    ),
    Issue(
        "HEREDOC_INVALID_SYNTAX",
        "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])",
        help='Write `@(END)`, `@(END:json)` or `@("END":json/tn)`.',
        words="`@( )` holds a tag, perhaps `:` and a syntax in lower case, perhaps `/` and escapes.",
        wrong="$x = @(END:JSON)\n  {}\n  | END\n",
        right="$x = @(END:json)\n  {}\n  | END\n",
    ),
    Issue(
        "HEREDOC_INVALID_ESCAPE",
        "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'",
        help="After the `/` come some of the letters t, r, n, s, u, L and $.",
        words="After the slash in `@( )` follow the escapes that are enabled: t, r, n, s, u, L and $.",
        wrong="$x = @(END/q)\n  text\n  | END\n",
        right="$x = @(END/n)\n  text\n  | END\n",
    ),
    Issue(
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        "An escape char for @() may only appear once. Got '{escapes}'",
        help="Name each escape once.",
        words="An escape of a heredoc is named more than once.",
        wrong="$x = @(END/tt)\n  text\n  | END\n",
        right="$x = @(END/t)\n  text\n  | END\n",
    ),
    Issue(
        "HEREDOC_EMPTY_ENDTAG",
        "Heredoc with an empty endtag",
        help="Give the heredoc a tag: `@(END)`.",
        words="A heredoc has no tag, so nothing could end its text.",
        wrong='$x = @("")\n  text\n  |\n',
        right='$x = @("END")\n  text\n  | END\n',
    ),
    # templates
    Issue(
        "EPP_UNBALANCED_EXPRESSION",
        "Unbalanced embedded expression - opening <% and reaching end of input",
        help="Close the tag with `%>`.",
        words="A tag that begins with `<%` has no `%>`.",
        wrong="a <%",
        right="a <% $x = 1 %>",
    ),
    Issue(
        "EPP_UNBALANCED_TAG",
        "Unbalanced epp tag, reached <eof> without closing tag.",
        help="Close the tag with `%>`.",
        words="A tag that begins with `<%` or `<%=` has no `%>`.",
        wrong="a <%= 1 + 1",
        right="a <%= 1 + 1 %>",
    ),
    Issue(
        "EPP_UNBALANCED_COMMENT",
        "Reaching end after opening <%# without seeing %>",
        help="Close the comment with `%>`.",
        words="A comment that begins with `<%#` has no `%>`.",
        wrong="a <%# a comment",
        right="a <%# a comment %>",
    ),
    # grammar
    Issue(
        "SYNTAX_ERROR",
        "Syntax error at {found}",
        help="Something is missing before this place, or too much.",
        words=(
            "The grammar has no place for the word or mark named in the message. The slip is there or just before "
            "it: a missing comma, colon, arrow or bracket. At the end of input something is still open."
        ),
        wrong="file { '/tmp/a': ensure => file mode => '0644' }",
        right="file { '/tmp/a': ensure => file, mode => '0644' }",
    ),
    Issue(
        "NOT_VIRTUAL",
        "Virtual (@) can only be applied to a Resource Expression",
        help="`@` precedes a resource with a title: `@file {{ '/tmp/a': }}`.",
        words="`@` makes the resource behind it virtual, and there is none.",
        wrong="@notice('a')",
        right="@notify { 'a': }",
    ),
    Issue(
        "NOT_EXPORTED",
        "Exported (@@) can only be applied to a Resource Expression",
        help="`@@` precedes a resource with a title: `@@file {{ '/tmp/a': }}`.",
        words="`@@` exports the resource behind it, and there is none.",
        wrong="@@notice('a')",
        right="@@notify { 'a': }",
    ),
    Issue(
        "UNTITLED_APPEND",
        "Syntax error resource body without title or hash with +>",
        help="`+>` needs a reference: `File['/tmp/a'] {{ mode +> '0644' }}`.",
        words="`+>` adds to an attribute of a resource that is there already, named by a reference.",
        wrong="file { mode +> '0644' }",
        right="file { '/tmp/a': }\nFile['/tmp/a'] { mode => '0644' }",
    ),
    Issue(
        "RESOURCE_WITHOUT_TITLE",
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
        help="Begin with a title and a colon: `{name} {{ 'title': … }}`.",
        words="A resource begins with its title and a colon. Without them the braces are a hash, which says nothing.",
        wrong="notify { message => 'hello' }",
        right="notify { 'a': message => 'hello' }",
    ),
    Issue(
        "NOT_A_RESOURCE",
        "Expression is not valid as a resource, resource-default, or resource-override",
        help="Braces follow a type: `file {{ 'title': }}`, `File {{ }}` or `File['title'] {{ }}`.",
        words="Braces with attributes follow the name of a type, the type itself, or a reference.",
        wrong="'file' { mode => '0644' }",
        right="File { mode => '0644' }",
    ),
    Issue(
        "ARGUMENTS_WITHOUT_PARENTHESES",
        "attempt to pass argument list to the function '{name}' which cannot be called without parentheses",
        help="Put the arguments in parentheses: `{name}(…)`.",
        words="Only a few functions, such as `notice` and `include`, take arguments without parentheses.",
        wrong="alert 'a', 'b'",
        right="alert('a', 'b')",
    ),
    Issue(
        "ILLEGAL_COMMA_LIST",
        "illegal comma separated argument list",
        help="Put a list in brackets: `[1, 2]`, and arguments in parentheses: `notice(1, 2)`.",
        words="A list of values is in brackets; commas alone do not make one.",
        wrong="$x = 1, 2",
        right="$x = [1, 2]",
    ),
    Issue(
        "CLASS_NOT_ALLOWED_HERE",
        "'class' keyword not allowed at this location",
        help="`class` is a keyword; choose another name.",
        words="`class` is a keyword and can be no name.",
        wrong="class class { }",
        right="class my_class { }",
    ),
    Issue(
        "QUOTED_NAME",
        "A quoted string is not valid as a name here",
        help="Write the name without quotes: `class apache {{ }}`.",
        words="The name in a definition has no quotes.",
        wrong="class 'app' { }",
        right="class app { }",
    ),
)
