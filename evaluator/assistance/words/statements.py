"""Words about choices, literals and strings.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "if elsif else": """
        if condition { … } elsif condition { … } else { … }

        Evaluates the first block whose condition holds. Only false and undef count as false. It has a value: that of
        the block, or undef when no block is evaluated.

        > $size = if 3 > 2 { 'big' } else { 'small' }
        > $size
        'big'

        > if '' { 'an empty string counts as true' }
        'an empty string counts as true'

        > if 'web01' =~ /(\\d+)/ { $1 }
        '01'
    """,
    "unless": """
        unless condition { … } else { … }

        Evaluates its block when the condition does not hold: `if` turned round. There is no `elsif` for it.

        > unless 1 > 2 { 'as expected' }
        'as expected'
    """,
    "case": """
        case value { option, option: { … } default: { … } }

        Evaluates the block of the first option that matches: an equal value (letters big or small), a regular
        expression that matches, a type that the value is an instance of. `default` counts when nothing else does.
        It has a value: that of the block.

        > case 'Debian' { 'debian', 'ubuntu': { 'apt' } /^Red/: { 'dnf' } default: { 'pkg' } }
        'apt'

        > case 42 { String: { 'text' } Numeric: { 'number' } default: { 'else' } }
        'number'

        spec> case [1, 2] { [Integer, Integer]: { 'pair' } default: { 'else' } }
        'else'

        puppet> case [1, 2] { [Integer, Integer]: { 'pair' } default: { 'else' } }
        'pair'
    """,
    "? selector": """
        value ? { option => result, default => result }

        Chooses a value as `case` chooses a block. Without match and without `default` the released Puppet fails.

        > 'Debian' ? { /^Red/ => 'dnf', 'debian' => 'apt', default => 'pkg' }
        'apt'

        > 80 ? { Integer[1, 1023] => 'privileged', default => 'free' }
        'privileged'

        spec> 'x' ? { 'a' => 1 }
        undef

        puppet> 'x' ? { 'a' => 1 }
        ! No matching entry for selector parameter with value 'x'
    """,
    "default": """
        default

        A value that says "the usual", the only one of its type Default: the last option of `case` and of a selector,
        an open side of a range, a title that sets attributes for the other titles of a resource expression.

        > 5 =~ Integer[default, 10]
        true

        > case 'x' { 'a': { 1 } default: { 2 } }
        2
    """,
    "undef": """
        undef

        No value: the value of a variable, key or parameter without one. It counts as false, and is '' inside a
        string.

        > { 'a' => 1 }['b']
        undef

        > "[${undef}]"
        '[]'

        > [undef == '', undef =~ Optional[Integer]]
        [false, true]
    """,
    "true false": """
        true
        false

        The two Booleans. As a condition every value counts as true but false and undef.

        > true and !false
        true

        > [0, '', [], undef].map |$x| { !!$x }
        [true, true, true, false]
    """,
    "string interpolation ${ ${}": """
        'text'
        "text ${expression} \\n"

        Text in single quotes is kept as it is, but for \\' and \\\\. In double quotes `${…}` is replaced by what the
        expression gives, and \\n, \\t, \\s, \\$, \\u{1F600} are characters. In `${name}` the name is a variable's.

        > $port = 80
        > "port ${port}, next ${$port + 1}"
        'port 80, next 81'

        > $ports = { 'http' => 80 }
        > "port ${ports['http']}"
        'port 80'

        > 'no ${port} here'
        'no ${port} here'
    """,
    "heredoc @(": """
        @(END) … | END
        @("END":format/flags) … |- END

        A string over several lines, up to the line with the end tag. Quotes round the tag switch interpolation on.
        A bar before the end tag takes away the indent as far as the bar, a hyphen the last line end. Flags name the
        escapes that count: /n, /t, /$ …; a format such as :json or :yaml checks or reads the text.

        > $host = 'web'
        > $text = @("END")
        >   host ${host}
        >   | END
        > $text
        "host web\\n"
    """,
    "regexp /": """
        /pattern/

        A regular expression: for `=~` and `!~`, as an option of `case`, in functions such as `regsubst`. After a
        match `$0` is the matched text and `$1`, `$2`, … its groups. Options go inside: `(?i:abc)`, `(?m:…)`. Between
        two numbers the slash divides.

        > if 'port 8080' =~ /port (\\d+)/ { $1 }
        '8080'

        > 'ABC' =~ /(?i:abc)/
        true

        > 7 / 2
        3
    """,
    "array [ []": """
        [value, value, …]
        array[index]
        array[from, count]
        string[index]
        hash[key]
        Type[parameter, …]

        Makes an array, or accesses: elements of an array, characters of a String (both count from 0, negative from
        the end), values of a hash, parameters of a type, attributes of a resource. What is not there is undef.

        > ['a', 'b', 'c'][-1]
        'c'

        > { 'a' => { 'b' => 1 } }['a']['b']
        1

        > [1, 2][5]
        undef

        spec> [1, 2, 3, 4, 5][2, 3]
        [3, 4]

        puppet> [1, 2, 3, 4, 5][2, 3]
        [3, 4, 5]
    """,
    "hash { {}": """
        { key => value, … }

        Makes a hash. Keys can be of any type and are the same only if type and letters are; the order is kept.
        At the beginning of a statement a brace would be taken for a block: put the hash in a variable or parentheses.

        > $ports = { 'http' => 80, 'https' => 443 }
        > $ports['https']
        443

        > { 'a' => 1 } + { 'b' => 2 }
        {'a' => 1, 'b' => 2}

        > { 'a' => 1 }.keys
        ['a']
    """,
    "# comment /*": """
        # to the end of the line
        /* over
           several lines */

        A comment, which is ignored.

        > 1 # one
        1
    """,
}
