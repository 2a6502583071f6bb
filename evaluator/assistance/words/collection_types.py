"""The types of collections and of what can be iterated over.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "Array": """
        Array
        Array[Type]
        Array[Type, min, max]

        An ordered list of values. The first parameter is the type of every element, the others are the least and
        the greatest number of elements.

        = Array | [], [1, 'a'] | { 'a' => 1 }, 'abc'
        = Array[Integer] | [1, 2], [] | [1, 'a']
        = Array[String, 1, 2] | ['a'], ['a', 'b'] | [], ['a', 'b', 'c']

        new: whatever can be iterated over: a hash yields its pairs, a String its characters, an Integer n the numbers
        below n. With `true` as second argument a value that is no array becomes the only element.

        under: Collection, Iterable

        dialects: a bare `Array` is `Array[Data]`. In the released Puppet it is `Array[Any]`.

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

        Keys with values, in the order in which they were added. The parameters are the type of all keys, the type
        of all values, and the least and the greatest number of entries. For a hash whose keys are known, Struct
        says more.

        = Hash | {}, { 'a' => 1 } | [['a', 1]]
        = Hash[String, Integer] | { 'a' => 1 }, {} | { 1 => 2 }, { 'a' => 'b' }
        = Hash[String, Any, 1] | { 'a' => [] } | {}

        new: an array of pairs, or a flat list of keys and values. With 'tree' as second argument it takes pairs of
        path and value and builds nested hashes.

        under: Collection, Iterable

        dialects: a bare `Hash` is `Hash[Scalar, Data]`, and `Hash[Type]` is `Hash[Scalar, Type]`. In the released
        Puppet a bare `Hash` holds anything, and one parameter is an error.

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

        An array with a type for each place. Numbers at the end say how many elements there may be: fewer than types
        makes the last ones optional, more repeats the last type.

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

        A hash with exactly these keys, each with a type for its value. A key may be missing when it is written as
        `Optional['key']`, or when its type accepts undef. `NotUndef['key']` requires the key even then. Other keys
        are refused.

        = Struct[{p => Integer}] | {'p' => 80} | {}, {'p' => '80'}, {'p' => 80, 'q' => 1}
        = Struct[{Optional[p] => Integer}] | {}, {'p' => 80} | {'p' => undef}
        = Struct[{p => Optional[Integer]}] | {}, {'p' => undef} | {'p' => 'x'}

        new: what Hash takes; the result must fit.

        under: Hash, Collection, Iterable

        dialects: a bare `Struct` matches every hash. In the released Puppet it matches only `{}`.

        > { 'host' => 'web', 'port' => 80 } =~ Struct[{ 'host' => String[1], 'port' => Integer }]
        true

        > assert_type(Struct[{ 'host' => String[1] }], { 'hots' => 'web' })
        ! Error while evaluating a Function Call,  assert_type(): expects a value for key 'host'
    """,
    "Collection": """
        Collection
        Collection[min, max]

        An Array or a Hash. The parameters are the least and the greatest number of elements.

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

        Whatever `each`, `map` and their like go through: an array's elements, a hash's entries, a String's
        characters, the numbers below an Integer, those of a range such as `Integer[1, 3]`, the strings of an Enum.
        The parameter is the type of what comes out.

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

        What functions such as `reverse_each`, `step` and `tree_each` return without a block: something to iterate over,
        which has not been gone through yet. Iterating functions take it as they take an array; a splat (`*`) or
        Array() makes one of it.

        = Iterator | [1, 2].reverse_each, [1, 2].step(2) | [1, 2], 'abc'

        under: Iterable

        > [1, 2, 3].reverse_each.map |$n| { $n * 10 }
        [30, 20, 10]

        > Array([1, 2, 3, 4, 5].step(2))
        [1, 3, 5]
    """,
}
