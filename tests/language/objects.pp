# dialect: puppet
# What an Object type declares may replace what its parent declares, by the same rules for each kind.
type P = Object[{functions => {f => {type => Callable, final => true}}}]
type Q = Object[{parent => P, functions => {f => {type => Callable, override => true}}}]
Q()  ### Error while evaluating a Type-Name, function Q[f] attempts to override final function P[f]
---
type P = Object[{functions => {f => Callable}}]
type Q = Object[{parent => P, functions => {f => Callable}}]
Q()  ### Error while evaluating a Type-Name, function Q[f] attempts to override function P[f] without having override => true
---
type P = Object[{functions => {f => Callable[[Integer], String]}}]
type Q = Object[{parent => P, functions => {f => {type => Callable[[String], String], override => true}}}]
Q()  ### Error while evaluating a Type-Name, function Q[f] attempts to override function P[f] with a type that does not match
---
type P = Object[{functions => {f => {type => Callable, override => true}}}]
P()  ### Error while evaluating a Type-Name, expected function P[f] to override an inherited function, but no such function was found
---
type P = Object[{functions => {f => Callable}}]
type Q = Object[{parent => P, attributes => {f => Integer}}]
Q(1)  ### Error while evaluating a Type-Name, attribute Q[f] attempts to override function P[f]
---
type P = Object[{type_parameters => {a => Integer}}]
type Q = Object[{parent => P, type_parameters => {a => {type => Integer, override => true}}}]
Q()  ### Error while evaluating a Type-Name, type_parameter Q[a] attempts to override type_parameter P[a] without having override => true
---
type P = Object[{constants => {a => 1}}]
type Q = Object[{parent => P, attributes => {a => {type => Integer, value => 2, override => true}}}]
Q()  ### Error while evaluating a Type-Name, attribute Q[a] attempts to override final attribute P[a]
---
type P = Object[{attributes => {a => Integer}}]
type Q = Object[{parent => P, constants => {a => 'x'}}]
Q()  ### Error while evaluating a Type-Name, attribute Q[a] attempts to override attribute P[a] with a type that does not match
---
type P = Object[{attributes => {a => Integer}}]
type Q = Object[{parent => P, constants => {a => 3}}]
Q  #=> Object[{name => 'Q', parent => P, constants => {'a' => 3}}]
---
# Wrong definitions.
type P = Object[{attributes => {a => {type => Integer, kind => constant, value => 2, final => false}}}]
P()  ### Error while evaluating a Type-Name, attribute P[a] of kind 'constant' cannot be combined with final => false
---
type P = Object[{equality => 1}]
P()  ### Error while evaluating a Type-Name, object initializer has wrong type, entry 'equality' expects a match for Variant[Pattern[/\A[a-z_]\w*\z/], Array[Pattern[/\A[a-z_]\w*\z/]]], got Integer
---
type P = Object[{annotations => {Integer => {}}}]
P()  ### Error while evaluating a Type-Name, object initializer has wrong type, entry 'annotations' expects a value of type Undef or Hash[Type[Object[{name => 'Annotation'}]], Hash[Pattern[/\A[a-z_]\w*\z/], Any]], got Hash[Type[Integer], Hash[0, 0]]
---
type P = Object[{functions => {a => {type => Integer}}}]
P()  ### Error while evaluating a Type-Name, initializer for function 'a' has wrong type, entry 'type' expects a Type[Callable] value, got Type[Integer]
---
type P = Object[{functions => {'[]' => Callable}}]
P  #=> Object[{name => 'P', functions => {'[]' => Callable}}]
---
type P = Object[{type_parameters => {a => {type => Integer, value => 'x'}}}]
P  ### Error while evaluating a Type-Name, type_parameter P[a] value has wrong type, expects a value of type Undef or Integer, got String
---
# A default may be `default`, and a type may hold itself.
type P = Object[{attributes => {a => {type => Integer, value => default}}}]
P().a  #=> default
---
type P = Object[{constants => {a => P}}]
P  #=> Object[{name => 'P', constants => {'a' => P}}]
---
type P = Object[{attributes => {a => {type => Numeric, kind => constant, value => 2}, b => {type => Integer, kind => constant, value => 2}}}]
P  #=> Object[{name => 'P', attributes => {'a' => {type => Numeric, kind => constant, value => 2}}, constants => {'b' => 2}}]
---
type P = Object[{type_parameters => {a => {type => Integer, value => 1}}, attributes => {a => {type => Integer, annotations => {}}}}]
P  #=> Object[{name => 'P', type_parameters => {'a' => {'type' => Integer, 'value' => 1}}, attributes => {'a' => {type => Integer, annotations => {}}}}]
---
type P = Object
type A = Array[Object]
[P, A, Array[Object]]  #=> [P = Object[{}], A = Array[Object[{}]], Array[Object]]
---
# Values in an object show types by name, times and versions as Strings, and nothing of a secret.
type X = Integer[1]
type P = Object[{attributes => {a => Any}}]
P([P, X, /a/, SemVer('1.0.0'), Timespan(5), URI('http://x')])  #=> P({'a' => [P, X, /a/, '1.0.0', '0-00:00:05.0', URI('http://x')]})
"${P([Sensitive('x'), Binary('YWJj')])}"  #=> 'P({\'a\' => [#<Sensitive [value redacted]>, Instance of Binary]})'
---
type P = Object[{attributes => {a => Any}}]
String(P([1, [2], {b => 3}]), '%#p')  #=> "P({\n  'a' => [\n    1,\n    [2],\n    {\n      'b' => 3\n    }\n  ]\n})"
String([P({}), P([1, []])], '%#p')  #=> "[P({\n    'a' => undef\n  }), P({\n    'a' => [1, []]\n  })]"
String({k => P(1)}, '%#h')  #=> "{\n  'k' => P({'a' => 1})\n}"
String(P(1), '%#s')  #=> 'P({\'a\' => 1})'
String(P(1), '%d')  ### Error while evaluating a Function Call, Illegal format 'd' specified for value of Object type - expected one of the characters 'spq'
---
# What an object has comes before a function of that name, and takes no arguments.
type P = Object[{attributes => {size => Integer, then => Integer}, constants => {keys => 3}}]
[P(1, 2).size, P(1, 2).then, P(1, 2).keys, 'abc'.size]  #=> [1, 2, 3, 3]
P(1, 2).size(3)  ### Error while evaluating a Method call, 'attribute P[size]' expects no arguments, got 1
---
type P = Object[{attributes => {a => Integer}}]
P(1).a |$x| { $x }  ### Error while evaluating a Method call, 'attribute P[a]' does not expect a block
---
type P = Object[{attributes => {a => Integer}}]
P.a  ### Unknown function: 'a'.
---
type P = Object[{functions => {f => Callable[[Integer, 1, 3], String]}}]
P().f(1, 2, 'x')  ### Error while evaluating a Method call, 'function P[f]' parameter '' expects an Integer value, got String
---
type P = Object[{functions => {f => Callable[[Integer, 1, 3], String]}}]
P().f  ### Error while evaluating a Method call, 'function P[f]' expects between 1 and 3 arguments, got none
---
type P = Object[{functions => {f => Callable[[Integer], String]}}]
P().f(1)  ### Error while evaluating a Method call, no method is implemented for function P[f]
---
type P = Object[{attributes => {a => {type => Integer, kind => derived}}}]
P().a  ### Error while evaluating a Method call, no method is implemented for derived attribute P[a]
---
# Type parameters: an attribute must be a value of its own.
type P = Object[{type_parameters => {a => Integer}, constants => {a => 5}}]
[type(P()), P() =~ P[5], P() =~ P[6]]  #=> [P[5], true, false]
---
type P = Object[{type_parameters => {a => Integer}, constants => {a => 'x'}}]
P()  ### Error while evaluating a Function Call, type_parameter P[a] has wrong type, expects a value of type Undef or Integer, got String
---
type P = Object[{type_parameters => {a => Integer}, attributes => {a => String}}]
P('x')  ### Error while evaluating a Function Call, type_parameter P[a] has wrong type, expects a value of type Undef or Integer, got String
---
type P = Object[{type_parameters => {a => Hash}, attributes => {a => Hash}}]
P[{a => 1}]  #=> P[{'a' => 1}]
P({a => {a => 1}}) =~ P[{a => 1}]  #=> true
---
$t = Object['Foo']
[$t]  #=> [Object[{name => 'Foo'}]]
---
# A mismatch spells out an object type beside a parameterized one, and beside an alias.
assert_type(Deferred, Error('x'))  ### Error while evaluating a Function Call, assert_type(): expects an Object[{name => 'Deferred', attributes => {'name' => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/], 'arguments' => {type => Optional[Array], value => undef}}}] value, got Error
---
assert_type(Variant[Deferred, RichDataKey], [1])  ### Error while evaluating a Function Call, assert_type(): expects a value of type Object[{name => 'Deferred', attributes => {'name' => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/], 'arguments' => {type => Optional[Array], value => undef}}}] or RichDataKey, got Tuple
---
[Integer[1] =~ Pcore::IntegerType, 'a' =~ Pcore::IntegerType, Enum[a] =~ Pcore::ScalarDataType]  #=> [true, false, true]
---
# dialect: both
# tree_each goes where the object's own type says, and into what it refers to only when asked

type Room = Object[{ attributes => { no => Integer, house => { type => Any, kind => reference } } }]
type Suite = Object[{ parent => Room, attributes => { beds => Integer }, constants => { c => 1 } }]
Room(4, ['x']).tree_each.map |$node| { $node[0] }   #=> [[], ['no']]
Room(4, ['x']).tree_each({ include_refs => true }).map |$node| { $node[0] }   #=> [[], ['no'], ['house'], ['house', 0]]
Suite(4, 'x', 2).tree_each.map |$node| { $node[0] } #=> [[], ['beds'], ['c']]
---
# More than two type parameters are shown by name

type Vec = Object[{ type_parameters => { x => Integer, y => Integer, z => Integer } }]
"${Vec[7]} ${Vec[1, default, 3]} ${Vec[{ y => 1 }]}"   #=> 'Vec[{\'x\' => 7}] Vec[{\'x\' => 1, \'z\' => 3}] Vec[{\'y\' => 1}]'
---
# Init of a type within its own attributes, and of one array

type Leaf = Object[{ attributes => { inner => Variant[Init[Leaf], Integer] } }]
Leaf(7).inner                        #=> 7
Leaf(Leaf(7))                        #=> Leaf({'inner' => 7})
'x' =~ Init[Leaf]                    #=> false
---
type Bag = Object[{ attributes => { things => Array[Integer] } }]
type Pair = Object[{ attributes => { a => Integer, b => Integer } }]
Init[Bag]([1, 2, 3])                 #=> Bag({'things' => [1, 2, 3]})
Init[Pair]([1, 2])                   #=> Pair({'a' => 1, 'b' => 2})
Init[Bag](['a']) =~ Bag              ### Error while evaluating a Function Call, The function 'new_Bag' was called with arguments it does not accept. It expects one of:\n  (Struct[{'things' => Array[Integer]}] hash)\n    rejected: parameter 'hash' expects a Struct value, got String\n  (Array[Integer] things)\n    rejected: parameter 'things' expects an Array value, got String
---
# The initializer of the parent takes, by position, the values of attributes that the type does not override

type P = Object[{ attributes => { a => { type => Integer, value => 1 }, b => String } }]
type Q = Object[{ parent => P, attributes => { a => { type => Integer, value => 5, override => true } } }]
Q('x')                               #=> Q({'a' => 5, 'b' => 'x'})
Q('x', 1)                            #=> Q({'b' => 'x', 'a' => 1})
type R = Object[{ parent => P, attributes => { a => { type => Integer, kind => derived, override => true } } }]
R('x').a                             #=> 1
---
type P = Object[{ attributes => { a => Integer, b => { type => Integer, value => 2 }, c => Optional[String] } }]
type Q = Object[{ parent => P, attributes => { a => { type => Integer, override => true } } }]
Q(7, 8, 'x')                         #=> Q({'a' => 7, 'b' => 'x'})
---
type P = Object[{ attributes => { a => Integer } }]
type Q = Object[{ parent => P, attributes => { a => { type => Integer, override => true } } }]
Q(7)                                 ### Error while evaluating a Function Call, wrong number of arguments (given 0, expected 1)
---
# Objects of which nothing is compared equal only themselves

type P = Object[{ equality_include_type => false }]
$p = P()
$p == $p                             #=> true
P() == P()                           #=> false
