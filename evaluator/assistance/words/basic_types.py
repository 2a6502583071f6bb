"""The reference of types that describe other types, and of the types of single values.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Any": """
        Any

        Accepts everything: every value is an instance, including undef. A parameter without a type has this type.

        = Any | 1, 'a', undef, [], Integer | -

        > [1, undef, Integer] =~ Array[Any]
        true

        > Integer <= Any
        true
    """,
    "Optional": """
        Optional[Type]
        Optional['text']

        Accepts undef, or an instance of the type. A parameter of this type can be omitted if it also has the default
        undef. With a string, it accepts undef or that string.

        = Optional[Integer] | undef, 5 | '5', default
        = Optional['on'] | undef, 'on' | 'off'

        new: values that the type accepts; undef stays undef.

        dialects: `Optional` without a parameter matches nothing. In the released Puppet it matches undef.

        > undef =~ Optional[String]
        true

        > Optional[Integer]('5')
        5

        > Optional[Integer](undef)
        undef

        > function greet(Optional[String] $name = undef) { "Hello ${name.lest || { 'you' }}" }
        > greet()
        'Hello you'
    """,
    "NotUndef": """
        NotUndef
        NotUndef[Type]
        NotUndef['text']

        Accepts everything except undef, or every instance of the type except undef. As a key of a Struct it requires
        the key.

        = NotUndef | 0, '', false | undef
        = NotUndef[Optional[Integer]] | 5 | undef, 'a'

        new: values that the type accepts.

        > '' =~ NotUndef
        true

        > [1, undef, 2].filter |$x| { $x =~ NotUndef }
        [1, 2]
    """,
    "Variant": """
        Variant[Type1, Type2, …]

        Accepts an instance of any of the types. A Variant without parameters has no instances.

        = Variant[Integer, String[1]] | 5, 'a' | '', 5.0, undef
        = Variant[Boolean, Enum['auto']] | true, 'auto' | 'yes'

        new: values that one of the types accepts, tried in order. A value that is already an instance is unchanged.

        > 'auto' =~ Variant[Boolean, Enum['auto']]
        true

        > type([1, 'a'], 'reduced') <= Array[Variant[Integer, String]]
        false

        > [1, 'a'] =~ Array[Variant[Integer, String]]
        true

        > assert_type(Variant[Integer, Boolean], 'a')
        ! Error while evaluating a Function Call, assert_type(): expects a value of type Integer or Boolean, got String
    """,
    "Scalar": """
        Scalar

        A single value: a number, String, Boolean, Regexp, Timespan, Timestamp or SemVer, but not undef or default.

        = Scalar | 1, 'a', true, /x/, SemVer('1.2.3') | undef, [1], default

        new: only a value that is already a Scalar.

        under: RichData

        > [1, 'a', [], undef].filter |$x| { $x =~ Scalar }
        [1, 'a']

        > Regexp <= Scalar
        true
    """,
    "ScalarData": """
        ScalarData

        A single value that data files can contain: an Integer, Float, String or Boolean.

        = ScalarData | 1, 1.5, 'a', true | /x/, undef, [1]

        new: only a value that is already an instance.

        under: Scalar, Data, RichData

        > [1, /x/].map |$x| { $x =~ ScalarData }
        [true, false]

        > Enum['a'] <= ScalarData
        true
    """,
    "Data": """
        Data

        Values that data files (JSON, YAML) can contain: numbers, Strings, Booleans, undef, and arrays and hashes of
        these. Use it for a value that comes from Hiera or is passed to a template.

        = Data | 1, undef, ['a', { 'b' => 1.5 }] | default, Integer, Sensitive('x')

        new: only a value that is already Data.

        dialects: Data contains every Scalar, also regular expressions, and hashes with any Scalar as key. In the
        released Puppet it contains ScalarData, and keys are Strings.

        > { 'ports' => [80, 443], 'name' => undef } =~ Data
        true

        spec> [/x/ =~ Data, { 1 => 2 } =~ Data]
        [true, true]

        puppet> [/x/ =~ Data, { 1 => 2 } =~ Data]
        [false, false]
    """,
    "RichData": """
        RichData

        Values that a catalog can contain: all of Data, and regular expressions, versions, times, Binary, URI,
        Sensitive, types, default and objects, in arrays and hashes.

        = RichData | 1, default, Integer, Sensitive('x'), [/x/] | -

        > SemVer('1.2.3') =~ RichData
        true

        > [Sensitive('x'), default] =~ RichData
        true
    """,
    "RichDataKey": """
        RichDataKey

        The keys of hashes in RichData: a String or a number.

        = RichDataKey | 'a', 1, 1.5 | true, undef

        under: ScalarData, Scalar, Data, RichData

        > [1, 'a', true].map |$key| { $key =~ RichDataKey }
        [true, true, false]

        > { 1 => 'a' } =~ RichData
        true
    """,
    "Type": """
        Type
        Type[Type]

        A type as a value: you can store types in variables, pass them and compare them. `A <= B` tests whether every
        instance of A is an instance of B. The parameter restricts the types: that type and its subtypes.

        = Type | Integer, String[1], File['/a'] | 1, 'Integer'
        = Type[Numeric] | Integer, Float[0.0, 1.0] | String

        new: a String that contains a type expression.

        under: RichData

        > Type('Array[Integer]')
        Array[Integer]

        > Integer[1, 5] < Integer
        true

        > type(80)
        Integer[80, 80]
    """,
    "Callable": """
        Callable
        Callable[Type1, Type2, …, min, max]
        Callable[Type1, …, Callable[…]]
        Callable[[Type1, …], ReturnType]

        A value that can be called with arguments of these types; here this is always a block. Signatures of functions
        describe their block with it: `Callable[2, 2] block` is a block with two parameters. Numbers limit the number
        of arguments, a Callable at the end is the type of the block's own block, and the last form adds the type of
        the result.

        under: Any

        dialects: `Callable` without parameters equals `Callable[0, default]`. In the released Puppet they are two
        types.

        > Callable[Integer] >= Callable[Numeric]
        true

        > [1, 2].reduce |$a| { $a }
        ! Error while evaluating a Method call, 'reduce' block expects 2 arguments, got 1

        > Callable[0, 0] >= Callable[Integer]
        false
    """,
    "Init": """
        Init[Type]
        Init[Type, argument, …]

        An instance of the type, or a value from which `new` can make one. Further arguments are passed to `new`. A
        parameter of this type accepts, for example, "a number, or a value that can be converted to one".

        = Init[Integer] | 5, '5', 1.5, true | 'x', []
        = Init[Boolean] | true, 'yes', 0 | 'maybe'

        new: values that the type accepts.

        > ['5', 'x'].map |$text| { $text =~ Init[Integer] }
        [true, false]

        > Init[Integer].new('12')
        12
    """,
    "TypeAlias": """
        type Name = Type

        A name for a type. The name can be used like the type. An alias may be used in its own definition, inside a
        container. In a module, `type Mod::Port = …` is in `types/port.pp`.

        > type Port = Integer[1, 65535]
        > [80 =~ Port, 0 =~ Port]
        [true, false]

        > type Tree = Variant[Integer, Array[Tree]]
        > [1, [2, [3]]] =~ Tree
        true

        > type Port = Integer[1, 65535]
        > Port.new('443')
        443
    """,
    "Literal": """
        Literal

        The former name of Scalar, which the specification still permits.

        = Literal | 1, 'a', true | undef, []

        dialects: the released Puppet has no such type.

        spec> Literal == Scalar
        true
    """,
    "Integer": """
        Integer
        Integer[from, to]

        A whole number. The parameters are the minimum and the maximum; `default` means no bound on that side. You can
        iterate over a type with two bounds.

        = Integer | 5, -17, 0xff | 5.0, '5', true
        = Integer[1, 10] | 1, 10 | 0, 11
        = Integer[default, 0] | 0, -3 | 1

        new: a Float (its fraction is removed), a Boolean (1 or 0), a Timespan or Timestamp (seconds), or a String:
        decimal, `0x…`, `0b…` or, with a leading 0, octal. The second argument is the radix (2, 8, 10, 16). If the
        third argument is true, the result is the absolute value.

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

        A number with a fraction. The parameters are the minimum and the maximum; `default` means no bound on that
        side. An Integer is not a Float, even if it is in the range.

        = Float | 1.5, -2.0, 1e3 | 1, '1.5'
        = Float[0.0, 1.0] | 0.0, 0.5 | 1.1

        new: an Integer, a Boolean, a Timespan or Timestamp (seconds), or a String that contains a number.

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

        An Integer or a Float. It has no parameters: write a range with one of the two types.

        = Numeric | 1, 1.5 | '1', true

        new: values that Integer and Float accept; the result is an Integer if the string is one.

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

        A string. The parameters are the minimum and the maximum number of characters: `String[1]` is the usual type
        for "not empty".

        = String | '', 'abc', "a\\nb" | 1, undef, default
        = String[1] | 'a', 'abc' | ''
        = String[2, 3] | 'ab', 'abc' | 'a', 'abcd'

        new: any value. The second argument is a format such as '%05d', '%x' or '%p' (as in a program), or a hash from
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

        true or false. Every value can be a condition: only false and undef count as false; an empty String and 0 count
        as true.

        = Boolean | true, false | 'true', 1, undef
        = Boolean[true] | true | false

        new: a number (only 0 and 0.0 are false), or one of the strings true, yes, y, false, no, n in any case.

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

        Exactly one of the given strings. With `true` at the end, case is ignored. Use it for a parameter with a few
        choices.

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

        A string that at least one of the regular expressions matches. A match anywhere in the string is enough; with
        `^` before and `$` after the expression, it must match a whole line.

        = Pattern[/^\d+$/] | '7', '007' | 'a7', 7
        = Pattern[/^a/, /z$/] | 'abc', 'xyz' | 'bcd'

        under: String, ScalarData, Scalar, Data, RichData

        dialects: `Pattern` without parameters matches no string. In the released Puppet it matches every string.

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

        A regular expression as a value, written between slashes, with which strings are matched. The type of the
        strings that match is Pattern. The parameter restricts the type to that one expression.

        = Regexp | /a+/, /(\d+)/ | 'a+', 1
        = Regexp[/a/] | /a/ | /b/

        new: a String; if the second argument is true, all its characters are literal.

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

        Only the value `undef`: that of a variable without a value, a missing key and an optional parameter that was
        not passed. For "undef or another value" use Optional.

        = Undef | undef | '', 0, false, default

        under: Data, RichData

        > { 'a' => 1 }['b'] =~ Undef
        true

        > undef == ''
        false
    """,
    "Default": """
        Default

        Only the value `default`. It means the default choice: in a parameter of a type, as an option of `case`,
        as a title that sets defaults.

        = Default | default | undef, 'default'

        under: RichData

        > Integer[default, 10]
        Integer[default, 10]

        > case 'x' { 'a': { 1 } default: { 2 } }
        2
    """,
}
