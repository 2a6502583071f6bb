"""The types that are made of other types, and those that say something about values of many kinds.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Any": """
        Any

        Everything: every value is an instance of it, undef too. It is what a parameter without type accepts.

        = Any | 1, 'a', undef, [], Integer | -

        > [1, undef, Integer] =~ Array[Any]
        true

        > Integer <= Any
        true
    """,
    "Optional": """
        Optional[Type]
        Optional['text']

        undef, or an instance of the type. This is how a parameter says that it may be left without value: it needs
        a default of undef besides. With a string, undef or that string.

        = Optional[Integer] | undef, 5 | '5', default
        = Optional['on'] | undef, 'on' | 'off'

        new: what the type takes; undef stays undef.

        dialects: a bare `Optional` matches nothing. In the released Puppet it matches undef.

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

        Everything, or every instance of the type, but undef. As a key of a Struct it requires the key.

        = NotUndef | 0, '', false | undef
        = NotUndef[Optional[Integer]] | 5 | undef, 'a'

        new: what the type takes.

        > '' =~ NotUndef
        true

        > [1, undef, 2].filter |$x| { $x =~ NotUndef }
        [1, 2]
    """,
    "Variant": """
        Variant[Type1, Type2, …]

        An instance of any of the types. A bare Variant has no instances.

        = Variant[Integer, String[1]] | 5, 'a' | '', 5.0, undef
        = Variant[Boolean, Enum['auto']] | true, 'auto' | 'yes'

        new: what one of the types takes; they are tried in order. What is an instance already stays as it is.

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

        A single value: a number, String, Boolean, Regexp, Timespan, Timestamp or SemVer. undef and default are none.

        = Scalar | 1, 'a', true, /x/, SemVer('1.2.3') | undef, [1], default

        new: what is a Scalar already.

        under: RichData

        > [1, 'a', [], undef].filter |$x| { $x =~ Scalar }
        [1, 'a']

        > Regexp <= Scalar
        true
    """,
    "ScalarData": """
        ScalarData

        A single value that data files can hold: an Integer, Float, String or Boolean.

        = ScalarData | 1, 1.5, 'a', true | /x/, undef, [1]

        new: what is such a value already.

        under: Scalar, Data, RichData

        > [1, /x/].map |$x| { $x =~ ScalarData }
        [true, false]

        > Enum['a'] <= ScalarData
        true
    """,
    "Data": """
        Data

        What data files (JSON, YAML) can hold: numbers, Strings, Booleans, undef, and arrays and hashes of these.
        The type for a value that comes from Hiera or goes into a template.

        = Data | 1, undef, ['a', { 'b' => 1.5 }] | default, Integer, Sensitive('x')

        new: what is Data already.

        dialects: Data holds every Scalar, regular expressions too, and hashes with any Scalar as key. In the
        released Puppet it holds ScalarData, and keys are Strings.

        > { 'ports' => [80, 443], 'name' => undef } =~ Data
        true

        spec> [/x/ =~ Data, { 1 => 2 } =~ Data]
        [true, true]

        puppet> [/x/ =~ Data, { 1 => 2 } =~ Data]
        [false, false]
    """,
    "RichData": """
        RichData

        What a catalog can hold: all of Data, and regular expressions, versions, times, Binary, URI, Sensitive,
        types, default and objects, in arrays and hashes.

        = RichData | 1, default, Integer, Sensitive('x'), [/x/] | -

        > SemVer('1.2.3') =~ RichData
        true

        > [Sensitive('x'), default] =~ RichData
        true
    """,
    "RichDataKey": """
        RichDataKey

        What can be a key of a hash in RichData: a String or a number.

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

        A type as a value: types can be kept in variables, passed on and compared. `A <= B` asks whether every
        instance of A is one of B. The parameter says which types are meant: itself and all that are more special.

        = Type | Integer, String[1], File['/a'] | 1, 'Integer'
        = Type[Numeric] | Integer, Float[0.0, 1.0] | String

        new: a String that holds a type expression.

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

        What can be called with arguments of these types: a block, for all purposes here. Signatures of functions
        say with it what block they take: `Callable[2, 2] block` is one with two parameters. Numbers say how many
        arguments there may be, a Callable at the end is the type of the block's own block, and in the last form
        the type of the result is told.

        under: Any

        dialects: a bare `Callable` is the same as `Callable[0, default]`. In the released Puppet they are two types.

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

        A value of which `new` can make an instance of the type, or that is one. Further arguments are passed to
        `new`. With it a parameter says "a number, or what can be converted to one".

        = Init[Integer] | 5, '5', 1.5, true | 'x', []
        = Init[Boolean] | true, 'yes', 0 | 'maybe'

        new: what the type takes.

        > ['5', 'x'].map |$text| { $text =~ Init[Integer] }
        [true, false]

        > Init[Integer].new('12')
        12
    """,
    "TypeAlias": """
        type Name = Type

        A name for a type. Whatever the type can do, the name can; an alias may be used in its own definition, inside
        a container. In a module `type Mod::Port = …` is in `types/port.pp`.

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

        The former name of Scalar, which the specification still knows.

        = Literal | 1, 'a', true | undef, []

        dialects: the released Puppet has no such type.

        spec> Literal == Scalar
        true
    """,
}
