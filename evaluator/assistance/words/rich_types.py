"""The types of times, versions, addresses, bytes, secrets, errors and objects.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Timestamp": """
        Timestamp
        Timestamp[from, to]

        A moment in time, kept in nanoseconds. Two of them have a Timespan between them. The parameters are the first
        and the last moment, as text or in seconds since 1970.

        = Timestamp | Timestamp('2024-05-01') | '2024-05-01', 0
        = Timestamp['2024-01-01', '2024-12-31'] | Timestamp('2024-05-01') | Timestamp('2025-05-01')

        new: nothing (that is now), seconds since 1970, or a String such as '2024-05-01T12:00:00 UTC' with, if it
        looks otherwise, a format (or a list of formats) and a time zone.

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

        A length of time, kept in nanoseconds. It can be added to a Timestamp, multiplied and compared. The parameters
        are the least and the greatest length, as text or in seconds.

        = Timespan | Timespan(90), Timespan('01:30:00') | 90, '01:30:00'
        = Timespan['0:0:0', '1:0:0'] | Timespan(60) | Timespan(7200)

        new: seconds; a String such as '1-02:30:00' (days, hours, minutes, seconds) with a format if it looks
        otherwise; days, hours, minutes and seconds as four numbers; a hash such as `{ 'days' => 1, 'hours' => 2 }`.

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

        A version by the rules of semantic versioning: major, minor and patch number, and perhaps a pre-release and
        build. Versions compare as such. The parameters are ranges; a version must be in one of them.

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

        new: a String, or the least and the greatest version and whether the latter is left out.

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

        A uniform resource identifier, taken apart: `.scheme`, `.userinfo`, `.host`, `.port`, `.path`, `.query`,
        `.fragment`. With parameters only those whose parts are of these types.

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

        Bytes that need not be text, such as the content of a picture. It is shown in base64.

        = Binary | Binary('aGVsbG8='), Binary([104, 105]) | 'aGVsbG8=', [104, 105]

        new: base64 text; text in another form with a format: '%s' for the text itself, '%u' for base64 that is safe
        in URLs; an array of numbers from 0 to 255.

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

        A value that is not shown: not in results, logs, errors or the catalog's text. `unwrap` returns the value. The
        parameter is the type of what is inside.

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

        A description of what went wrong, as a value: `.message`, `.kind`, `.details`, `.issue_code`. Functions that
        report a failure instead of stopping return one.

        = Error | Error('no space') | 'no space'
        = Error['disk'] | Error('no space', 'disk') | Error('no space', 'net')

        new: the message, then its kind, a hash of details, and an issue code; or one hash of these.

        under: RichData

        > Error('no space', 'disk', { 'free' => 0 }).details
        {'free' => 0}

        > Error('no space').message
        'no space'
    """,
    "Deferred": """
        Deferred('function', [argument, …])

        A call that is made later: on the machine, when the catalog is applied. So a secret need not be in the
        catalog. `call` makes the call at once.

        = Deferred | Deferred('upcase', ['a']) | 'upcase'

        new: the name of a function, or a variable's such as '$facts', and an array of arguments.

        under: RichData

        > Deferred('upcase', ['a']).call
        'A'

        > notify { 'a': message => Deferred('upcase', ['hello']) }
        > Notify['a']['message'] =~ Deferred
        true
    """,
    "Object": """
        type Name = Object[{ 'attributes' => { 'x' => Type, … }, 'parent' => Type, … }]

        A type with attributes of its own. The hash may hold `attributes` (a type, or a hash with type and value),
        `parent`, `constants`, `functions`, `equality` (the attributes that count) and `type_parameters`. Making one
        gives the values of the attributes in order, or one hash.

        new: a value for each attribute, or a hash.

        dialects: in the specification a bare `Object` is the former name of Any.

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

        A value of the language in which Puppet itself runs. No program here meets one; the type exists so that
        type expressions that name it can be read.

        = Runtime['ruby', 'Symbol'] | - | 'a', 1

        under: Any

        > 'a' =~ Runtime['ruby', 'String']
        false
    """,
    "Ruby": """
        Ruby
        Ruby['name']

        The specification's way to write `Runtime['ruby', 'name']`: a value of Ruby. No program here meets one.

        dialects: the released Puppet has no such type.

        spec> Ruby['Symbol'] == Runtime['ruby', 'Symbol']
        true
    """,
    "Pcore": """
        Pcore

        The object type in which Puppet's types are described: `Pcore::…` types are what types themselves are
        instances of. Programs have little use for it.

        > Pcore
        Object[{name => 'Pcore'}]
    """,
    "Annotation": """
        Annotation

        The parent of object types whose values are attached to others by `annotate`. Annotations cannot be made
        here.

        > Annotation
        Object[{name => 'Annotation'}]
    """,
    "Puppet::LookupContext": """
        Puppet::LookupContext

        The context that a function gets which serves Hiera as a data source. Only `lookup` makes one.

        > 'a' =~ Puppet::LookupContext
        false
    """,
    "Puppet::LookupKey": """
        Puppet::LookupKey

        The keys that a function gets which serves Hiera as a data source; any value is one.

        > 'ntp::servers' =~ Puppet::LookupKey
        true

        > Puppet::LookupKey
        Puppet::LookupKey
    """,
    "Puppet::LookupValue": """
        Puppet::LookupValue

        The values that a function may return as a data source of Hiera; any value is one.

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
}
