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
---
# dialect: puppet
# A type is called in messages as the program writes it

fullSetup { 'a': }                   ### Error while evaluating a Resource Statement, Unknown resource type: 'fullSetup'
---
fullSetup::partTwo { 'a': x => 1 }   ### Error while evaluating a Resource Statement, Unknown resource type: 'fullSetup::partTwo'
---
# What is wrong with the type of a collector is said first, and no tag is a number

Nope <| title == [1] |>              ### Error while evaluating a Virtual Query, Resource type nope doesn't exist
---
notify { 'a': }
Notify <| title == 'a' and tag == 5 |>   ### Error while evaluating a Virtual Query, Cannot transform a number to a tag
---
# What is wrong with the attributes of an override is said before what is overridden is looked at

File[undef] { * => 5 }               ### Expected value of type Hash, got Integer
---
# An empty title is none

notify { 'a': require => Notify[''] }    ### No title provided and "Notify[]" is not a valid resource reference
---
Notify[''] { message => 'x' }        ### Error while evaluating a Resource Override, No title provided and "Notify[]" is not a valid resource reference
---
# `title` is refused when the catalog is finished, after all bodies have run

define titled($a = 1) { $b = $a }
titled { 'x': title => 'y' }         ### Titled[x]: has no parameter named 'title'
---
class titled_class { }
class { 'titled_class': title => 'y' }   ### Class[Titled_class]: has no parameter named 'title'
---
# A Deferred calls with arguments that its function takes

class promised($x) { }
class { 'promised': x => Deferred('upcase', []) }    ### Error while evaluating a Resource Statement, No matching arity found for upcase with arguments []
---
class promised(String $x) { }
function twice(Integer $a) >> String { 'x' }
class { 'promised': x => Deferred('twice', ['y']) }  ### Error while evaluating a Resource Statement, No matching arity found for twice with arguments ["y"]
---
class promised(String $x) { }
class { 'promised': x => Deferred('upcase', ['y']) }    #=> [Class['Promised']]
---
# dialect: puppet, puppet7, openvox9
# A resource of a type that does not exist is a class where a resource is due

notify { 'unknown': message => Resource['nope', 'B'] }
String(Resource['nope', 'B'])                        #=> 'Nope[\'B\']'
String(Notify['unknown']['message'])                 #=> 'Class[B]'
---
realize Resource['nope', 'b']                        ### Failed to realize virtual resources Class[B]
---
Resource['nope', 'b'] -> Resource['nope', 'c']       ### Could not find resource 'Class[B]' for relationship on 'Class[C]'
---
class known($x = 1) { }
include known
Resource['nope', 'known']['x']                       ### Resource not found: Nope['known']
---
define nope { }
nope { 'b': }
notify { 'unknown': require => Resource['nope', 'b'] }
---
# A break that leaves a default is an error of what uses the class, also in an iteration

class broken($x = break()) { }
[1].each |$i| { include broken }                     ### Error while evaluating a Function Call, Puppet::Resource::Type failed with error Puppet::Pops::Evaluator::PuppetStopIteration: Puppet::Pops::Evaluator::PuppetStopIteration (line: 3)
---
# A class named settings is evaluated before the program

class settings { $own = 5 }
$settings::own                                       #=> 5
---
class settings($number = 1, Integer $word = 'x') { } ### Class[Settings]: parameter 'word' expects an Integer value, got String
---
class settings { $own = 5 }
class heir inherits settings { $found = "${own} ${settings::own} ${environment}" }
include heir
$heir::found                                         #=> '5 5 production'
---
# Names in strings are spelled as the catalog does, or in small letters

define m::d { }
m::d { 'x': }
notify { 'a': require => ['m::D[x]', 'M::D[x]'] }
---
notify { 'a': require => 'M::d[x]' }                 ### Could not find resource 'M::d[x]' in parameter 'require'
define m::d { }
m::d { 'x': }
---
notify { 'a': require => '::Notify[b]' }             ### Invalid tag '::notify'
