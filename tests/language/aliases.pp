# dialect: puppet
# What an alias is not: the text from its name to the last parameter.
type A = Array['a']
A  ### Error while evaluating a Type-Name, The expression <A = Array['a'> is not a valid type specification.
---
type A = Hash[String, Array[1.5]]
A  ### Error while evaluating a Type-Name, The expression <Array[1.5]> is not a valid type specification.
---
type A = Array[(Integer)]
A  ### Error while evaluating a Type-Name, The expression <(Integer> is not a valid type specification.
---
type A = Variant[[Integer, String]]
A  ### Error while evaluating a Type-Name, The expression <A = Variant[[Integer, String]> is not a valid type specification.
---
type A = Enum[[a]]
A  ### Error while evaluating a Type-Name, Enum parameters must be identifiers or strings
---
type A = Enum[true]
A  ### Error while evaluating a Type-Name, Invalid number of type parameters specified: Enum requires 1 or more, 0 provided
---
type A = TypeReference['x']
A  ### Error while evaluating a Type-Name, Not a parameterized type <TypeReference>
---
type A = Callable[[Integer], String, Float]
A  ### Error while evaluating a Type-Name, Invalid number of type parameters specified: callable requires 2 when first parameter is an array, 3 provided
---
type A = URI[{foo => 1}]
A  ### Error while evaluating a Type-Name,  URI-Type parameter has wrong type, variant 0 expects a String value, got Struct\n  URI-Type parameter has wrong type, variant 1 unrecognized key 'foo'
---
type A = Runtime['ruby', 1]
A  ### Error while evaluating a Type-Name, Runtime 'name_or_pattern' has wrong type, expects a value of type String or Tuple, got Integer
---
type A = Tuple[Integer, 1, 'a']
A  ### Error while evaluating a Type-Name, The expression <A = Tuple[Integer, 1, 'a'> is not a valid type specification.
---
# What is a type there only.
type A = Tuple['a', 1]
type B = Tuple[1]
type C = Tuple[Integer, 1.5]
type D = Callable[[Integer], 1]
type E = Array[1, 2]
type F = URI[1]
[A, B, C, D, E, F]  #=> [A = Tuple[Runtime[ruby, 'a'], 1], B = Tuple, C = Tuple[Integer, Float], D = Callable[[Integer], Integer], E = Array[Default, 1, 2], F = URI]
Type("Hash[1, default]")  #=> Hash[Default, Default, 1]
Type("Tuple[Integer, 1, 2, 3]")  #=> Tuple[Integer, Integer, 2, 3]
---
type A = Optional[NotUndef]
[A, 3 =~ A]  #=> [A = Optional, false]
---
type([type('abc'), String[0, 2]], 'reduced')  #=> Array[Type[String], 2, 2]
type([String[5], type('abc')], 'reduced')  #=> Array[Type[String], 2, 2]
type([String[2, 3], String[5, 6]], 'reduced')  #=> Array[Type[String[2, 6]], 2, 2]
---
type A = Any[['x']]
A  ### Error while evaluating a Type-Name, Not a parameterized type <Any>
---
type A = Float[['x'], 1.5]
A  ### Error while evaluating a Type-Name, can't convert Array into Float
---
type A = Pattern[default, ['x']]
A  ### Error while evaluating a Type-Name, Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got 'Symbol
---
type A = Resource['a b']
A  ### Error while evaluating a Type-Name, Illegal type name 'A b'
---
type A = Foo['x']
A  #=> A = TypeReference['A = Foo[\'x\'']
---
Init[Integer, 7]('5')  ### Error while evaluating a Function Call, The type 'Init[Integer, 7]' does not represent a valid set of parameters for Integer.new()
---
# dialect: puppet
# Aliases that stand for each other

type Left = Variant[Right, Integer]
type Right = Variant[Left, String]
3 =~ Right                             #=> true
'x' =~ Left                            #=> true
1.5 =~ Left                            #=> false
[1, 'a', [2]] =~ Array[Left]           #=> false
Left == Right                          #=> true
Left >= Float                          #=> false
"${Right}"                             #=> 'Right = Variant[Left = Variant[Right, Integer], String]'
function f(Left $x) { $x }
f('a')                                 #=> 'a'
---
type A = Optional[B]
type B = Variant[A, Integer]
undef =~ B                             #=> true
'x' =~ A                               #=> false
Tuple[A, B] >= Tuple[Integer, Integer] #=> true
---
type A = Variant[Array[A], B]
type B = Variant[A, Integer]
[[1]] =~ B                             #=> true
[['x']] =~ B                           #=> false
---
type Ring = Variant[Ring2, Ring3]
type Ring2 = Ring
type Ring3 = Ring2
'x' =~ Ring                            ### Error while evaluating a Type-Name, Type alias 'Ring' cannot be resolved to a real type
---
type Ring7 = Variant[Ring8]
type Ring8 = Variant[Ring7, Ring9]
type Ring9 = Ring8
class c(Ring7 $v = 1) { }              ### Error while evaluating a Type-Name, Type alias 'Ring7' cannot be resolved to a real type
---
type Hen = Object[{ parent => Egg }]
type Egg = Object[{ parent => Hen }]
Egg =~ Type[Hen]                       ### Error while evaluating a Type-Name, The Object type 'Egg' inherits from itself
---
type Up = Object[{ parent => Down, attributes => { n => Integer } }]
type Down = Object[{ parent => Up, attributes => { m => Integer } }]
Up({ n => 1, m => 2 }).n               ### Error while evaluating a Type-Name, The Object type 'Up' inherits from itself
