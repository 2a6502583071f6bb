"""The reference of types of collections, of rich values such as times and versions, and of resources.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Array": """
        Array
        Array[Type]
        Array[Type, min, max]

        An ordered list of values. The first parameter is the type of every element, the others are the minimum and the
        maximum number of elements.

        = Array | [], [1, 'a'] | { 'a' => 1 }, 'abc'
        = Array[Integer] | [1, 2], [] | [1, 'a']
        = Array[String, 1, 2] | ['a'], ['a', 'b'] | [], ['a', 'b', 'c']

        new: any value that can be iterated over: a hash returns its pairs, a String its characters, an Integer n the
        numbers below n. If the second argument is `true`, a value that is not an array becomes the only element.

        under: Collection, Iterable

        dialects: `Array` without parameters is `Array[Data]`. In the released Puppet it is `Array[Any]`.

        > Array('abc')
        ['a', 'b', 'c']

        > Array('abc', true)
        ['abc']

        > Array({ 'a' => 1 })
        [['a', 1]]

        spec> [Integer] =~ Array
        false

        puppet> [Integer] =~ Array
        true
    """,
    "Hash": """
        Hash
        Hash[KeyType, ValueType]
        Hash[KeyType, ValueType, min, max]

        Keys with values, in the order in which they were added. The parameters are the type of all keys, the type of
        all values, and the minimum and the maximum number of entries. If the keys of a hash are known, Struct is more
        exact.

        = Hash | {}, { 'a' => 1 } | [['a', 1]]
        = Hash[String, Integer] | { 'a' => 1 }, {} | { 1 => 2 }, { 'a' => 'b' }
        = Hash[String, Any, 1] | { 'a' => [] } | {}

        new: an array of pairs, or a flat list of keys and values. If the second argument is 'tree', it takes pairs of
        path and value and builds nested hashes.

        under: Collection, Iterable

        dialects: `Hash` without parameters is `Hash[Scalar, Data]`, and `Hash[Type]` is `Hash[Scalar, Type]`. In the
        released Puppet `Hash` matches every hash, and one parameter is an error.

        > Hash([['a', 1], ['b', 2]])
        {'a' => 1, 'b' => 2}

        > Hash(['a', 1, 'b', 2])
        {'a' => 1, 'b' => 2}

        > Hash([[['a', 'b'], 1], [['a', 'c'], 2]], 'tree')
        {'a' => {'b' => 1, 'c' => 2}}
    """,
    "Tuple": """
        Tuple[Type1, Type2, …]
        Tuple[Type1, Type2, …, min, max]

        An array with a type for each position. Numbers at the end are the minimum and maximum number of elements: a
        smaller minimum than the number of types makes the last elements optional, a greater maximum repeats the last
        type.

        = Tuple[String, Integer] | ['a', 1] | ['a'], [1, 'a'], ['a', 1, 2]
        = Tuple[String, Integer, 1] | ['a'], ['a', 1] | [], [1]
        = Tuple[String, Integer, 1, 3] | ['a', 1, 2] | ['a', 1, 2, 3]

        new: what Array takes; the result must fit.

        under: Array, Collection, Iterable

        > ['web', 80] =~ Tuple[String, Integer]
        true

        > type([1, 'a'])
        Tuple[Integer[1, 1], String]

        > assert_type(Tuple[String, Integer], ['web'])
        ! Error while evaluating a Function Call, assert_type(): expects size to be 2, got 1
    """,
    "Struct": """
        Struct[{ 'key' => Type, … }]
        Struct[{ Optional['key'] => Type, NotUndef['key'] => Type, … }]

        A hash with exactly these keys, each with a type for its value. A key may be missing if it is written as
        `Optional['key']`, or if its type accepts undef. `NotUndef['key']` requires the key even then. Other keys are
        rejected.

        = Struct[{p => Integer}] | {'p' => 80} | {}, {'p' => '80'}, {'p' => 80, 'q' => 1}
        = Struct[{Optional[p] => Integer}] | {}, {'p' => 80} | {'p' => undef}
        = Struct[{p => Optional[Integer]}] | {}, {'p' => undef} | {'p' => 'x'}

        new: what Hash takes; the result must fit.

        under: Hash, Collection, Iterable

        dialects: `Struct` without parameters matches every hash. In the released Puppet it matches only `{}`.

        > { 'host' => 'web', 'port' => 80 } =~ Struct[{ 'host' => String[1], 'port' => Integer }]
        true

        > assert_type(Struct[{ 'host' => String[1] }], { 'hots' => 'web' })
        ! Error while evaluating a Function Call,  assert_type(): expects a value for key 'host'
    """,
    "Collection": """
        Collection
        Collection[min, max]

        An Array or a Hash. The parameters are the minimum and the maximum number of elements.

        = Collection | [], [1], { 'a' => 1 } | 'abc', 3
        = Collection[1] | [1], { 'a' => 1 } | [], {}

        under: Iterable

        > [[1, 2], { 'a' => 1 }, 'ab'].filter |$x| { $x =~ Collection }
        [[1, 2], {'a' => 1}]

        > Array[Integer] <= Collection
        true
    """,
    "Iterable": """
        Iterable
        Iterable[Type]

        A value that `each`, `map` and similar functions iterate over: an array's elements, a hash's entries, a
        String's characters, the numbers below an Integer, those of a range such as `Integer[1, 3]`, the strings of an
        Enum. The parameter is the type of the elements.

        = Iterable | [1], { 'a' => 1 }, 'abc', 3, Integer[1, 3] | 1.5, undef, true
        = Iterable[Integer] | [1, 2], 3 | ['a'], 'abc'

        > 'abc'.map |$letter| { $letter.upcase }
        ['A', 'B', 'C']

        > 3.map |$n| { $n * $n }
        [0, 1, 4]

        > Integer[2, 4].reduce |$a, $b| { $a * $b }
        24
    """,
    "Iterator": """
        Iterator
        Iterator[Type]

        The result of functions such as `reverse_each`, `step` and `tree_each` without a block: an iteration that has
        not run yet. Iterating functions accept it like an array; a splat (`*`) or Array() converts it to an array.

        = Iterator | [1, 2].reverse_each, [1, 2].step(2) | [1, 2], 'abc'

        under: Iterable

        > [1, 2, 3].reverse_each.map |$n| { $n * 10 }
        [30, 20, 10]

        > Array([1, 2, 3, 4, 5].step(2))
        [1, 3, 5]
    """,
    "Timestamp": """
        Timestamp
        Timestamp[from, to]

        A point in time, with nanoseconds. The difference of two Timestamps is a Timespan. The parameters are the
        earliest and the latest time, as strings or in seconds since 1970.

        = Timestamp | Timestamp('2024-05-01') | '2024-05-01', 0
        = Timestamp['2024-01-01', '2024-12-31'] | Timestamp('2024-05-01') | Timestamp('2025-05-01')

        new: no argument (the current time), seconds since 1970, or a String such as '2024-05-01T12:00:00 UTC'. For
        another form, pass a format (or a list of formats) and a time zone.

        under: Scalar, RichData

        > Timestamp('2024-05-02') - Timestamp('2024-05-01')
        Timespan('1-00:00:00.0')

        > Timestamp('01.05.2024', '%d.%m.%Y')
        Timestamp('2024-05-01T00:00:00.000000000 UTC')

        > Timestamp('2024-05-01').strftime('%A')
        'Wednesday'
    """,
    "Timespan": """
        Timespan
        Timespan[from, to]

        A duration, with nanoseconds. You can add it to a Timestamp, multiply and compare it. The parameters are the
        minimum and the maximum duration, as strings or in seconds.

        = Timespan | Timespan(90), Timespan('01:30:00') | 90, '01:30:00'
        = Timespan['0:0:0', '1:0:0'] | Timespan(60) | Timespan(7200)

        new: seconds; a String such as '1-02:30:00' (days, hours, minutes, seconds), or another form with its format;
        days, hours, minutes and seconds as four numbers; a hash such as `{ 'days' => 1, 'hours' => 2 }`.

        under: Scalar, RichData

        > Timespan({ 'days' => 1, 'hours' => 2 })
        Timespan('1-02:00:00.0')

        > Integer(Timespan('01:30:00'))
        5400

        > Timestamp('2024-05-01') + Timespan(1, 0, 0, 0)
        Timestamp('2024-05-02T00:00:00.000000000 UTC')
    """,
    "SemVer": """
        SemVer
        SemVer['range', …]

        A version by the rules of semantic versioning: major, minor and patch number, and optionally a pre-release and
        a build. Versions are compared by these rules. The parameters are ranges; a version must be in one of them.

        = SemVer | SemVer('1.2.3'), SemVer('2.0.0-rc1') | '1.2.3'
        = SemVer['>=1.0.0 <2.0.0'] | SemVer('1.2.3') | SemVer('2.0.0')

        new: a String; or major, minor, patch, pre-release and build; or a hash of these.

        under: Scalar, RichData

        > SemVer('1.10.0') > SemVer('1.9.0')
        true

        > SemVer('1.2.3') =~ SemVer['1.x']
        true

        > SemVer(1, 2, 3, 'rc1')
        1.2.3-rc1
    """,
    "SemVerRange": """
        SemVerRange

        A range of versions: '>=1.0.0 <2.0.0', '1.x', '~1.2.3' (patches only), '^1.2.3' (nothing incompatible),
        '1.0.0 - 2.0.0', and several of them with '||' between.

        = SemVerRange | SemVerRange('1.x') | '1.x', SemVer('1.2.3')

        new: a String, or the minimum and the maximum version and whether the maximum is excluded.

        under: Scalar, RichData

        > SemVer('1.4.0') =~ SemVer[SemVerRange('^1.2.3')]
        true

        > ['1.2.9', '1.3.0'].filter |$text| { SemVer($text) =~ SemVer['~1.2.3'] }
        ['1.2.9']
    """,
    "URI": """
        URI
        URI['https://…']
        URI[{ 'scheme' => Type, 'host' => Type, 'port' => Type, 'path' => Type }]

        A uniform resource identifier with access to its parts: `.scheme`, `.userinfo`, `.host`, `.port`, `.path`,
        `.query`, `.fragment`. The parameters restrict it to URIs whose parts match these types.

        = URI | URI('https://example.com/a') | 'https://example.com/a'
        = URI[{ 'scheme' => Enum['https'] }] | URI('https://example.com') | URI('http://example.com')

        new: a String, or a hash of the parts.

        under: RichData

        > URI('https://example.com:8443/a?b=c').port
        8443

        > URI({ 'scheme' => 'https', 'host' => 'example.com', 'path' => '/a' })
        URI('https://example.com/a')
    """,
    "Binary": """
        Binary

        Bytes that need not be text, such as the content of a picture. It is displayed in Base64.

        = Binary | Binary('aGVsbG8='), Binary([104, 105]) | 'aGVsbG8=', [104, 105]

        new: a Base64 string; another string with a format: '%s' for the string itself, '%u' for Base64 that is safe in
        URLs; an array of numbers from 0 to 255.

        under: RichData

        > Binary('hello', '%s')
        Binary("aGVsbG8=")

        > String(Binary('aGVsbG8='), '%s')
        'hello'

        > Binary('aGVsbG8=').length
        5
    """,
    "Sensitive": """
        Sensitive
        Sensitive[Type]

        A value that is hidden in results, logs, errors and the displayed catalog. `unwrap` returns the value. The
        parameter is the type of the hidden value.

        = Sensitive | Sensitive('secret') | 'secret'
        = Sensitive[String] | Sensitive('secret') | Sensitive(1)

        new: any value.

        under: RichData

        > notice("the password is ${Sensitive('secret')}")
        notice: the password is Sensitive [value redacted]
        undef

        > Sensitive('secret').unwrap.length
        6
    """,
    "Error": """
        Error
        Error[kind]
        Error[kind, issue_code]

        A description of an error, as a value: `.message`, `.kind`, `.details`, `.issue_code`. Functions that report a
        failure without stopping the program return one.

        = Error | Error('no space') | 'no space'
        = Error['disk'] | Error('no space', 'disk') | Error('no space', 'net')

        new: the message, its kind, a hash of details, and an issue code; or one hash of these.

        under: RichData

        > Error('no space', 'disk', { 'free' => 0 }).details
        {'free' => 0}

        > Error('no space').message
        'no space'
    """,
    "Deferred": """
        Deferred('function', [argument, …])

        A call that is made later, on the machine, when the catalog is applied. This way a secret need not be in the
        catalog. `call` makes the call immediately.

        = Deferred | Deferred('upcase', ['a']) | 'upcase'

        new: the name of a function, or of a variable such as '$facts', and an array of arguments.

        under: RichData

        > Deferred('upcase', ['a']).call
        'A'

        > notify { 'a': message => Deferred('upcase', ['hello']) }
        > Notify['a']['message'] =~ Deferred
        true
    """,
    "Object": """
        type Name = Object[{ 'attributes' => { 'x' => Type, … }, 'parent' => Type, … }]

        A type with its own attributes. The hash may contain `attributes` (a type, or a hash with type and value),
        `parent`, `constants`, `functions`, `equality` (the attributes that are compared) and `type_parameters`. To
        make an object, pass the values of the attributes in order, or one hash.

        new: a value for each attribute, or a hash.

        dialects: in the specification `Object` without parameters is the former name of Any.

        > type Point = Object[{ 'attributes' => { 'x' => Integer, 'y' => { 'type' => Integer, 'value' => 0 } } }]
        > [Point(3).x, Point(3).y, Point({ 'x' => 1, 'y' => 2 })]
        [3, 0, Point({'x' => 1, 'y' => 2})]

        > type Point = Object[{ 'attributes' => { 'x' => Integer } }]
        > [Point(1) == Point(1), Point(1) =~ Point]
        [true, true]
    """,
    "TypeSet": """
        type Name = TypeSet[{ 'pcore_version' => '1.0.0', 'version' => '…', 'types' => { … } }]

        A named and versioned set of types. Modules use it to keep types together.

        under: RichData

        > type Shop = TypeSet[{ 'pcore_version' => '1.0.0', 'version' => '1.0.0', 'types' => { 'Price' => Integer } }]
        > Shop =~ Type
        true
    """,
    "Runtime": """
        Runtime['language', 'name']

        A value of the language in which Puppet itself runs. Programs never receive such a value here; the type exists
        so that type expressions that name it can be parsed.

        = Runtime['ruby', 'Symbol'] | - | 'a', 1

        under: Any

        > 'a' =~ Runtime['ruby', 'String']
        false
    """,
    "Ruby": """
        Ruby
        Ruby['name']

        The specification's notation for `Runtime['ruby', 'name']`: a value of Ruby. Programs never receive such a
        value here.

        dialects: the released Puppet has no such type.

        spec> Ruby['Symbol'] == Runtime['ruby', 'Symbol']
        true
    """,
    "Pcore": """
        Pcore

        The object type that describes Puppet's own types: types are instances of the types `Pcore::…`. Programs rarely
        need it.

        > Pcore
        Object[{name => 'Pcore'}]
    """,
    "Annotation": """
        Annotation

        The parent of object types whose values `annotate` attaches to other values. You cannot make annotations here.

        > Annotation
        Object[{name => 'Annotation'}]
    """,
    "Puppet::LookupContext": """
        Puppet::LookupContext

        The context that a function receives if it serves Hiera as a data source. Only `lookup` makes one.

        > 'a' =~ Puppet::LookupContext
        false
    """,
    "Puppet::LookupKey": """
        Puppet::LookupKey

        The keys that a function receives if it serves Hiera as a data source: those of `RichDataKey`.

        > 'ntp::servers' =~ Puppet::LookupKey
        true

        > Puppet::LookupKey
        Puppet::LookupKey
    """,
    "Puppet::LookupValue": """
        Puppet::LookupValue

        The values that a function may return as a data source of Hiera: those of `RichData`.

        > ['a', 1] =~ Puppet::LookupValue
        true

        > Puppet::LookupValue
        Puppet::LookupValue
    """,
    "RubyMethod": """
        RubyMethod

        An annotation that defines an attribute or function of an Object type in Ruby; it has no effect here.

        > RubyMethod <= Annotation
        true

        > [RubyMethod <= Type, RubyMethod == Annotation]
        [false, false]
    """,
    "Resource": """
        Resource
        Resource['type']
        Resource['type', 'title', …]

        A reference to a resource: `Resource['file', '/a']` is another notation for `File['/a']`, for a type that is
        known only when the program runs. References are types: `File['/a'] <= File`.

        = Type[Resource] | File['/a'], Service['web'] | Class['a'], 'File[/a]'

        under: CatalogEntry

        dialects: an unknown type name, such as `Foo['x']`, is a resource type. In the released Puppet it is an error.

        > Resource['file', '/etc/motd']
        File['/etc/motd']

        > File['/etc/motd'] =~ Type[File]
        true

        > notify { 'a': message => 'hello' }
        > Notify['a']['message']
        'hello'
    """,
    "Class": """
        Class
        Class['name', …]

        A reference to a class, for relationships and queries. It declares nothing; `include` and `class { … }` do.

        = Type[Class] | Class['ntp'] | File['/a'], 'ntp'

        under: CatalogEntry

        > class ntp($servers = ['a']) { }
        > include(ntp)
        > [defined(Class['ntp']), $ntp::servers]
        [true, ['a']]

        > class base { }
        > class web { notify { 'w': } }
        > include base, web
        > Class['base'] -> Class['web']
        [Class[web]]
    """,
    "CatalogEntry": """
        CatalogEntry

        The entries of a catalog: every reference to a resource and every reference to a class is such a type.

        = Type[CatalogEntry] | File['/a'], Class['ntp'], Resource | Integer, 'File[/a]'

        under: Any

        > [File['/a'] <= CatalogEntry, Class['ntp'] <= CatalogEntry, Integer <= CatalogEntry]
        [true, true, false]

        > File['/a'] =~ Type[CatalogEntry]
        true
    """,
}
