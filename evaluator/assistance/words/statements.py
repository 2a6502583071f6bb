"""The reference of definitions, statements and literals, and a line about each keyword.

`evaluator.assistance.words` describes the paragraphs of an entry. A key lists all names of its entry: "if elsif else".
"""

# A short description of each keyword, for lists of candidates.
KEYWORDS: dict[str, str] = {
    "and": "both sides are true",
    "case": "chooses by value: case $x { 'a', /b/: { … } default: { … } }",
    "class": "defines a class, class name(Type $parameter) { … }; or declares one, class { 'name': … }",
    "default": "the option for all other values",
    "define": "defines a resource type: define name(Type $parameter) { … }, declared like any resource",
    "else": "the branch when no condition holds",
    "elsif": "a further condition of `if`",
    "false": "the Boolean false",
    "function": "defines a function: function name(Type $x) >> Type { … }; its last expression is its value",
    "if": "if condition { … } elsif condition { … } else { … }; it has a value",
    "in": "tests for a string in a string, an element in an array, a key in a hash",
    "inherits": "the class that a class extends",
    "node": "code for a node: node 'name', /pattern/ { … }",
    "or": "at least one side is true",
    "true": "the Boolean true",
    "type": "names a type: type Port = Integer[1, 65535]",
    "undef": "no value",
    "unless": "unless condition { … } else { … }",
}

WORDS = {
    "class": """
        class name(Type $parameter = value, …) inherits other { … }
        class { 'name': parameter => value }
        include name

        A named block of code that is evaluated at most once. Its definition declares nothing. `include` declares it,
        any number of times; `class { … }` declares it once, with values for the parameters. Parameters get values
        there, from data (Hiera), or from defaults.

        > class web(Integer $port = 80) { notify { "port ${port}": } }
        > include(web)
        > $web::port
        80

        > class web(Integer $port = 80) { }
        > class { 'web': port => 8080 }
        > $web::port
        8080
    """,
    "define": """
        define name(Type $parameter = value, …) { … }
        name { 'title': parameter => value }

        A resource type that the program defines. Its body is evaluated for every declared resource of the type, and
        can read the title as `$title` and `$name`. The titles of resources in the body therefore usually contain
        `$title`.

        > define site(Integer $port = 80) { notify { "${title} on ${port}": } }
        > site { 'shop': port => 8080 }
        > defined(Site['shop'])
        true
    """,
    "node": """
        node 'name', /regexp/, default { … }

        Code for the machines with these names. Only one node definition applies: the one with exactly the name, else
        the first one whose pattern matches, else `default`.

        > node default { notice('every other machine') }
        undef
    """,
    "function": """
        function name(Type $parameter, Type $optional = value, Type *$rest) >> ReturnType { … }

        A function that the program defines. Its value is its last expression, or the argument of `return()`. It can
        read its parameters and top scope. In a module the name begins with the name of the module: `mod::name`.

        > function double(Integer $x) >> Integer { $x * 2 }
        > [double(4), 5.double]
        [8, 10]

        > function count(Any *$all) { $all.length }
        > count('a', 'b', 'c')
        3
    """,
    "type": """
        type Name = Type

        Defines a name for a type. In a module the name begins with the name of the module: `type Mod::Port = …` in
        `types/port.pp`.

        > type Port = Integer[1, 65535]
        > [443 =~ Port, 0 =~ Port]
        [true, false]
    """,
    "inherits": """
        class name inherits other { … }

        The class is evaluated after the other one, can read its variables, and may override attributes of the
        resources that the other class declared. For all other purposes use `include` instead.

        > class base { $color = 'red' notify { 'n': message => 'base' } }
        > class special inherits base { Notify['n'] { message => "special ${color}" } }
        > include special
        [Class[special]]

        > class params { $port = 80 }
        > class web($port = $params::port) inherits params { notice($port) }
        > include web
        notice: 80
        [Class[web]]
    """,
    "resource": """
        type { 'title': attribute => value, … }
        type { 'title': …; 'other': … }
        type { ['one', 'two']: … }
        type { default: …; 'title': … }

        Declares a resource: something on the machine, with its desired state in attributes. Type and title together
        identify it, once in a catalog. The value is a list of references.

        > notify { 'hello': message => 'world' }
        [Notify['hello']]

        > notify { ['a', 'b']: }
        > defined(Notify['b'])
        true

        > notify { default: withpath => true; 'a': ; 'b': withpath => false }
        > [Notify['a']['withpath'], Notify['b']['withpath']]
        [true, false]
    """,
    "defaults": """
        Type { attribute => value, … }

        Sets attributes of the resources of a type that do not set them themselves, in this scope and the scopes below
        it. A title `default` does the same inside one resource expression.

        > Notify { withpath => true }
        > notify { 'a': }
        > Notify['a']['withpath']
        true
    """,
    "override": """
        Type['title'] { attribute => value, other +> value }

        Sets attributes of a resource that is declared elsewhere: attributes that it does not have yet, or any
        attribute in a class that inherits from the one that declared it. `+>` adds to the existing value.

        > class a { notify { 'n': message => 'a' } }
        > class b inherits a { Notify['n'] { message => 'b' } }
        > include b
        [Class[b]]
    """,
    "@ virtual": """
        @type { 'title': attribute => value }

        Declares a virtual resource: it becomes part of the catalog only if `realize` or a collector requests it, any
        number of times. Use it for resources that several classes need, such as users.

        > @notify { 'a': tag => 'night' }
        > realize(Notify['a'])
        undef

        > @notify { 'a': tag => 'night' }
        > Notify <| tag == 'night' |>
        > defined(Notify['a'])
        true
    """,
    "@@ exported": """
        @@type { 'title': attribute => value }

        Declares a virtual resource that is also exported: other machines can collect it with `Type <<| … |>>`, through
        PuppetDB. Here the catalog shows it with `@@`, and you can pass it on in a file.

        > @@notify { 'from here': }
        > defined(Notify['from here'])
        true
    """,
    "<| |> collector": """
        Type <| attribute == value and … |>
        Type <| … |> { attribute => value }

        Realizes the virtual resources that the query finds, and represents all resources that it finds in a
        relationship. With a body it also sets their attributes. Without a query it finds all resources. `tag == 'x'`
        searches for a tag. It is evaluated at the end, so it also finds resources that are declared after it.

        > @user { 'ann': uid => 1 }
        > User <| title == 'ann' |>
        > defined(User['ann'])
        true

        > notify { 'a': }
        > Notify <| |> { withpath => true }
        > 'done'
        'done'
    """,
    "<<| |>> exported-collector": """
        Type <<| attribute == value |>>

        Collects the resources that other machines have exported with `@@`, and those of this machine. Here there is no
        PuppetDB: a session reads the exported resources from a file, and finds none without one.

        > @@notify { 'a': }
        > Notify <<| |>>
        > defined(Notify['a'])
        true
    """,
    "lambda block |": """
        function(…) |Type $parameter, …| { … }
        value.function |$parameter| { … }

        A block of code that a function calls, any number of times. Its value is its last expression. `next()` ends it
        early, `break()` ends the iteration. Variables set in it are local to it.

        > [1, 2, 3].map |$n| { $n * 2 }
        [2, 4, 6]

        > { 'a' => 1 }.each |$key, $value| { notice("${key}: ${value}") }
        notice: a: 1
        {'a' => 1}

        > [1, 2].reduce |Integer $sum, Integer $n| { $sum + $n }
        3
    """,
    "$ variable": """
        $name
        $module::class::name
        $::name

        A variable is set once with `=`, and never again in its scope. A qualified name is a variable of a class,
        `$::name` a variable of top scope. `$facts` describes the machine, `$trusted` its identity; `$title` and
        `$name` belong to a resource.

        > $port = 80
        > $port + 1
        81

        > $facts['os'] =~ Hash
        true

        > [$a, $b] = [1, 2]
        > $a + $b
        3
    """,
    "if elsif else": """
        if condition { … } elsif condition { … } else { … }

        Evaluates the first block whose condition is true. Only false and undef count as false. Its value is that of
        the block, or undef if no block is evaluated.

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

        Evaluates its block if the condition is false: the inverse of `if`. It has no `elsif`.

        > unless 1 > 2 { 'as expected' }
        'as expected'
    """,
    "case": """
        case value { option, option: { … } default: { … } }

        Evaluates the block of the first option that matches: an equal value (ignoring case), a regular expression that
        matches, a type of which the value is an instance. `default` applies if no other option matches. Its value is
        that of the block.

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

        Chooses a value as `case` chooses a block. If nothing matches and there is no `default`, the released Puppet
        fails.

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

        A value that means the default, the only one of its type Default: the last option of `case` and of a
        selector, a missing bound of a range, a title that sets attributes for the other titles of a resource
        expression.

        > 5 =~ Integer[default, 10]
        true

        > case 'x' { 'a': { 1 } default: { 2 } }
        2
    """,
    "undef": """
        undef

        No value: the value of a variable, key or parameter without a value. It counts as false, and becomes '' inside
        a string.

        > { 'a' => 1 }['b']
        undef

        spec> "[${undef}]"
        '[]'

        > [undef == '', undef =~ Optional[Integer]]
        [false, true]
    """,
    "true false": """
        true
        false

        The two Booleans. As a condition, every value except false and undef counts as true.

        > true and !false
        true

        > [0, '', [], undef].map |$x| { !!$x }
        [true, true, true, false]
    """,
    "string interpolation ${ ${}": """
        'text'
        "text ${expression} \\n"

        A string in single quotes is not changed, except for \\' and \\\\. In double quotes `${…}` is replaced by the
        value of the expression, and \\n, \\t, \\s, \\$, \\u{1F600} are characters. In `${name}` the name is that of a
        variable.

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

        A string over several lines, up to the line with the end tag. Quotes around the tag enable interpolation. A bar
        before the end tag removes the indentation up to the bar, a hyphen removes the last line end. Flags name the
        escapes that are replaced: /n, /t, /$ …; a format such as :json or :yaml checks or parses the text.

        > $host = 'web'
        > $text = @("END")
        >   host ${host}
        >   | END
        > $text
        "host web\\n"
    """,
    "regexp /": """
        /pattern/

        A regular expression, used with `=~` and `!~`, as an option of `case`, and in functions such as `regsubst`.
        After a match `$0` is the matched text and `$1`, `$2`, … are its groups. Options go inside: `(?i:abc)`,
        `(?m:…)`. Between two numbers the slash is a division.

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

        Makes an array, or accesses parts: elements of an array, characters of a String (both count from 0, negative
        from the end), values of a hash, parameters of a type, attributes of a resource. A part that does not exist is
        undef.

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

        Makes a hash. Keys can be of any type; two keys are the same only if their types are the same and their
        letters, including case. The order is kept. At the beginning of a statement a brace begins a block: put the
        hash in a variable or parentheses.

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
