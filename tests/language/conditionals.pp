# Truth: only undef and false are false.

[!undef, !false, !'', !0, ![], !default]     #=> [true, true, false, false, false, false]
true and 'x'                         #=> true
undef or 1                           #=> true
false and fail('not evaluated')      #=> false
true or fail('not evaluated')        #=> true
!true or true                        #=> true
true or false and false              #=> true
---
# if and unless

if '' { 'yes' } else { 'no' }        #=> 'yes'
if undef { 1 }                       #=> undef
if false { 1 } elsif true { 2 } else { 3 }        #=> 2
unless true { 1 }                    #=> undef
unless true { 1 } else { 2 }         #=> 2
---
if true { $a = 5 }
$a                                   #=> 5
---
# case

case 'A' { 'a': { 'same' } default: { 'other' } }                     #=> 'same'
case 1 { 1.0: { 'same' } default: { 'other' } }                       #=> 'same'
case 5 { String: { 's' } Integer[1, 9]: { 'i' } }                     #=> 'i'
case 'abc' { /^b/: { 1 } /^a/: { 2 } }                                #=> 2
case 5 { 1, 2: { 'low' } 4, 5: { 'high' } }                           #=> 'high'
case 5 { default: { 'd' } 5: { 'five' } }                             #=> 'five'
case 5 { 6: { 1 } }                                                   #=> undef
case 5 { *[1, 5]: { 'in' } default: { 'out' } }                       #=> 'in'
case undef { '': { 1 } undef: { 2 } }                                 #=> 2
case SemVer('1.2.3') { SemVerRange('1.x'): { 'ok' } }                 #=> 'ok'
case [1, 2] { [1, 2]: { 'same' } default: { 'other' } }               #=> 'same'
---
# selector

'a' ? { 'A' => 1, default => 2 }                                      #=> 1
5 ? { String => 's', Integer => 'i' }                                 #=> 'i'
5 ? { 5 => 'five', default => fail('not evaluated') }                 #=> 'five'
'x' ? { /y/ => 1, default => 2 }                                      #=> 2
1 + 2 ? { 3 => 'three', default => 'other' }                          #=> 'three'
5 ? { *[4, 5] => 'in', default => 'out' }                             #=> 'in'
---
# dialect: puppet
# Arrays and hashes are matched part by part; a type value is an instance.

case [1, 2] { [Integer, Integer]: { 'm' } default: { 'd' } }          #=> 'm'
case [1, [2, 3]] { [1, [default, /3/]]: { 'm' } default: { 'd' } }    #=> 'd'
case [1, [2, 'x3']] { [1, [default, /3/]]: { 'm' } default: { 'd' } } #=> 'm'
case { a => 1, b => 2 } { { a => 1 }: { 'm' } default: { 'd' } }      #=> 'm'
case { a => xyz } { { a => /y/ }: { 'm' } default: { 'd' } }          #=> 'm'
case Integer { Type[Integer]: { 'm' } default: { 'd' } }              #=> 'm'
case Integer { Integer: { 'm' } default: { 'd' } }                    #=> 'd'
case '1' { 1: { 'm' } default: { 'd' } }                              #=> 'd'
1 ? { default => 'd', 1 => 'one' }                                    #=> 'one'
# only ASCII letters are equal in both cases, and no text equals a number, a boolean or an array
['k', 'K', "\u212A", 'ä', 'Ä'].map |$x| { $x ? { 'K' => 'k', 'ä' => 'a', default => 'd' } }   #=> ['k', 'k', 'd', 'a', 'd']
['1', 1, 1.0, true, undef, [1]].map |$x| { $x ? { '1' => 't', 1 => 'n', default => 'd' } }    #=> ['t', 'n', 'n', 'd', 'd', 'd']
['Ab1', 'ab', 'aB2'].map |$x| { case $x { 'AB': { 'ab' } /(\d)$/: { $1 } } }                   #=> ['1', 'ab', '2']
---
3 ? { 4 => 1 }                                                        ### No matching entry for selector parameter with value '3'
---
# dialect: spec
# Options are regular expressions, types of what is no type, or equal; a selector's default matches where it stands.

case [1, 2] { [Integer, Integer]: { 'm' } default: { 'd' } }          #=> 'd'
case { a => 1, b => 2 } { { a => 1 }: { 'm' } default: { 'd' } }      #=> 'd'
case { a => xyz } { { a => /y/ }: { 'm' } default: { 'd' } }          #=> 'd'
case Integer { Integer: { 'm' } default: { 'd' } }                    #=> 'm'
case Integer { Type[Integer]: { 'm' } default: { 'd' } }              #=> 'd'
case '1' { 1: { 'm' } default: { 'd' } }                              #=> 'm'
1 ? { default => 'd', 1 => 'one' }                                    #=> 'd'
3 ? { 4 => 1 }                                                        #=> undef
