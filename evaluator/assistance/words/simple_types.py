"""The types of single values that a program is written with: numbers, text, Booleans, patterns, undef, default.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Integer": """
        Integer
        Integer[from, to]

        A whole number. The parameters are the least and the greatest value; `default` leaves a side open. A type
        with two bounds is a range that can be iterated over.

        = Integer | 5, -17, 0xff | 5.0, '5', true
        = Integer[1, 10] | 1, 10 | 0, 11
        = Integer[default, 0] | 0, -3 | 1

        new: a Float (its fraction is cut off), a Boolean (1 or 0), a Timespan or Timestamp (seconds), or a String:
        decimal, `0x…`, `0b…` or, with a leading 0, octal. A second argument is the radix (2, 8, 10, 16), a third
        one that is true takes away the sign.

        under: Numeric, ScalarData, Scalar, Data, RichData

        dialects: `Integer[5]` means exactly 5, and `Integer[3, 1]` is a descending range. In the released Puppet
        `Integer[5]` is 5 and everything above, and a descending range is an error.

        > Integer('0xff')
        255

        > Integer('11', 2)
        3

        > Integer[1, 3].map |$n| { $n * 10 }
        [10, 20, 30]

        spec> 7 =~ Integer[5]
        false

        puppet> 7 =~ Integer[5]
        true
    """,
    "Float": """
        Float
        Float[from, to]

        A number with a fraction. The parameters are the least and the greatest value; `default` leaves a side open.
        An Integer is no Float, even where it would be in the range.

        = Float | 1.5, -2.0, 1e3 | 1, '1.5'
        = Float[0.0, 1.0] | 0.0, 0.5 | 1.1

        new: an Integer, a Boolean, a Timespan or Timestamp (seconds), or a String that holds a number.

        under: Numeric, ScalarData, Scalar, Data, RichData

        dialects: `Float[1.5]` means exactly 1.5. In the released Puppet it is 1.5 and everything above.

        > Float('1.5e3')
        1500.0

        > Float(3)
        3.0

        > 1 =~ Float
        false
    """,
    "Numeric": """
        Numeric

        An Integer or a Float. It takes no parameters: a range needs to say which of the two it is of.

        = Numeric | 1, 1.5 | '1', true

        new: what Integer and Float take; the result is an Integer where the text is one.

        under: ScalarData, Scalar, Data, RichData

        > Numeric('12')
        12

        > Numeric('12.0')
        12.0

        > Integer <= Numeric
        true
    """,
    "String": """
        String
        String[min]
        String[min, max]

        A text. The parameters are the least and the greatest number of characters: `String[1]` is the usual way to
        say "not empty".

        = String | '', 'abc', "a\\nb" | 1, undef, default
        = String[1] | 'a', 'abc' | ''
        = String[2, 3] | 'ab', 'abc' | 'a', 'abcd'

        new: any value. A second argument is a format such as '%05d', '%x' or '%p' (as in a program), or a hash from
        types to formats.

        under: ScalarData, Scalar, Data, RichData

        > String([1, 'a'])
        '[1, \\'a\\']'

        > String(255, '%#x')
        '0xff'

        > String(7, '%03d')
        '007'
    """,
    "Boolean": """
        Boolean
        Boolean[true]
        Boolean[false]

        true or false. Every value can be a condition: only false and undef count as false, and an
        empty String or 0 counts as true.

        = Boolean | true, false | 'true', 1, undef
        = Boolean[true] | true | false

        new: a number (only 0 and 0.0 are false), or one of the texts true, yes, y, false, no, n in any case.

        under: ScalarData, Scalar, Data, RichData

        > Boolean('yes')
        true

        > Boolean(0)
        false

        > Boolean('maybe')
        ! Error while evaluating a Function Call, 'new_boolean' The string 'maybe' cannot be converted to Boolean
    """,
    "Enum": """
        Enum['first', 'second', …]
        Enum['first', 'second', …, true]

        One of the given strings, exactly. With `true` at the end, letters may be big or small. The type for a
        parameter that has a few choices.

        = Enum['tcp', 'udp'] | 'tcp', 'udp' | 'TCP', 'icmp', undef
        = Enum['tcp', 'udp', true] | 'tcp', 'TCP' | 'icmp'

        under: String, ScalarData, Scalar, Data, RichData

        > 'running' =~ Enum['running', 'stopped']
        true

        > Enum['a', 'b'].map |$name| { "${name}!" }
        ['a!', 'b!']

        > assert_type(Enum['tcp', 'udp'], 'http')
        ! Error while evaluating a Function Call, assert_type(): expects a match for Enum['tcp', 'udp'], got 'http'
    """,
    "Pattern": r"""
        Pattern[/regexp/, …]

        A string that at least one of the regular expressions matches. A match anywhere in the string is enough: with
        `^` before and `$` behind it is all of a line.

        = Pattern[/^\d+$/] | '7', '007' | 'a7', 7
        = Pattern[/^a/, /z$/] | 'abc', 'xyz' | 'bcd'

        under: String, ScalarData, Scalar, Data, RichData

        dialects: a bare `Pattern` matches no string. In the released Puppet it matches every string.

        > 'web01' =~ Pattern[/^web\d+$/]
        true

        > ['web01', 'db01'].filter |$name| { $name =~ Pattern[/^db/] }
        ['db01']

        spec> 'a' =~ Pattern
        false

        puppet> 'a' =~ Pattern
        true
    """,
    "Regexp": r"""
        Regexp
        Regexp[/regexp/]

        A regular expression as a value, written between slashes. It is what a string is matched with; for strings
        that match, the type is Pattern. The parameter asks for this very expression.

        = Regexp | /a+/, /(\d+)/ | 'a+', 1
        = Regexp[/a/] | /a/ | /b/

        new: a String; a second argument that is true takes all its characters for what they are.

        under: Scalar, RichData

        > 'port 8080' =~ /port (\d+)/ ? { true => $1, default => undef }
        '8080'

        > Regexp('a.c', true)
        /a\.c/

        > 'abc' =~ Regexp("^${'ab'}")
        true
    """,
    "Undef": """
        Undef

        The value `undef` and nothing else: what a variable without value, a missing key and an optional parameter
        that was not given have. For "undef or something" use Optional.

        = Undef | undef | '', 0, false, default

        under: Data, RichData

        > { 'a' => 1 }['b'] =~ Undef
        true

        > undef == ''
        false
    """,
    "Default": """
        Default

        The value `default` and nothing else. As a value it says "the usual": in a parameter of a type, as an option
        of `case`, as a title that sets defaults.

        = Default | default | undef, 'default'

        under: RichData

        > Integer[default, 10]
        Integer[default, 10]

        > case 'x' { 'a': { 1 } default: { 2 } }
        2
    """,
}
