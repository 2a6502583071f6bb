"""The reference of the operators; `lexer_parser.operators` has those between values.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

from lexer_parser.operators import LEVELS
from lexer_parser.operators import WORDS as WORDS_OF_VALUES

# A line for each level, the one that binds most strongly first; indented as the entry below into which they are put.
_PRECEDENCE = ("\n" + " " * 8).join(
    [*("  ".join(operator.shown for operator in level) for _, level in reversed(LEVELS)), "=  ->  ~>  <-  <~"]
)

WORDS = {
    "precedence operators": f"""
        {_PRECEDENCE}

        The operators by precedence: operators in an upper line bind more strongly. Operators in one line are evaluated
        from left to right. Parentheses change the order.

        dialects: relationship arrows bind less strongly than `=`. In the released Puppet they bind more strongly.

        > 1 + 2 * 3
        7

        > 'a' in ['a'] and 2 > 1
        true

        > !true == false
        true
    """,
    **WORDS_OF_VALUES,
    "=": """
        $name = value
        [$first, $second] = array

        Sets a variable, which is possible once in a scope. With an array or hash on both sides it sets several
        variables.

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

        In the specification, these set a variable of this scope to the value of the same variable in an outer scope,
        with something added or removed. The released Puppet no longer has them.

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

        Separates a key and its value in a hash, an attribute and its value in a resource, an option and its result in
        a selector.

        > { 'a' => 1 }['a']
        1

        > notify { 'n': message => 'hello' }
        > Notify['n']['message']
        'hello'
    """,
    "+>": """
        Type['title'] { attribute +> value }
        Type <| query |> { attribute +> value }

        Adds to the value of an attribute instead of replacing it: in an override, in a class that inherits, and in the
        body of a collector.

        > class a { notify { 'n': tag => ['x'] } }
        > class b inherits a { Notify['n'] { tag +> ['y'] } }
        > include b
        [Class[b]]
    """,
    "-> <-": """
        first -> second
        second <- first

        The resources on the left are applied before those on the right; with `<-`, those on the right are applied
        first. Each side is a reference, an array of references, a collector or a resource expression. Chains are
        possible.

        > notify { ['a', 'b', 'c']: }
        > Notify['a'] -> Notify['b'] -> Notify['c']
        [Notify['c']]

        > package { 'ntp': } -> file { '/etc/ntp.conf': } ~> service { 'ntp': }
        [Service['ntp']]
    """,
    "~> <~": """
        first ~> second
        second <~ first

        Like `->`, and if the first resource is changed, the second is notified: a service restarts, an `exec` with
        `refreshonly` runs.

        > file { '/etc/ntp.conf': }
        > service { 'ntp': }
        > File['/etc/ntp.conf'] ~> Service['ntp']
        [Service['ntp']]
    """,
    ". method": """
        value.function(argument, …)
        value.function |$x| { … }

        Calls a function with the value as its first argument, so that you read a chain from left to right. You can
        omit the parentheses if there are no other arguments.

        > [3, 1, 2].sort.map |$n| { $n * 10 }
        [10, 20, 30]

        > 'a b'.split(' ').join('-').upcase
        'A-B'
    """,
    "::": """
        module::class
        $module::class::variable
        Module::Type

        Separates the parts of a name: a module, and a name inside it. At the start, `$::name`, it denotes top scope.

        > class web { $port = 80 }
        > include(web)
        > $web::port
        80
    """,
}
