# Where resource expressions and relationships may stand

$a = if true { notify { 'a': } }
$a                                      #=> [Notify['a']]
"${notify { 'b': }}"                    #=> '[Notify[\'b\']]'
[notify { 'c': }]                       #=> [[Notify['c']]]
$d = (notify { 'd': })
$d                                      #=> [Notify['d']]
$e = (Notify['a'] -> Notify['b'])
$e                                      #=> [Notify['b']]
$f = [Notify['b'] -> Notify['c']]
$f                                      #=> [[Notify['c']]]
"${Notify['c'] -> Notify['d']}"         #=> '[Notify[\'d\']]'
size(notify { 'e': })                   #=> 1
---
notify { 'a': message => notify { 'b': } }   ### Syntax error at '{'
---
# dialect: puppet

$a = notify { 'a': }
$a                                      #=> [Notify['a']]
$b = Notify['a'] -> Notify['a']
$b                                      #=> [Notify['a']]
[Notify['a'] -> Notify['a']].size       #=> 1
size(Notify['a'] -> Notify['a'])        #=> 1
---
@notify { 'a': }
$a = ['a']
Notify<| title == $a[0] |>
---
# dialect: spec
# They bind weaker than an assignment, and a relationship weaker than the parentheses of a call.

notify { ['a', 'b']: }
$a = Notify['a'] -> Notify['b']
$a                                      #=> Notify['a']
---
$a = notify { 'a': }                    ### Syntax error at ':'
---
notify { ['a', 'b']: }
notice(Notify['a'] -> Notify['b'])      ### Syntax error at '->'
---
# A query compares with no part of a value.

@notify { 'a': }
$a = ['a']
Notify<| title == $a[0] |>              ### Error while evaluating a Virtual Query, Cannot transform object of class Puppet::Pops::Model::AccessExpression
---
# A node's name may be put together, and has to be one.

$a = 'localhost'
node "${a}" { $b = 1 }
---
$a = 'local host'
node "${a}" { }                         ### The hostname 'local host' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)
---
# A plugin's type is taken before a defined type of its name.

define notify($message = 1) { fail('the defined type') }
notify { 'a': }                         #=> [Notify['a']]
---
# dialect: spec
# What is not assigned may be set in any scope

notify { 'a': }
class b { Notify['a'] { message => 'x' } }
include b
Notify['a'][message]                 #=> 'x'
---
# dialect: both
# What is no resource is not virtual, in the same words

@File <| |>                          ### Virtual (@) can only be applied to a Resource Expression
---
@@File <| |>                         ### Exported (@@) can only be applied to a Resource Expression
---
@file                                ### Virtual (@) can only be applied to a Resource Expression
---
@notify { 'a': } -> notify { 'b': }
Notify['a']                          #=> Notify['a']
