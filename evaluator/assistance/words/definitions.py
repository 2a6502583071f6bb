"""Words about what defines: classes, defines, nodes, functions, type aliases; and about what they are made of.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "class": """
        class name(Type $parameter = value, …) inherits other { … }
        class { 'name': parameter => value }
        include name

        A named block of code that is evaluated at most once. Defining it declares nothing: `include` does, as often
        as one likes, and so does `class { … }`, once and with values for the parameters. Parameters get values
        there, from data (Hiera), or by default.

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

        A resource type of the program's own. Its body is evaluated for every resource that is declared of it, and
        sees its title as `$title` and `$name`. So the titles of resources in it usually contain `$title`.

        > define site(Integer $port = 80) { notify { "${title} on ${port}": } }
        > site { 'shop': port => 8080 }
        > defined(Site['shop'])
        true
    """,
    "node": """
        node 'name', /regexp/, default { … }

        Code for the machines with these names. Only one node block counts: the one with the very name, else the
        first whose pattern matches, else `default`.

        > node default { notice('every other machine') }
        undef
    """,
    "function": """
        function name(Type $parameter, Type $optional = value, Type *$rest) >> ReturnType { … }

        A function of the program's own. Its value is its last expression, or the argument of `return()`. It sees its
        parameters and top scope. In a module the name begins with the module's: `mod::name`.

        > function double(Integer $x) >> Integer { $x * 2 }
        > [double(4), 5.double]
        [8, 10]

        > function count(Any *$all) { $all.length }
        > count('a', 'b', 'c')
        3
    """,
    "type": """
        type Name = Type

        Gives a type a name. In a module the name begins with the module's: `type Mod::Port = …` in
        `types/port.pp`.

        > type Port = Integer[1, 65535]
        > [443 =~ Port, 0 =~ Port]
        [true, false]
    """,
    "inherits": """
        class name inherits other { … }

        The class is evaluated after the other one, sees its variables, and may override attributes of the resources
        that it declared. For all other purposes `include` is the better choice.

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

        Declares a resource: something on the machine that is to be as the attributes say. Type and title together
        are its name, once in a catalog. The value is a list of references.

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

        Gives attributes to the resources of a type that do not have them, in this scope and those below it. A title
        `default` does the same inside one expression.

        > Notify { withpath => true }
        > notify { 'a': }
        > Notify['a']['withpath']
        true
    """,
    "override": """
        Type['title'] { attribute => value, other +> value }

        Sets attributes of a resource that is declared elsewhere: attributes that it does not have yet, or any from a
        class that inherits the one that declared it. `+>` adds to the value that there is.

        > class a { notify { 'n': message => 'a' } }
        > class b inherits a { Notify['n'] { message => 'b' } }
        > include b
        [Class[b]]
    """,
    "@ virtual": """
        @type { 'title': attribute => value }

        Declares a virtual resource: it becomes part of the catalog only where `realize` or a collector asks for it,
        as often as one likes. For what several classes want, such as users.

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

        Declares a virtual resource that is also exported: other machines can collect it with `Type <<| … |>>`,
        through PuppetDB. Here the catalog shows it with `@@`, and a file can hand it on.

        > @@notify { 'from here': }
        > defined(Notify['from here'])
        true
    """,
    "<| |> collector": """
        Type <| attribute == value and … |>
        Type <| … |> { attribute => value }

        Realizes the virtual resources that the query finds, and represents all that it finds in a relationship. With
        a body it also sets their attributes. Without a query it finds all. `tag == 'x'` asks for a tag. It is
        evaluated late, so it sees what comes after it.

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

        Collects the resources that other machines have exported with `@@`, and those of this one. Here there is no
        PuppetDB: a session reads what others export from a file, and finds nothing without one.

        > @@notify { 'a': }
        > Notify <<| |>>
        > defined(Notify['a'])
        true
    """,
    "lambda block |": """
        function(…) |Type $parameter, …| { … }
        value.function |$parameter| { … }

        A block of code that a function calls, as often as it likes. Its value is its last expression; `next()` ends
        it earlier, `break()` ends the iteration. Variables set in it stay in it.

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

        A variable: set once with `=`, never again in its scope. A qualified name is a variable of a class, `$::name`
        one of top scope. `$facts` describes the machine, `$trusted` its identity; `$title` and `$name` are a
        resource's own.

        > $port = 80
        > $port + 1
        81

        > $facts['os'] =~ Hash
        true

        > [$a, $b] = [1, 2]
        > $a + $b
        3
    """,
}
