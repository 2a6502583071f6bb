"""Tables of the words of other languages, and of the names of tokens in plain words."""

from lexer_parser import operators
from lexer_parser.lexing.tokens import OPERATORS

SMART_QUOTES = "“”‘’„‚«»"
# Characters that no token begins with: the advice.
CHARACTERS = {
    "&": "Write `and`: `$a and $b`.",
    "^": "Puppet has no `^`; numbers are combined with `+ - * / % << >>`.",
    "\\": "A statement may go on in the next line as it is: remove the backslash.",
    "`": "Puppet runs no commands: remove the backticks.",
}
# Words of other languages: the advice, and the Puppet code to write instead.
FOREIGN_WORDS = {
    "elseif": ("Write `elsif`.", "elsif"),
    "elif": ("Write `elsif`.", "elsif"),
    "elsf": ("Write `elsif`.", "elsif"),
    "esle": ("Write `else`.", "else"),
    "foreach": ("Puppet has no loops: `$list.each |$item| { … }`.", ""),
    "for": ("Puppet has no loops: `$list.each |$item| { … }`.", ""),
    "while": ("Puppet has no loops: `$list.each |$item| { … }`.", ""),
    "until": ("Puppet has no loops: `$list.each |$item| { … }`.", ""),
    "do": ("Write a lambda in braces, after its parameters: `.each |$x| { … }`.", ""),
    "end": ("Write a body in braces: `{ … }`.", ""),
    "then": ("Write the body in braces: `if $x { … }`.", ""),
    "def": ("Functions are written `function name($x) { … }`.", ""),
    "func": ("Functions are written `function name($x) { … }`.", "function"),
    "fn": ("Functions are written `function name($x) { … }`.", "function"),
    "lambda": ("Lambdas are written `|$x| { … }`, after a call.", ""),
    "try": ("Puppet catches no errors: test the value before, with `if` or a type.", ""),
    "catch": ("Puppet catches no errors: test the value before, with `if` or a type.", ""),
    "switch": ("Write `case $x { 'a': { … } default: { … } }`.", "case"),
    "puts": ("Write `notice('…')`.", "notice"),
    "print": ("Write `notice('…')`.", "notice"),
    "echo": ("Write `notice('…')`.", "notice"),
    "let": ("Variables need no keyword: `$x = 1`.", ""),
    "var": ("Variables need no keyword: `$x = 1`.", ""),
    "const": ("Variables need no keyword: `$x = 1`.", ""),
    "not": ("Write `!`: `!$x`, `!($a == $b)`.", "!"),
    "nil": ("Write `undef`.", "undef"),
    "null": ("Write `undef`.", "undef"),
    "None": ("Write `undef`.", "undef"),
    "True": ("Write `true`.", "true"),
    "False": ("Write `false`.", "false"),
    "xor": ("Write `!=` between two booleans.", ""),
    "is": ("Compare with `==`, and with a type by `=~`: `$x =~ Integer`.", ""),
}
# Words of other languages that compare: the operator of Puppet.
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
# Operators that follow each other without an operand between them: the advice.
DOUBLED = {
    ("=", "="): "Compare with `==`.",
    ("==", "="): "Compare with `==`.",
    ("=", "<"): "Write `<=`.",
    ("=", ">="): "Write `>=`.",
    ("=", "!"): "Write `!=`.",
    ("!=", "="): "Compare with `!=`.",
    ("<", ">"): "Write `!=`.",
    ("+", "+"): "Values never change: assign `$x + 1` to a new variable.",
    ("-", "-"): "Values never change: assign `$x - 1` to a new variable.",
}
# The kinds of tokens as messages name them.
TOKEN_WORDS = {mark_kind: f"`{mark}`" for mark, mark_kind in OPERATORS.items()} | {
    "LBRACE": "`{`",
    "SELBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAREN": "`(`",
    "WSLPAREN": "`(`",
    "LBRACK": "`[`",
    "LISTSTART": "`[`",
    "PIPE": "`|`",
    "NAME": "a name",
    "CLASSREF": "a type",
    "VARIABLE": "a variable",
    "STRING": "a string",
    "EQUALS": "`=`",
    "$end": "the end",
}
# Tokens that can begin a value, statements included, since they are expressions too.
VALUE_WORDS = (
    "NAME WORD CLASSREF VARIABLE NUMBER STRING DQPRE BOOLEAN UNDEF DEFAULT REGEX HEREDOC LISTSTART LBRACK LBRACE"
    " LPAREN WSLPAREN AT ATAT IF UNLESS CASE CLASS DEFINE NODE FUNCTION TYPE ATTR PRIVATE"
    " RENDER_STRING RENDER_EXPR EPP_START PLAN APPLY"
)
VALUE_TOKENS = {*VALUE_WORDS.split(), *(row.token for row in operators.PREFIX)}
# Tokens that the grammar accepts as a name, so that a later check rejects them with a specific message.
NAME_TOKENS = {
    "NAME",
    "WORD",
    "CLASSREF",
    "STRING",
    "CLASS",
    "NUMBER",
    "DEFAULT",
    "REGEX",
    "DQPRE",
    "HEREDOC",
}
# Tokens that can continue an expression.
OPERATOR_WORDS = (
    "LPAREN LBRACE LCOLLECT LLCOLLECT IN_EDGE IN_EDGE_SUB OUT_EDGE OUT_EDGE_SUB EQUALS APPENDS DELETES"
)
OPERATOR_TOKENS = {*OPERATOR_WORDS.split(), *(row.token for row in operators.OPERATORS if not row.binds)}
