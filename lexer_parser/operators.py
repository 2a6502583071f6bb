"""The operators: one row for each, by how strongly it binds.

Everything that concerns operators is derived from this table: the tokens and the lexer's rule for them, the precedence
of the grammar and the nodes that it makes, the advice on errors, the printer, the compiler and the help. A new operator
needs a row, its help in `WORDS`, an alternative of the production of its kind, and a method in `evaluator.operators`
with the name of its `rule`.
"""

from __future__ import annotations


class Operator:
    """An operator between values or before one.

    Attributes:
        text: Its form in source code.
        token: Its name in the grammar.
        rule: The name of the method of the evaluator that computes it; "" for `and`, `or` and what is no operation on
            two values.
        node: The class of its node in the tree.
        binds: For a prefix operator, a name for its precedence in the grammar, because the precedence of the token is
            that of the binary operator.
        shown: Its form in help, if that differs from `text`.
    """

    def __init__(
        self, text: str, token: str, node: str, rule: str = "", *, binds: str = "", shown: str = ""
    ) -> None:
        self.text = text
        self.token = token
        self.node = node
        self.rule = rule
        self.binds = binds
        self.shown = shown or text


# The operators of one level associate to the side that the level names; each level binds more strongly than the one
# before.
LEVELS: tuple[tuple[str, tuple[Operator, ...]], ...] = (
    ("left", (Operator("or", "OR", "Or"),)),
    ("left", (Operator("and", "AND", "And"),)),
    ("left", (Operator("?", "QMARK", "Selector", shown="? { }"),)),
    (
        "left",
        (
            Operator("<", "LESSTHAN", "Comparison", "less"),
            Operator(">", "GREATERTHAN", "Comparison", "greater"),
            Operator("<=", "LESSEQUAL", "Comparison", "less_equal"),
            Operator(">=", "GREATEREQUAL", "Comparison", "greater_equal"),
        ),
    ),
    (
        "left",
        (
            Operator("==", "ISEQUAL", "Comparison", "equals"),
            Operator("!=", "NOTEQUAL", "Comparison", "not_equals"),
        ),
    ),
    (
        "left",
        (
            Operator("<<", "LSHIFT", "Arithmetic", "shift_left"),
            Operator(">>", "RSHIFT", "Arithmetic", "shift_right"),
        ),
    ),
    (
        "left",
        (
            Operator("+", "PLUS", "Arithmetic", "add"),
            Operator("-", "MINUS", "Arithmetic", "subtract"),
        ),
    ),
    (
        "left",
        (
            Operator("*", "TIMES", "Arithmetic", "multiply"),
            Operator("/", "DIV", "Arithmetic", "divide"),
            Operator("%", "MODULO", "Arithmetic", "modulo"),
        ),
    ),
    (
        "left",
        (
            Operator("=~", "MATCH", "Match", "matches"),
            Operator("!~", "NOMATCH", "Match", "not_matches"),
        ),
    ),
    ("left", (Operator("in", "IN", "In", "contains"),)),
    ("right", (Operator("-", "MINUS", "Minus", binds="NEGATION", shown="- (sign)"),)),
    ("right", (Operator("*", "TIMES", "Splat", binds="SPLAT", shown="* (splat)"),)),
    ("right", (Operator("!", "NOT", "Not", binds="NOT"),)),
    (
        "left",
        (
            Operator("[", "LBRACK", "Access", shown="[]"),
            Operator(".", "DOT", "MethodCall"),
        ),
    ),
)
OPERATORS = tuple(row for _, level in LEVELS for row in level)

# Operators between two values, each of which is an operand, and operators before one value.
BINARY = tuple(row for row in OPERATORS if row.rule or row.node in ("And", "Or"))
PREFIX = tuple(row for row in OPERATORS if row.binds)

# The precedence of the tokens in the form of PLY, the weakest first.
PRECEDENCE = tuple((side, *(row.binds or row.token for row in level)) for side, level in LEVELS)


# The help for the operators, by the names under which it is requested; read by `evaluator.assistance.words`.
WORDS: dict[str, str] = {
    "+": """
        number + number
        array + array
        hash + hash

        Adds numbers; appends the elements of another array, or a single value, to an array; merges hashes, where the
        right side takes precedence. Strings are joined by interpolation, not by `+`.

        > 1 + 2.5
        3.5

        > [1, 2] + [3]
        [1, 2, 3]

        > { 'a' => 1, 'b' => 2 } + { 'b' => 3 }
        {'a' => 1, 'b' => 3}
    """,
    "-": """
        number - number
        array - array
        hash - keys
        -number

        Subtracts numbers; removes elements from an array, and keys from a hash; changes the sign.

        > 5 - 2
        3

        > ['a', 'b', 'a'] - 'a'
        ['b']

        > { 'a' => 1, 'b' => 2 } - ['a']
        {'b' => 2}
    """,
    "*": """
        number * number
        *array

        Multiplies numbers. Before an array in a list of arguments, options or elements, it unfolds the array: the
        splat. In a resource body, `* => hash` sets attributes.

        > 6 * 7
        42

        > max(*[3, 9, 4])
        9

        > notify { 'a': * => { 'message' => 'hello' } }
        > Notify['a']['message']
        'hello'
    """,
    "* splat": """
        function(*array)
        type { 'title': * => hash }
        case value { *array: { … } }

        Unfolds an array into arguments, elements or options, and a hash into attributes.

        > max(*[3, 9, 4])
        9

        > [0, *[1, 2]]
        [0, 1, 2]

        > case 'b' { *['a', 'b']: { 'found' } default: { 'not' } }
        'found'
    """,
    "/ division": """
        number / number

        Divides numbers. Two Integers return an Integer, rounded down; a Float on either side returns a Float.

        > 7 / 2
        3

        > 7 / 2.0
        3.5

        > -7 / 2
        -4
    """,
    "% modulo": """
        integer % integer

        Returns the remainder of a division of Integers, with the sign of the right side.

        > 7 % 3
        1

        > -7 % 3
        2
    """,
    "<<": """
        array << value
        integer << integer

        Appends one value to an array (an array becomes one element), or shifts the bits of an Integer to the left.

        > [1] << [2, 3]
        [1, [2, 3]]

        > 1 << 4
        16
    """,
    ">>": """
        integer >> integer
        function name(…) >> Type { … }

        Shifts the bits of an Integer to the right. In the head of a function, it precedes the return type.

        > 16 >> 2
        4

        > function half(Integer $x) >> Integer { $x / 2 }
        > half(9)
        4
    """,
    "== !=": """
        value == value
        value != value

        Tests whether two values are equal, or not equal. Strings are compared without regard to case, numbers by
        value, arrays and hashes element by element.

        > 'Debian' == 'debian'
        true

        > [1, 2.0] == [1.0, 2]
        true

        spec> 1 == '1'
        true

        puppet> 1 == '1'
        false
    """,
    "< > <= >=": """
        left < right
        left >= right

        Compares two numbers, two strings (without regard to case), two types (is every instance of the left one an
        instance of the right one?), two versions or two times.

        > 2 < 10
        true

        > 'a' < 'B'
        true

        > Integer <= Numeric
        true

        spec> '10' > '9'
        true

        puppet> '10' > '9'
        false
    """,
    "=~ !~": """
        string =~ /regexp/
        value =~ Type
        version =~ range

        Tests whether a string matches a regular expression, or a value is an instance of a type; `!~` tests the
        opposite. After a match `$0`, `$1`, … contain the matched text and its groups.

        > 80 =~ Integer[1, 1023]
        true

        > if 'web01' =~ /^([a-z]+)(\\d+)$/ { [$1, $2] }
        ['web', '01']

        > 'abc' !~ /x/
        true
    """,
    "in": """
        value in array
        text in string
        key in hash

        Tests whether the right side contains the left: an element of an array, a part of a string, a key of a hash.
        Case is ignored. A regular expression or a type on the left searches for something that matches.

        > 'b' in ['a', 'B']
        true

        > 'bar' in 'foobarbaz'
        true

        > /^a/ in ['abc', 'xyz']
        true

        > 'a' in { 'a' => undef }
        true
    """,
    "and or !": """
        left and right
        left or right
        !value

        Tests whether both sides are true, or one of them; `!` negates. The right side is evaluated only if it matters;
        the value is a Boolean. `and` binds more strongly than `or`.

        > true and !false
        true

        > false or 'text'
        true

        > true or fail('not reached')
        true
    """,
}
