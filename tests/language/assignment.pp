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
$a = undef
with(1) |$x| { $a += [$x] $a }       ### The operator '+=' is no longer supported. See http://links.puppet.com/remove-plus-equals
---
[$b] += [1]                          ### Illegal attempt to assign to 'an Array Expression'. Not an assignable reference
---
$a += [1]
$a                                   #=> [1]
---
# dialect: both
# `title` and `name` are taken where they have a value; the names of facts everywhere.

[1].map |$x| { $title = 4 $title }     #=> [4]
---
[1].each |$title| { $title = 4 }       ### Cannot reassign built in (or already assigned) variable '$title'
---
[1].each |$x| { $facts = 4 }           ### Error while evaluating a '=' expression, Attempt to assign to a reserved variable name: 'facts'
---
[1].each |$x| { $server_facts = 4 }    ### Attempt to assign to a reserved variable name: '$server_facts'
---
class c { $trusted = 1 } include c     ### Error while evaluating a '=' expression, Attempt to assign to a reserved variable name: 'trusted'
---
# In a hash the key of a nested list is the list of its names.

[$a, [$b]] = { 'a' => 1, ['b'] => [5] }
[$a, $b]                               #=> [1, 5]
---
[$a, [$b]] = { 'a' => 1, 'b' => 2 }    ### No value for required key '["b"]' in assignment to variables from hash
---
[$p] = Class                           ### Error while evaluating a '=' expression, No title provided and "class" is not a valid resource reference
---
# A class has the variables of the class that it inherits.

class p { $r = 5 }
class c($q = 3) inherits p { }
include c
[$q, $r] = Class['c']
[$q, $r]                               #=> [3, 5]
---
class c { }
include c
[$q, [$r]] = Class['c']                ### No value for required variable '$c::q' in assignment to variables from class reference
---
# dialect: both
# What only one branch assigns may be assigned after it, where that branch was not taken.

[1].map |$i| { if $i > 1 { $v = 'a' } $v = 'b' $v }            #=> ['b']
function f($i) { if $i == 1 { $a = 1 return $a } $a = 2 $a }
[f(1), f(2)]                         #=> [1, 2]
[1].map |$i| { if true { if false { $v = 1 } } $v = 2 $v }     #=> [2]
---
[2].each |$i| { if $i > 1 { $v = 'a' } $v = 'b' }              ### Cannot reassign variable '$v'
---
# So it is with what an option assigns while it is compared.

# dialect: spec, puppet7

[1, 2].map |$i| { $x = $i ? { ($w = 1) => 'a', ($z = 2) => 'b' } $all = [$x, $w, $z] $all }  #=> [['a', 1, undef], ['b', 1, 2]]
---
# dialect: puppet

[1, 2].map |$i| { $x = $i ? { ($w = 1) => 'a', ($z = 2) => 'b' } $all = [$x, $w, $z] $all }  ### Unknown variable: 'z'.
---
# dialect: both

[1].each |$i| { $a = if $i == 1 { $a = 2 } }                   ### Cannot reassign variable '$a'
