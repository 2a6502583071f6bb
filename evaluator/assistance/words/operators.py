"""Words about the operators."""

WORDS = {
    "precedence operators": """
        []  .
        !
        * (splat)
        - (sign)
        in
        =~  !~
        *  /  %
        +  -
        <<  >>
        ==  !=
        <  >  <=  >=
        ? { }
        and
        or
        =  ->  ~>  <-  <~

        The operators, those that bind most strongly first. Operators of one line are taken from left to right;
        parentheses say otherwise.

        dialects: relationship arrows bind weaker than `=`. In the released Puppet they bind more strongly.

        > 1 + 2 * 3
        7

        > 'a' in ['a'] and 2 > 1
        true

        > !true == false
        true
    """,
    "+": """
        number + number
        array + array
        hash + hash

        Adds numbers; appends to an array the elements of another, or a single value; merges hashes, the right side
        winning. Strings are joined by interpolation, not by `+`.

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

        Multiplies. Before an array in a list of arguments, of options or of elements it unfolds it: the splat. In a
        resource body `* => hash` gives attributes.

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

        Divides. Of two Integers it gives an Integer, rounded down; a Float on either side gives a Float.

        > 7 / 2
        3

        > 7 / 2.0
        3.5

        > -7 / 2
        -4
    """,
    "% modulo": """
        integer % integer

        The rest of a division of Integers; it has the sign of the right side.

        > 7 % 3
        1

        > -7 % 3
        2
    """,
    "<<": """
        array << value
        integer << integer

        Appends one value to an array, an array as one element; shifts the bits of an Integer to the left.

        > [1] << [2, 3]
        [1, [2, 3]]

        > 1 << 4
        16
    """,
    ">>": """
        integer >> integer
        function name(…) >> Type { … }

        Shifts the bits of an Integer to the right. In the head of a function the type of its value follows it.

        > 16 >> 2
        4

        > function half(Integer $x) >> Integer { $x / 2 }
        > half(9)
        4
    """,
    "== !=": """
        value == value
        value != value

        Tells whether two values are equal, or not. Strings are compared without regard to big and small letters,
        numbers by value, arrays and hashes element by element.

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

        Compares two numbers, two strings (without regard to big and small letters), two types (is every instance of
        the left one of the right?), two versions or two times.

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

        Tells whether a string matches a regular expression, or a value is an instance of a type; `!~` says the
        opposite. After a match `$0`, `$1`, … hold the matched text and its groups.

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

        Tells whether the right side holds the left: an element of an array, a part of a string, a key of a hash.
        Letters may be big or small. A regular expression or a type on the left asks for something that matches.

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

        Both, one of them, not. The right side is evaluated only if it matters; the value is a Boolean. `and` binds
        more strongly than `or`.

        > true and !false
        true

        > false or 'text'
        true

        > true or fail('not reached')
        true
    """,
    "=": """
        $name = value
        [$first, $second] = array

        Sets a variable, once in a scope. With an array or hash on both sides it sets several.

        > $x = 1 + 2
        3

        > [$a, $b] = ['one', 'two']
        > $b
        'two'

        > $x = 1
        > $x = 2
        ! Cannot reassign variable '$x'
    """,
    "+= -=": """
        $name += value
        $name -= value

        In the specification: sets a variable of this scope to the value of the same variable of an outer scope with
        something added to it, or removed from it. The released Puppet has them no more.

        spec> $list = [1]
        spec> class web { $list += [2] notice($list) }
        spec> include web
        notice: [1, 2]
        [Class[web]]

        puppet> $x += 1
        ! Could not parse for environment production: The operator '+=' is no longer supported
    """,
    "=>": """
        { key => value }
        attribute => value
        option => result

        Stands between a key and its value in a hash, an attribute and its value in a resource, an option and its
        result in a selector.

        > { 'a' => 1 }['a']
        1

        > notify { 'n': message => 'hello' }
        > Notify['n']['message']
        'hello'
    """,
    "+>": """
        Type['title'] { attribute +> value }
        Type <| query |> { attribute +> value }

        Adds to the value that an attribute has, instead of replacing it: in an override, from a class that inherits,
        and in the body of a collector.

        > class a { notify { 'n': tag => ['x'] } }
        > class b inherits a { Notify['n'] { tag +> ['y'] } }
        > include b
        [Class[b]]
    """,
    "-> <-": """
        first -> second
        second <- first

        The resources on the left are applied before those on the right; `<-` says it the other way round. Either
        side is a reference, an array of them, a collector or a resource expression. Chains are possible.

        > notify { ['a', 'b', 'c']: }
        > Notify['a'] -> Notify['b'] -> Notify['c']
        [Notify['c']]

        > package { 'ntp': } -> file { '/etc/ntp.conf': } ~> service { 'ntp': }
        [Service['ntp']]
    """,
    "~> <~": """
        first ~> second
        second <~ first

        As `->`, and when the first one is changed, the second is told: a service restarts, an `exec` with
        `refreshonly` runs.

        > file { '/etc/ntp.conf': }
        > service { 'ntp': }
        > File['/etc/ntp.conf'] ~> Service['ntp']
        [Service['ntp']]
    """,
    ". method": """
        value.function(argument, …)
        value.function |$x| { … }

        Calls a function with the value as its first argument, so that a chain reads from left to right. Parentheses
        may be left out when there are no further arguments.

        > [3, 1, 2].sort.map |$n| { $n * 10 }
        [10, 20, 30]

        > 'a b'.split(' ').join('-').upcase
        'A-B'
    """,
    "::": """
        module::class
        $module::class::variable
        Module::Type

        Separates the parts of a name: modules, and what is in them. At the start, `$::name`, it means top scope.

        > class web { $port = 80 }
        > include(web)
        > $web::port
        80
    """,
}
