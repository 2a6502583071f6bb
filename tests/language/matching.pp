# in

'b' in 'abc'                         #=> true
'B' in 'abc'                         #=> true
'É' in 'aé'                          #=> true
/B/ in 'abc'                         #=> false
/b/ in 'abc'                         #=> true
1 in [1.0, 2]                        #=> true
'A' in [a, b]                        #=> true
[1] in [[1]]                         #=> true
/b/ in [1, 'abc']                    #=> true
Integer in ['a', 1]                  #=> true
Integer in ['a', Integer]            #=> false
'A' in { a => 1 }                    #=> true
1 in { a => 1 }                      #=> false
/a/ in { ab => 1 }                   #=> true
undef in [undef]                     #=> true
'a' in undef                         #=> false
1 in 1                               #=> false
'1.2.3' in SemVerRange('1.x')        #=> true
SemVer('2.0.0') in SemVerRange('1.x')             #=> false
---
# =~ and !~

'abc' =~ /b/                         #=> true
'abc' =~ /B/                         #=> false
'abc' =~ 'b.'                        #=> true
'abc' !~ /x/                         #=> true
'abc' =~ String                      #=> true
5 =~ Integer[1, 3]                   #=> false
undef =~ Optional[Integer]           #=> true
'abc' =~ Pattern[/b/]                #=> true
'abc' =~ Regexp[/b/]                 #=> false
'1.2.3' =~ SemVerRange('1.x')        #=> true
1 !~ String                          #=> true
---
1 =~ /1/                             ### Left match operand must result in a String value. Got an Integer.
---
undef =~ 'a'                         ### Left match operand must result in a String value. Got an Undef Value.
---
'a' =~ 1                             ### Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of Integer into String'.
---
'a' =~ '('                           ### Can not convert right match operand to a regular expression. Caused by 'end pattern with unmatched parenthesis: /(/'.
---
'a' =~ true                          ### Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of true into String'.
---
# Match variables

$a = 'foobar' =~ /(o+)(x)?b(.)/
[$0, $1, $2, $3, $4]                 #=> ['ooba', 'oo', undef, 'a', undef]
---
$x = if 'abc' =~ /(b)(c)/ { "${0}-${1}-${2}" }
$x                                   #=> 'bc-b-c'
---
$a = 'a' =~ /(a)/
if 'b' =~ /(b)/ { notice $1 }
$1                                   #=> 'a'
---
$a = 'a' =~ /(a)/
$b = [1].map |$x| { $1 }
$b                                   #=> ['a']
---
$a = 'a' =~ /(a)/
$b = case 'xyz' { /(y)/: { $1 } default: { no } }
[$b, $1]                             #=> ['y', 'a']
---
$a = 'key=value' ? { /(\w+)=(\w+)/ => [$2, $1], default => no }
$a                                   #=> ['value', 'key']
---
$a = 'abc' =~ /(?<first>.)(.)/
[$0, $1]                             #=> ['ab', 'a']
---
# dialect: puppet

$a = 'a' =~ /(a)/
$b = 'b' =~ /(x)/
$1                                   #=> 'a'
---
$a = /(b)/ in 'abc'
$1                                   #=> 'b'
---
[String in 'abc', Data in 'abc']     #=> [false, false]
---
# dialect: spec
# A match that fails clears the variables; `in` leaves them alone.

$a = 'a' =~ /(a)/
$b = 'b' =~ /(x)/
$1                                   #=> undef
---
$a = /(b)/ in 'abc'
$1                                   #=> undef
---
[String in 'abc', Data in 'abc', Integer in 'abc']   #=> [true, true, false]
[Any in 'abc', Object in 'abc', Scalar in 'abc']     #=> [true, true, false]
---
# \A and \Z are dropped wherever a string becomes a regular expression.

'xab' =~ '\Aab'                      #=> true
'xab' =~ Pattern['\Aab']             #=> true
/ab/ =~ Regexp['\Aab\Z']             #=> true
---
# dialect: puppet
# Match variables of a conditional are gone after it, also when it ends a cell.

if 'abc' =~ /(b)/ { $a = $1 }
$1                                   #=> undef
$a                                   #=> 'b'
case 'abc' { /(c)/: { $1 } }         #=> 'c'
$1                                   #=> undef
'abc' =~ /(a)/                       #=> true
unless 'abc' =~ /(x)/ { $1 }         #=> 'a'
if 'abc' =~ /(b)/ { if 'xyz' =~ /(y)/ { $1 } }   #=> 'y'
$1                                   #=> 'a'
---
# Those of a parameter's default are seen neither by other defaults nor by the body.

class c($x = 'abc' =~ /(b)/, $y = $1, $z = if 'xyz' =~ /(z)/ { $1 }) { $found = [$y, $z, $1] }
'abc' =~ /(a)/                       #=> true
include c
$c::found                            #=> ['a', 'z', 'a']
---
function f() { $r = 'q7' in [/(\d)/] ? { true => $1, default => 'none' } [$r, $1] }
f()                                  #=> ['7', undef]
