# dialect: puppet
# The types of a lambda's parameters are evaluated where the lambda stands, each time it is passed.

[3].map |$most| { with(1) |Integer[0, $most] $x| { $x } }              #=> [1]
function within($most) { [1, 5].filter |Integer[0, $most] $x| { $x > 1 } }
within(7)                                                              #=> [5]
function returned($most) { with(5) |$x| >> Integer[0, $most] { $x } }
returned(5)                                                            #=> 5
---
function returned($most) { with(5) |$x| >> Integer[0, $most] { $x } } returned(4)  ### Error while evaluating a Function Call, value returned from lambda has wrong type, expects an Integer[0, 4] value, got Integer[5, 5]
---
[3, 7].each |$most| { with(5) |Integer[0, $most] $x| { } }             ### Error while evaluating a Function Call, block parameter 'x' expects an Integer[0, 3] value, got Integer[5, 5]
---
# dialect: puppet7

with(3, 2) |Integer $n, Integer[0, $n] $m| { $m }                      ### Integer-Type [] requires all arguments to be integers (or default). Got NilClass
---
class bounded(Integer[0, $none] $m = 1) { }                            ### Integer-Type [] requires all arguments to be integers (or default). Got NilClass
---
# dialect: puppet

with(3, 2) |Integer $n, Integer[0, $n] $m| { $m }                      ### Unknown variable: 'n'.
---
class bounded(Integer[0, $none] $m = 1) { }                            ### Unknown variable: 'none'.
---
# The types of a function are evaluated at its first call, those of a class when it is defined.

function counted(Integer[0, $limit] $m) { $m }
$limit = 4
counted(3)                                                             #=> 3
---
class aliased(Later $m = 1) { }                                        ### Resource type not found: Later
type Later = Integer
---
# A type that accepts the type of a value that is no instance leaves the blame to a later argument.

function two(Enum $a, Integer $b) { }
two('x', 'y')                                                          ### Error while evaluating a Function Call, 'two' parameter 'b' expects an Integer value, got String
---
function two(Enum $a, Integer $b) { }
two('x', 1)                                                            ### Error while evaluating a Function Call, 'two' expects (Enum a, Integer b)
---
function rest(Collection[1, 2] *$x) { }
rest([], 1)                                                            ### Error while evaluating a Function Call, 'rest' parameter 'x' expects a Collection value, got Integer
---
# The releases forget the size of an Array of Any where they simplify a type: in aliases, and to tell what is wrong.

type Short = Array[Any, 0, 1]
class c(Short $x = [1, 2], Array[Any, 3] $y = [1]) { }
include c
[1, 2] =~ Short                                                        #=> true
[1, 2] =~ Array[Any, 0, 1]                                             #=> false
---
function two(Array[Any, 2] $a, Integer $b) { }
two([1], 'y')                                                          ### Error while evaluating a Function Call, 'two' parameter 'b' expects an Integer value, got String
---
# dialect: spec

type Short = Array[Any, 0, 1]
[1, 2] =~ Short                                                        #=> false
class c(Short $x = [1, 2]) { }
include c                                                              ### Error while evaluating a Function Call, Class[C]: parameter 'x' expects size to be at most 1, got 2
---
# dialect: puppet

# A control function takes no block.

[1, 2].each |$x| { break() |$y| { } }                                  ### Error while evaluating a Function Call, 'break' does not expect a block
---
# dialect: both
# A block of `new` gets what it takes

Integer('3') || { 1 }                  #=> 1
new(Integer, '3') |$x, $y = 4| { $y }  #=> 4
---
new(Integer, '3') |$x, $y| { $y }      ### Parameter $y is required but no value was given
---
type Sized = Object[{ attributes => { 'a' => Any, 'b' => Optional[Integer] } }]
Sized({})                              #=> Sized({'a' => undef})
---
# dialect: puppet
# Functions of the old interface do not look at a block

md5('abc') |Integer[7, 2] $x| { 1 }    #=> '900150983cd24fb0d6963f7d28e17f72'
---
# dialect: both
# A default sees the parameters before it; one that has no value yet cannot be read, wherever it is read from.

function three($x, $y = $x + 1, $z = $y * 2) { [$x, $y, $z] }
three(1)                               #=> [1, 2, 4]
three(1, 5)                            #=> [1, 5, 10]
---
function late($x = $y, $y = 1) { [$x, $y] }
late(3)                                #=> [3, 1]
late()                                 ### Error while evaluating a Function Call, late: default expression for $x tries to illegally access not yet evaluated $y
---
function itself($x = $x) { $x }
itself()                               ### Error while evaluating a Function Call, itself: default expression for $x tries to illegally access not yet evaluated $x
---
$y = 7
with() |$x = $y, *$y| { $x }           ### Error while evaluating a Function Call, lambda: default expression for $x tries to illegally access not yet evaluated $y
---
function own($x = [1].map |$y| { $y }, $y = 2) { [$x, $y] }
own()                                  #=> [[1], 2]
---
class late($x = $y, $y = 1) { }
include late                           ### Error while evaluating a Function Call, Class[Late]: default expression for $x tries to illegally access not yet evaluated $y
---
# A function checks what was passed before any default is evaluated, and defaults after the last of them; a lambda checks
# all afterwards.

function f(Integer $a = 'x', $b = $a + 1) { } f()      ### The value 'x' cannot be converted to Numeric.
---
function f(Integer $a = fail('a'), Integer $b = fail('b')) { }
f('z')                                 ### Error while evaluating a Function Call, 'f' parameter 'a' expects an Integer value, got String
---
function f(Collection[1] $a = [], Integer $b = 'y') { }
f()                                    ### Error while evaluating a Function Call, 'f' parameter 'b' expects an Integer value, got String
---
with('z') |Integer $x, $a = 'x' + 1, $b = 1| { }  ### The value 'x' cannot be converted to Numeric.
---
# Defaults see an argument without a parameter, which is refused afterwards.

define d(Integer $a = $b) { }
d { 'x': b => 'c' }                    ### Error while evaluating a Resource Statement, D[x]:\n  has no parameter named 'b'\n  parameter 'a' expects an Integer value, got String
---
# Of lambda parameters of one name the last is seen.

[5].map |$x, $x| { $x }                #=> [5]
---
# What is wrong with the arguments is told before what is wrong with the block.

function plain(Integer $x) { $x }
plain('a') |$y| { }                    ### Error while evaluating a Function Call, 'plain' parameter 'x' expects an Integer value, got String
---
function plain(Integer $x) { $x }
plain() |$y| { }                       ### Error while evaluating a Function Call, 'plain' expects 1 argument, got none
---
function plain(Integer $x) { $x }
plain(1) |$y| { }                      ### Error while evaluating a Function Call, 'plain' does not expect a block
---
# Names that the language fills itself

function f($facts) { $facts }
f(1)                                   ### Error while evaluating a Function Call, Attempt to assign to a reserved variable name: 'facts'
---
[1].each |*$trusted| { }               ### Error while evaluating a Method call, Attempt to assign to a reserved variable name: 'trusted'
---
class c($x = 1, $server_facts = 2) { } include c     ### Attempt to assign to a reserved variable name: 'server_facts'
---
define d(Integer $facts) { }
d { 'x': facts => 'y' }                ### Error while evaluating a Resource Statement, D[x]: parameter 'facts' expects an Integer value, got String
---
define d($facts = 1) { }
d { 'x': }                             ### Error while evaluating a Resource Statement, Attempt to assign to a reserved variable name: 'facts' (line: 1)
---
function named($title) { $name = 2 "${title}${name}" }
named(1)                               #=> '12'
---
# What is left goes to an Array type with a size: it counts, after the default has filled it

with('a') |Array[String, 1] *$x| { $x }                      #=> ['a']
with() |Array[String, 1] *$x = 'none'| { $x }                #=> ['none']
with(1) |Integer $a, Array[Integer, 2, 2] *$x = [8, 9]| { $x }    #=> [8, 9]
---
with() |Array[Integer, 2] *$x| { }     ### Error while evaluating a Function Call, block expects at least 2 arguments, got none
---
with(1, 2, 3) |Array[Integer, 1, 2] *$x| { }   ### Error while evaluating a Function Call, block expects between 1 and 2 arguments, got 3
---
with(1, 2) |$a, Array[Integer, 2, 2] *$x| { }  ### Error while evaluating a Function Call, block expects 3 arguments, got 2
---
with('only') |Array[String, 2] *$x = 'more'| { }       ### Error while evaluating a Function Call, block expects at least 2 arguments, got 1
---
function f(Array[String, 2, 2] *$x = ['q', 'r']) { $x }
f('a')                                 ### Error while evaluating a Function Call, 'f' expects 2 arguments, got 1
---
with() |$a, Array[Integer, 2] *$x| { }         ### Parameter $a is required but no value was given
---
notify { 'a': }
Notify['a'].with |Array[Any, 2] *$x| { }       ### Error while evaluating a Method call, block expects at least 2 arguments, got 1
---
# A default may read no parameter that has no value yet, by whichever name and from wherever it does

class early($y = $early::x, $x = 1) { }
include early                                                          ### Error while evaluating a Function Call, Class[Early]: default expression for $y tries to illegally access not yet evaluated $x
---
class early($y = getvar('x'), $x = 1) { }
include early                                                          ### Error while evaluating a Function Call, Class[Early]: default expression for $y tries to illegally access not yet evaluated $x
---
class asked { $z = $early::x }
class early($y = include('asked'), $x = 1) { }
include early                                                          ### Error while evaluating a Function Call, Class[Early]: default expression for $y tries to illegally access not yet evaluated $x
---
class early($x = 1, $y = $early::x) { }
include early
$early::y                                                              #=> 1
---
# What was given undef is undef until its default is known

class given($y = $x, $x = 5) { }
class { 'given': x => undef }
[$given::y, $given::x]                                                 #=> [undef, 5]
