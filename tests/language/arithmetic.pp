# Numbers

1 + 2                        #=> 3
1 + 2.0                      #=> 3.0
7 / 2                        #=> 3
-7 / 2                       #=> -4
7 / -2                       #=> -4
-7 % 3                       #=> 2
7 % -3                       #=> -2
7 / 2.0                      #=> 3.5
0.1 + 0.2                    #=> 0.30000000000000004
2 * 3.0                      #=> 6.0
1e15                         #=> 1.0e+15
1e14                         #=> 100000000000000.0
1.0e-5                       #=> 1.0e-05
0.0001                       #=> 0.0001
-0.0                         #=> -0.0
0x1F + 010                   #=> 39
-(1 + 2)                     #=> -3
1 + 2 * 3 - 4 / 2            #=> 5
2 + 3 << 1                   #=> 10
---
# dialect: spec

0.0 / 0                      ### Division by 0
---
# dialect: puppet, puppet7, openvox9

0.0 / 0                      #=> NaN
0.0 / 0 == 0.0 / 0           #=> false
---
# dialect: spec, puppet7
# Strings that look like numbers

'1' + '2'                    #=> 3
' - 0x10 ' + 0               #=> -16
'010' + 0                    #=> 8
'1.5e1' + 0                  #=> 15.0
-'12'                        #=> -12
'10' / '4'                   #=> 2
'1' << '2'                   #=> 4
---
# dialect: puppet, openvox9

'1' + '2'                    ### The string '1' was automatically coerced to the numerical value 1
---
-'12'                        ### The string '12' was automatically coerced to the numerical value 12
---
1 << '2'                     ### The string '2' was automatically coerced to the numerical value 2
---
# dialect: both
'08' + 1                     ### The value '08' cannot be converted to Numeric.
---
'abc' + 1                    ### The value 'abc' cannot be converted to Numeric.
---
1 + undef                    ### The value '' cannot be converted to Numeric.
---
1 + [1, undef]               ### The value '[1, nil]' cannot be converted to Numeric.
---
true * 2                     ### The value 'true' cannot be converted to Numeric.
---
-[1]                         ### The value '[1]' cannot be converted to Numeric.
---
1 / 0                        ### Division by 0
---
1 % 0                        ### Division by 0
---
1.5 / 0                      ### The result of the / expression is Infinity
---
1e308 * 10                   ### The result of the * expression is Infinity
---
7 % 2.0                      ### Operator '%' is not applicable to an Integer when right side is a Float.
---
7.5 % 2                      ### Operator '%' is not applicable to a Float.
---
# Shifts

1 << 4                       #=> 16
256 >> 4                     #=> 16
1 << -1                      #=> 0
8 >> -2                      #=> 32
1 >> 100                     #=> 0
0 << 1000000                 #=> 0
-1 << 63                     #=> -9223372036854775808
---
1.5 << 1                     ### Operator '<<' is not applicable to a Float.
---
1 >> true                    ### The value 'true' cannot be converted to Numeric.
---
{ a => 1 } << 1              ### Operator '<<' is not applicable to a Hash.
---
# dialect: puppet
# Integers have 64 bits.

9223372036854775807          #=> 9223372036854775807
-9223372036854775807 - 1     #=> -9223372036854775808
---
9223372036854775807 + 1      ### A '+' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'
---
-9223372036854775807 - 2     ### A '-' expression resulted in a value outside of Puppet Integer min range, got '-0x8000000000000001'
---
9223372036854775807 * 2      ### A '*' expression resulted in a value outside of Puppet Integer max range, got '+0xfffffffffffffffe'
---
(-9223372036854775807 - 1) / -1  ### A '/' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'
---
1 << 63                      ### A '<<' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'
---
-8 >> 1                      #=> -4
1 << 1.9                     #=> 2
---
# dialect: spec
# Integers have any size; a right shift is never negative; shifts take integers.

9223372036854775807 + 1      #=> 9223372036854775808
-9223372036854775807 - 2     #=> -9223372036854775809
9223372036854775807 * 4      #=> 36893488147419103228
1 << 70                      #=> 1180591620717411303424
-8 >> 1                      #=> 0
-8 << -1                     #=> 0
-8 << 1                      #=> -16
---
1 << 1.9                     ### Operator '<<' is not applicable to an Integer when right side is a Float.
---
8 >> 1.0                     ### Operator '>>' is not applicable to an Integer when right side is a Float.
---
1 << 9999999999999           ### LIMIT_EXCEEDED
---
# dialect: both
# Time

"${Timespan(5) + 1.5}"                      #=> '0-00:00:06.5'
"${1 + Timespan(5)}"                        #=> '0-00:00:06.0'
"${Timespan(5) - Timespan(7)}"              #=> '-0-00:00:02.0'
"${Timestamp(5) - Timestamp(2)}"            #=> '0-00:00:03.0'
"${Timestamp(5) + Timespan(2)}"             #=> '1970-01-01T00:00:07.000000000 UTC'
"${Timespan(5) + Timestamp(2)}"             #=> '1970-01-01T00:00:07.000000000 UTC'
"${Timestamp(0) - 1.5}"                     #=> '1969-12-31T23:59:58.500000000 UTC'
"${Timespan(5) * 1.5}"                      #=> '0-00:00:07.5'
"${2 * Timespan(5)}"                        #=> '0-00:00:10.0'
"${Timespan(5) / 2}"                        #=> '0-00:00:02.5'
"${Timespan(5) / -1.5}"                     #=> '-0-00:00:03.333333334'
Timespan(5) / Timespan(2)                   #=> 2.5
Timespan(5.5) % 2                           #=> 1
Timespan(5.5) % -2                          #=> -1
"${-Timespan(5)}"                           #=> '-0-00:00:05.0'
---
Timestamp(1) + Timestamp(1)                 ### Error while evaluating a '+' expression, A Timestamp cannot be added to a Timestamp
---
Timespan(1) - Timestamp(1)                  ### Error while evaluating a '-' expression, A Timestamp cannot be subtracted from a Timespan
---
Timestamp(1) * 2                            ### Operator '*' is not applicable to a Timestamp.
---
Timespan(1) / 0                             ### Division by 0
---
Timespan(1) % 1.5                           ### Operator '%' is not applicable to a Timespan when right side is a Float.
---
1 - Timestamp(1)                            ### Operator '-' is not applicable to an Integer when right side is a Timestamp.
---
SemVer('1.0.0') + 1                         ### Operator '+' is not applicable to a Semver.
---
Timespan(1) + SemVer('1.0.0')               ### Error while evaluating a '+' expression, A Version cannot be added to a Timespan
---
Timespan(1) * 1e300                         ### Error while evaluating a '*' expression, Infinity
---
# Operations on operations, in a body that runs often: what is between is checked as well

[1, 2].map |$x| { ($x * 3 + 1) % 4 == 0 }               #=> [true, false]
[1, 2.5].map |$x| { ($x + 1) * 2 }                      #=> [4, 7.0]
Integer[1, 3].map |$x| { [$x / 2 * 2 + $x % 2, "${x}"] }  #=> [[1, '1'], [2, '2'], [3, '3']]
Integer[1, 2].map |$x| { 10 / ($x - 3) }                #=> [-5, -10]
Integer[1, 2].map |$i, $x| { Integer[1, 2].map |$y| { $i + $x * $y } }  #=> [[1, 2], [3, 5]]
---
# dialect: spec, puppet7

[1, 2.5, '4'].map |$x| { ($x + 1) * 2 }                 #=> [4, 7.0, 10]
---
# dialect: both

Integer[1, 2].map |$x| { 10 / ($x - 2) + 1 }            ### Division by 0
---
[4, 'a'].map |$x| { ($x - 1) * 2 > 5 }                  ### The value 'a' cannot be converted to Numeric.
---
# dialect: puppet

Integer[1, 2].map |$x| { $x * 9223372036854775807 - 9223372036854775807 }  ### A '*' expression resulted in a value outside of Puppet Integer max range, got '+0xfffffffffffffffe'
---
# dialect: spec

Integer[1, 2].map |$x| { $x * 9223372036854775807 - 9223372036854775807 }  #=> [0, 9223372036854775807]
Integer[2, 2].map |$x| { $x * 9223372036854775807 > 9223372036854775807 }  #=> [true]
