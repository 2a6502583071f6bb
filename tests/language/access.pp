# Strings

'abc'[0]                             #=> 'a'
'abc'[-1]                            #=> 'c'
'abc'[1, -1]                         #=> 'bc'
'abc'[0, -2]                         #=> 'ab'
'abc'[3, -1]                         #=> ''
'abc'[[1]]                           #=> 'b'
'héé'[1]                             #=> 'é'
''[0, -1]                            #=> ''
---
'abc'[1.0]                           ### A substring operation does not accept a Float as a character index. Expected an Integer
---
'abc'[a]                             ### A substring operation does not accept a String as a character index. Expected an Integer
---
'abc'[1, undef]                      ### A substring operation does not accept an Undef as a character index. Expected an Integer
---
'abc'[1, 2, 3]                       ### String supports [] with one or two arguments. Got 3
---
'abc'[[]]                            ### String supports [] with one or two arguments. Got 0
---
# Arrays

[1, 2, 3][0]                         #=> 1
[1, 2, 3][-1]                        #=> 3
[1, 2, 3][3]                         #=> undef
[1, 2, 3][-4]                        #=> undef
[1, 2, 3][1, -1]                     #=> [2, 3]
[1, 2, 3][0, -2]                     #=> [1, 2]
[1, 2, 3][5, -1]                     #=> []
[1, 2, 3][-5, -1]                    #=> [1, 2, 3]
[1, 2, 3][[0, -1]]                   #=> [1, 2, 3]
[[1, 2], 3][0][1]                    #=> 2
---
[1, 2, 3][1.0]                       ### An Array[] cannot use Float where Integer is expected
---
[1, 2, 3][a]                         ### The value 'a' cannot be converted to Numeric.
---
[1, 2, 3][0, default]                ### The value 'default' cannot be converted to Numeric.
---
[1, 2, 3][1, 2, 3]                   ### Array supports [] with one or two arguments. Got 3
---
# Hashes

{ a => 1, b => 2 }[a]                #=> 1
{ a => 1, b => 2 }['A']              #=> undef
{ a => 1, b => 2 }[a, c, b]          #=> [1, 2]
{ a => 1, b => undef }[a, b]         #=> [1]
{ [1] => 2 }[[1]]                    #=> 2
{ a => { b => [1, 2] } }[a][b][1]    #=> 2
---
# Values that have no parts

undef[0]                             ### Operator '[]' is not applicable to an Undef Value.
---
1[0]                                 ### Operator '[]' is not applicable to an Integer.
---
true['a']                            ### Operator '[]' is not applicable to a Boolean.
---
{ a => 1 }[b][c]                     ### Operator '[]' is not applicable to an Undef Value.
---
Sensitive('a')[0]                    ### Operator '[]' is not applicable to a Sensitive.
---
default[1]                           ### Operator '[]' is not applicable to an Object.
---
[1].reverse_each[0]                  ### Operator '[]' is not applicable to an Object.
---
# Types and resources

Integer[1, 5]                        #=> Integer[1, 5]
Array[Integer, 1]                    #=> Array[Integer, 1]
File['/a']                           #=> File['/a']
File['/a', '/b']                     #=> [File['/a'], File['/b']]
Class['A::B']                        #=> Class[a::b]
---
notify { 'n': message => 'hello' }
Notify['n']['message']               #=> 'hello'
Notify['n'][message, withpath]       #=> ['hello', undef]
---
class c($p = 5) {}
include c
Class['c']['p']                      #=> 5
---
$a = Notify['n']['message']          ### Resource not found: Notify['n']
---
notify { 'n': }
$a = Notify['n']['bogus']            ### The resource Notify['n'] does not have a parameter called 'bogus'
---
# dialect: puppet
# The second key is a count; an index may be a numeric string.

[1, 2, 3, 4, 5][2, 3]                #=> [3, 4, 5]
[1, 2, 3, 4][2, 1]                   #=> [3]
[1, 2, 3][-5, 3]                     #=> [1]
[1, 2, 3][0, 0]                      #=> []
'abcdef'[2, 3]                       #=> 'cde'
'abc'[100]                           #=> ''
'abc'['0x1']                         #=> 'b'
---
[1, 2, 3]['1']                       ### The string '1' was automatically coerced to the numerical value 1
---
# dialect: puppet7

[1, 2, 3]['1']                       #=> 2
---
# dialect: spec
# The second key is the index of the last part; an index is an Integer.

[1, 2, 3, 4, 5][2, 3]                #=> [3, 4]
[1, 2, 3, 4][2, 1]                   #=> []
[1, 2, 3, 4, 5][-3, 3]               #=> [3, 4]
[1, 2, 3][0, 0]                      #=> [1]
[1, 2, 3, 4][2, -1]                  #=> [3, 4]
'Hello World'[1, 3]                  #=> 'ell'
'Hello World'[6, -1]                 #=> 'World'
'abc'[100]                           #=> undef
---
[1, 2, 3]['1']                       ### An Array[] cannot use String where Integer is expected
---
'abc'['1']                           ### A substring operation does not accept a String as a character index. Expected an Integer
---
# The parameters of a type are types first.

Array[0, 0]                          #=> Array[0, 0]
Array[String, 1, 2]                  #=> Array[String, 1, 2]
---
Array[1, 2]                          ### Array-Type[] arguments must be types. Got Integer
---
Hash[1, 2]                           ### Hash-Type[] arguments must be types. Got Integer
