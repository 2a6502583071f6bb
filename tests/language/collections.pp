# Arrays

[1] + 2                              #=> [1, 2]
[1] + [2, 3]                         #=> [1, 2, 3]
[1] + [[2]]                          #=> [1, [2]]
[1] + undef                          #=> [1, undef]
[1] + { a => 1, b => 2 }             #=> [1, ['a', 1], ['b', 2]]
[1] + {}                             #=> [1]
[1] << [2]                           #=> [1, [2]]
[1] << { a => 1 }                    #=> [1, {'a' => 1}]
[1, 2, 1, 3] - 1                     #=> [2, 3]
[1, 2, 3] - [1, 3]                   #=> [2]
[1, 1.0, [1], { a => 1 }] - 1        #=> [[1], {'a' => 1}]
[[1, 2], 3] - [[1, 2.0]]             #=> [3]
[undef, 1] - undef                   #=> [1]
[1, 2] - []                          #=> [1, 2]
---
[1] * 2                              ### The value '[1]' cannot be converted to Numeric.
---
# Hashes

{ a => 1 } + { b => 2, a => 3 }      #=> {'a' => 3, 'b' => 2}
{ a => 1 } + [b, 2, c, 3]            #=> {'a' => 1, 'b' => 2, 'c' => 3}
{ a => 1 } + [[b, 2], [c, 3]]        #=> {'a' => 1, 'b' => 2, 'c' => 3}
{ a => 1 } + [[b, 2], c]             #=> {'a' => 1, ['b', 2] => 'c'}
{ a => 1 } + []                      #=> {'a' => 1}
{ a => 1, b => 2 } - a               #=> {'b' => 2}
{ a => 1, b => 2 } - [a, c]          #=> {'b' => 2}
{ a => 1, b => 2 } - { b => 9 }      #=> {'a' => 1}
{ a => 1 } - 'A'                     #=> {'a' => 1}
{ 1 => a, 1.0 => b, '1' => c } - 1   #=> {1.0 => 'b', '1' => 'c'}
---
{ a => 1 } + 2                       ### Error while evaluating a '+' expression, Can only append Array or Hash to a Hash
---
{ a => 1 } + [b]                     ### Error while evaluating a '+' expression, odd number of arguments for Hash
---
{ a => 1 } + [[b, 1, 2]]             ### Error while evaluating a '+' expression, wrong array length at 0 (expected 2, was 3)
---
{ a => 1 } + [[b, 1], [b]]           ### Error while evaluating a '+' expression, wrong array length at 1 (expected 2, was 1)
---
# dialect: puppet7

{ a => 1 } + [[b]]                   #=> {'a' => 1, 'b' => undef}
---
# dialect: puppet7

{ a => 1 } + [[b, 1, 2]]             ### Error while evaluating a '+' expression, invalid number of elements (3 for 1..2)
---
# dialect: both
# Keys are told apart strictly.

{ 1 => a, 1.0 => b, '1' => c, true => d, [1] => e, [1.0] => f, undef => g }          #=> {1 => 'a', 1.0 => 'b', '1' => 'c', true => 'd', [1] => 'e', [1.0] => 'f', undef => 'g'}
{ 1 => a, 1.0 => b, '1' => c, true => d, [1] => e, [1.0] => f, undef => g }[1.0]     #=> 'b'
{ 1 => a, 1.0 => b, '1' => c, true => d, [1] => e, [1.0] => f, undef => g }[true]    #=> 'd'
{ 1 => a, 1.0 => b, '1' => c, true => d, [1] => e, [1.0] => f, undef => g }[[1.0]]   #=> 'f'
{ 1 => a, 1.0 => b, '1' => c, true => d, [1] => e, [1.0] => f, undef => g }[undef]   #=> 'g'
---
# Values of other types

URI('http://a/b') + 'c'              #=> URI('http://a/c')
URI('http://a/b/') + 'c'             #=> URI('http://a/b/c')
URI('http://a/b/c') + '../d'         #=> URI('http://a/d')
URI('http://a/b') + URI('c?d=1')     #=> URI('http://a/c?d=1')
Binary('YQ==') + Binary('Yg==')      #=> Binary("YWI=")
---
URI('http://a/b') + 1                ### Error while evaluating a '+' expression, An URI can only be merged with an URI or String
---
Binary('YQ==') + 'b'                 ### Error while evaluating a '+' expression, Can only append Binary to a Binary
---
# dialect: puppet
# Deletion compares strings with their case and numbers by value.

['a', 'A', 'b'] - 'a'                #=> ['A', 'b']
[1, 2] - '1'                         #=> [1, 2]
[1, 2, b, [a, 1]] - { a => 1, b => 20 }      #=> [1, 2, 'b']
---
# dialect: spec
# Deletion compares as `==` does; a hash removes its keys and its values.

['a', 'A', 'b'] - 'a'                #=> ['b']
[1, 2] - '1'                         #=> [2]
[1, 2, b, [a, 1]] - { a => 1, b => 20 }      #=> [2, ['a', 1]]
---
# dialect: spec
function abc($x) { "called ${x}" }
abc [1]                              #=> 'called [1]'
class ntp { }
include ntp
[1, 2].map |$n| { $n * 2 }           #=> [2, 4]
---
# dialect: both
# A block of reduce that adds to its memo: no value that anybody else sees changes

$start = { 'a' => 1 }
Integer[1, 2].reduce($start) |$memo, $x| { $memo + { "k${x}" => $memo } }  #=> {'a' => 1, 'k1' => {'a' => 1}, 'k2' => {'a' => 1, 'k1' => {'a' => 1}}}
$start                                                                     #=> {'a' => 1}
Integer[1, 2].reduce([0]) |$memo, $x| { $memo + [$memo] }                  #=> [0, [0], [0, [0]]]
$lists = [[1], 2, 3]
[$lists.reduce |$memo, $x| { $memo + [$x] }, $lists]                       #=> [[1, 2, 3], [[1], 2, 3]]
Integer[1, 5].reduce([]) |$memo, $x| { if $x == 4 { break() } $memo + [$x] }  #=> [1, 2, 3]
Integer[1, 5].reduce({}) |$memo, $x| { if $x % 2 == 0 { $memo } else { $memo + { $x => [$x] } } }  #=> {1 => [1], 3 => [3], 5 => [5]}
Integer[1, 2].map |$i| { Integer[1, 2].reduce([]) |$memo, $x| { $kept = [$memo]; $memo + [$i * $x, $kept] } }  #=> [[1, [[]], 2, [[1, [[]]]]], [2, [[]], 4, [[2, [[]]]]]]
Integer[1, 3].reduce([]) |$memo, $x| { $memo + { $x => 0 } }               #=> [[1, 0], [2, 0], [3, 0]]
---
# dialect: both
# A splat in parentheses is one, but not as a key.

$a = [1, 2]
[(*$a), ((*[3]))]                    #=> [1, 2, 3]
with((*$a)) |$x, $y| { $x + $y }     #=> 3
case 2 { (*$a): { 'in' } default: { 'out' } }   #=> 'in'
$b = 2 ? { (*$a) => 'in', default => 'out' }
$b                                   #=> 'in'
---
# Sameness of elements: case counts, numbers are compared by value, and no text is a number.

[index(['a', 1, 'A', 'b'], 'b'), index([1, 'x'], 'y'), index([1.0, 1], 1)]   #=> [3, undef, 0]
index([Sensitive('a'), 'a'], 'a')                                     #=> 1
[unique([3, 1, 3, 2]), unique(['b', 'a', 'B']), unique([])]           #=> [[3, 1, 2], ['b', 'a', 'B'], []]
unique([1, 1.0, '1', true, 1])                                        #=> [1, 1.0, '1', true]
[sort([3, 1.5, 2]), sort(['b', 'A', 'a'])]                            #=> [[1.5, 2, 3], ['A', 'a', 'b']]
[Float(3), Numeric(2.5), Numeric(7)]                                  #=> [3.0, 2.5, 7]
