"""Explanations of the issues of lexer and grammar: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    "SYNTAX_ERROR": (
        "The grammar has no place for the word or mark named in the message. The slip is there or just before "
        "it: a missing comma, colon, arrow or bracket. At the end of input something is still open.",
        "file { '/tmp/a': ensure => file mode => '0644' }",
        "file { '/tmp/a': ensure => file, mode => '0644' }",
    ),
    "ILLEGAL_BOM": (
        "The text begins with a byte order mark, which some editors put there. Puppet wants plain UTF-8.",
        "\ufeff$x = 1",
        "$x = 1",
    ),
    "ILLEGAL_CLASS_REFERENCE": (
        "The name of a type begins with a capital in every segment.",
        "Apache::vhost['a']",
        "Apache::Vhost['a']",
    ),
    "ILLEGAL_FULLY_QUALIFIED_NAME": (
        "After `::` comes a name: a letter or an underscore first.",
        "$x = a::1",
        "$x = a::b",
    ),
    "UNCLOSED_QUOTE": (
        "A string has no closing quote. If it seems to have one, look further up: a missing quote there makes "
        "the end of that string the beginning of this one.",
        "$x = 'abc",
        "$x = 'abc'",
    ),
    "UNCLOSED_MLCOMMENT": (
        "A comment that begins with `/*` has no `*/`.",
        "/* a comment\n$x = 1",
        "/* a comment */\n$x = 1",
    ),
    "INVALID_REGEXP": (
        "The pattern between the slashes is no regular expression: often a bracket that is meant literally.",
        "$x = '(a' =~ /(a/",
        "$x = '(a' =~ /\\(a/",
    ),
    "REGEXP_OPTIONS": (
        "A regular expression has no letters behind its second slash; options go into the pattern.",
        "$x = 'A' =~ /a/i",
        "$x = 'A' =~ /(?i:a)/",
    ),
    "BOOLEAN_AS_VARIABLE": (
        "A lone word in `${ }` is the name of a variable, and `true` and `false` are none.",
        '$x = "${true}"',
        '$x = "true"',
    ),
    "UNRECOGNIZED_ESCAPE": (
        "A backslash in a string in double quotes is followed by a letter that means nothing there. It stays "
        "as it is, with a warning.",
        '$x = "C:\\data"',
        '$x = "C:\\\\data"',
    ),
    "ILLEGAL_UNICODE_ESCAPE": (
        "`\\u` is followed by four hexadecimal digits, or by up to six in braces. Otherwise it stays as it is, "
        "with a warning.",
        '$x = "\\u12"',
        '$x = "\\u{12}"',
    ),
    "INVALID_OCTAL_NUMBER": (
        "A number that begins with 0 is octal and has the digits 0 to 7 only.",
        "$x = 08",
        "$x = 8",
    ),
    "INVALID_HEX_NUMBER": (
        "After `0x` come hexadecimal digits: 0 to 9, a to f.",
        "$x = 0xfg",
        "$x = 0xff",
    ),
    "INVALID_DECIMAL_NUMBER": (
        "A decimal number is written `1.5`, `1e5` or `1e-5`. The exponent has no plus sign.",
        "$x = 1e+5",
        "$x = 1e5",
    ),
    "ILLEGAL_NUMBER": (
        "A word that begins with a digit is neither a number nor a name. Quote it, or separate digits and letters.",
        "$x = 10mb",
        "$x = '10mb'",
    ),
    "HEREDOC_UNCLOSED_PARENTHESIS": (
        "`@(` begins a heredoc; its tag is followed by a closing parenthesis.",
        "$x = @(END\n",
        "$x = @(END)\n  text\n  | END\n",
    ),
    "HEREDOC_WITHOUT_TEXT": (
        "The text of a heredoc begins on the line after its tag, and there is no such line.",
        "$x = @(END)",
        "$x = @(END)\n  text\n  | END\n",
    ),
    "HEREDOC_WITHOUT_END_TAGGED_LINE": (
        "No line ends the text of the heredoc. The end line holds only the tag, perhaps with `|` and `-` before it.",
        "$x = @(END)\n  text\n  | EDN\n",
        "$x = @(END)\n  text\n  | END\n",
    ),
    "HEREDOC_INVALID_SYNTAX": (
        "What stands in `@( )` is a tag, perhaps `:` and a syntax in lower case, perhaps `/` and escapes.",
        "$x = @(END:JSON)\n  {}\n  | END\n",
        "$x = @(END:json)\n  {}\n  | END\n",
    ),
    "HEREDOC_INVALID_ESCAPE": (
        "Behind the slash in `@( )` stand the escapes that are switched on: t, r, n, s, u, L and $.",
        "$x = @(END/q)\n  text\n  | END\n",
        "$x = @(END/n)\n  text\n  | END\n",
    ),
    "HEREDOC_MULTIPLE_AT_ESCAPES": (
        "An escape of a heredoc is named more than once.",
        "$x = @(END/tt)\n  text\n  | END\n",
        "$x = @(END/t)\n  text\n  | END\n",
    ),
    "HEREDOC_EMPTY_ENDTAG": (
        "A heredoc has no tag, so nothing could end its text.",
        '$x = @("")\n  text\n  |\n',
        '$x = @("END")\n  text\n  | END\n',
    ),
    "EPP_UNBALANCED_EXPRESSION": (
        "A tag that begins with `<%` has no `%>`.",
        "a <%",
        "a <% $x = 1 %>",
    ),
    "EPP_UNBALANCED_TAG": (
        "A tag that begins with `<%` or `<%=` has no `%>`.",
        "a <%= 1 + 1",
        "a <%= 1 + 1 %>",
    ),
    "EPP_UNBALANCED_COMMENT": (
        "A comment that begins with `<%#` has no `%>`.",
        "a <%# a comment",
        "a <%# a comment %>",
    ),
    "NOT_VIRTUAL": (
        "`@` makes the resource behind it virtual, and there is none.",
        "@notice('a')",
        "@notify { 'a': }",
    ),
    "NOT_EXPORTED": (
        "`@@` exports the resource behind it, and there is none.",
        "@@notice('a')",
        "@@notify { 'a': }",
    ),
    "UNTITLED_APPEND": (
        "`+>` adds to an attribute of a resource that is there already, named by a reference.",
        "file { mode +> '0644' }",
        "file { '/tmp/a': }\nFile['/tmp/a'] { mode => '0644' }",
    ),
    "RESOURCE_WITHOUT_TITLE": (
        "A resource begins with its title and a colon. Without them the braces are a hash, which says nothing.",
        "notify { message => 'hello' }",
        "notify { 'a': message => 'hello' }",
    ),
    "NOT_A_RESOURCE": (
        "Braces with attributes follow the name of a type, the type itself, or a reference.",
        "'file' { mode => '0644' }",
        "File { mode => '0644' }",
    ),
    "ARGUMENTS_WITHOUT_PARENTHESES": (
        "Only a few functions, such as `notice` and `include`, take arguments without parentheses.",
        "alert 'a', 'b'",
        "alert('a', 'b')",
    ),
    "ILLEGAL_COMMA_LIST": (
        "A list of values stands in brackets; a comma by itself makes none.",
        "$x = 1, 2",
        "$x = [1, 2]",
    ),
    "CLASS_NOT_ALLOWED_HERE": (
        "`class` is a keyword and can be no name.",
        "class class { }",
        "class my_class { }",
    ),
    "QUOTED_NAME": (
        "The name in a definition stands without quotes.",
        "class 'app' { }",
        "class app { }",
    ),
}
