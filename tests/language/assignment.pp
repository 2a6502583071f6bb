# A variable is assigned once.

$a = 5                               #=> 5
$b = $c = 7
[$a, $b, $c]                         #=> [5, 7, 7]
---
$a = 1
$a = 2                               ### Cannot reassign variable '$a'
---
# Several at once

[$a, [$b, $c]] = [1, [2, 3]]
[$a, $b, $c]                         #=> [1, 2, 3]
---
[$a, $b] = { b => 2, a => 1 }
[$a, $b]                             #=> [1, 2]
---
[$a] = 5
$a                                   #=> 5
---
[$a, $b] = [1]                       ### Mismatched number of assignable entries and values, expected 2, got 1
---
[$a, $b] = { a => 1 }                ### No value for required key 'b' in assignment to variables from hash
---
class c($x = 1) { $y = 2 }
include c
[$x, $y] = Class['c']
[$x, $y]                             #=> [1, 2]
---
# Names

$facts = 1                           ### Attempt to assign to a reserved variable name: '$facts'
---
$name = 1                            ### Cannot reassign built in (or already assigned) variable '$name'
---
$1 = 2                               ### Illegal attempt to assign to the numeric match result variable '$1'. Numeric variables are not assignable
---
$a::b = 1                            ### Illegal attempt to assign to 'a::b'. Cannot assign to variables in other namespaces
---
1 = 2                                ### Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference
---
# Scopes: a lambda sees what is around it; what it sets stays inside.

$a = 1
[[2].map |$x| { $b = $x + $a $b }, $a]           #=> [[3], 1]
---
$a = 1
[1].map |$x| { $a = 5 $a }           #=> [5]
---
$a = 1
$b = [1].map |$x| { $a = 5 $a }
$a                                   #=> 1
---
# dialect: puppet

$a += [1]                            ### The operator '+=' is no longer supported. See http://links.puppet.com/remove-plus-equals
---
# dialect: spec
# += and -= take the value of an outer scope.

$a = [1, 2]
with(3) |$x| { $a += [$x] $a }       #=> [1, 2, 3]
with(1) |$x| { $a -= [$x] $a }       #=> [2]
$a                                   #=> [1, 2]
---
$a += [1]
$a                                   #=> [1]
