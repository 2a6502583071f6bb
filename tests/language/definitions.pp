# Names of nodes, classes and types

node a, 'A' { }                                 ### Node 'a' is already defined (line: 3); cannot redefine
---
node /a+/ { } node /A*/ { }                     ### Node '__node_regexp__a' is already defined (line: 1); cannot redefine
---
node 'default' { } node default { }             ### Node 'default' is already defined (line: 1); cannot redefine
---
node '' { }                                     ### Class '' is already defined; cannot be redefined as a node
---
class a { } node a { }                          ### Class 'a' is already defined (line: 1); cannot be redefined as a node
---
node a { } class a { }                          ### Node 'a' is already defined (line: 1); cannot be redefined as a class
---
class a { } class a { }                         ### Class 'a' is already defined (line: 1); cannot redefine
---
class a { } define a { }                        ### 'a' is already defined (line: 1) as a class; cannot redefine as a definition
---
define a { } class a { }                        ### Definition 'a' is already defined (line: 1); cannot be redefined as a class
---
# No alias may be called like one of Puppet's own resource types.

type User = String                              ### Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/user'. Set at unknown location
---
define a::b { }
type A::B = String                              ### Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/a::b'. Originally set at string:?line=1&pos=1.
---
type Data = String                              ### Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/data'. Set at unknown location
---
type Array = String                             ### Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/array'. Originally set by Puppet-Type-System/Static-Loader.
---
# They are taken before a define of that name, those of modules are not.

define user { fail('used') }
user { 'a': }
---
# dialect: puppet

define cron { $none = undef }
cron { 'a': }
Cron['a']['title']                              ### The resource Cron['a'] does not have a parameter called 'title'
---
type Mount = Integer
1 =~ Mount                                      #=> true
---
# The type of a resource expression stands there as a name.

Notify { 'a': }
Resource['notify'] { 'b': }
[Node['a'], Resource['node'] == Node]           #=> [Node['a'], true]
---
$t = Notify
$t { 'a': }                                     ### Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got Type[Notify]
---
::Nothing                                       ### Resource type not found: ::Nothing
---
# A query compares attributes; a lone undef or false is no query.

@notify { 'a': message => ['m'] }
Notify<| message != 'm' |>
$none = undef
Notify<| $none |>
---
@notify { 'a': } Notify<| title == 'b' or true |>   ### Illegal query expression. The value true cannot be used in a query
---
Notify<| !title == 'a' |>                       ### Error while evaluating a Virtual Query, Cannot transform object of class Puppet::Pops::Model::NotExpression
---
::Notify<| |>                                   ### Error while evaluating a Virtual Query, Resource type ::notify doesn't exist
---
# `return` and `next` end a call by name.

function inner() { call('with', 1) |$x| { return(2) } 9 }
inner()                                #=> 9
call('map', [1, 2]) |$x| { return(3) } #=> 3
call(Deferred('next', [4]))            #=> 4
[1].each |$x| { return($x) }           ### return() from context where this is illegal
