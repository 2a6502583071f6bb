# Equality

1 == 1.0                             #=> true
'a' == 'A'                           #=> true
'éA' == 'éa'                         #=> true
'a' != 'b'                           #=> true
undef == ''                          #=> false
undef == undef                       #=> true
true == 'true'                       #=> false
true == 1                            #=> false
default == default                   #=> true
[1, 'a', [2]] == [1.0, 'A', [2]]     #=> true
[1] == [1, 2]                        #=> false
{ a => 1, b => 'X' } == { b => 'x', a => 1.0 }   #=> true
{ a => 1 } == { 'A' => 1 }           #=> false
{ 1 => 1 } == { 1.0 => 1 }           #=> false
/a/ == /a/                           #=> true
/a/ == /A/                           #=> false
Integer == Integer[default, default]              #=> true
Optional[Integer] == Variant[Undef, Integer]      #=> true
Enum[a, b] == Enum[b, a]             #=> true
NotUndef[Optional[Integer]] == Integer            #=> false
Array[Integer] == Tuple[Integer, 0, default]      #=> true
Numeric == Variant[Integer, Float]   #=> false
Class['a'] == Class['A']             #=> true
File['a'] == File['A']               #=> false
Timestamp(0) == 0                    #=> true
1.0 == Timespan(1)                   #=> true
Timespan(1) == Timestamp(1)          #=> false
SemVer('1.0.0') == SemVer('1.0.0')   #=> true
SemVer('1.0.0') == '1.0.0'           #=> false
Sensitive('a') == Sensitive('a')     #=> true
Sensitive('a') == 'a'                #=> false
---
# Order

1 < 2                                #=> true
1.5 >= 1                             #=> true
'a' < 'B'                            #=> true
'B' > 'a'                            #=> true
'a' <= 'A'                           #=> true
'_' < 'A'                            #=> true
'' < 'a'                             #=> true
'a' < 'ab'                           #=> true
Integer < Numeric                    #=> true
Integer < Integer                    #=> false
Integer <= Integer                   #=> true
Integer > Integer[1, 2]              #=> true
Timespan(1) < 2                      #=> true
2 < Timespan(3)                      #=> true
Timestamp(1) > Timestamp(0)          #=> true
SemVer('1.0.0-a') < SemVer('1.0.0')  #=> true
---
# dialect: spec

Integer < 1                          ### Comparison of: Integer-Type < Integer, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'.
---
# dialect: puppet, puppet7, openvox9

Integer < 1                          #=> false
---
1 < true                             ### Comparison of: Integer < Boolean, is not possible. Caused by 'A Numeric is not comparable to non Numeric'.
---
undef < 1                            ### Comparison of: Undef Value < Integer, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'.
---
[1] < [2]                            ### Comparison of: Array < Array, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'.
---
default < 1                          ### Comparison of: Object < Integer, is not possible. Caused by 'Symbol not comparable to non Symbol'.
---
1 < Integer                          ### Comparison of: Integer < Integer-Type, is not possible. Caused by 'A Numeric is not comparable to non Numeric'.
---
SemVer('1.0.0') < '1.2.0'            ### Comparison of: Semver < String, is not possible. Caused by 'Versions not comparable to non Versions'.
---
Timespan(1) < Timestamp(1)           ### Comparison of: Timespan < Timestamp, is not possible. Caused by 'Timespans are only comparable to Timespans, Integers, and Floats'.
---
'a' < /a/                            ### Comparison of: String < Regexp, is not possible. Caused by 'A String is not comparable to a non String'.
---
# dialect: puppet
# Types that stand alone are equal when each accepts the other, in arrays and hashes when they are written alike.

Tuple[Integer, Integer] == Array[Integer, 2, 2]               #=> true
[Tuple[Integer, Integer]] == [Array[Integer, 2, 2]]           #=> false
{ a => Array } == { a => Array[Any] }                         #=> true
[Variant[Integer, String]] == [Variant[String, Integer]]      #=> true
[Variant[Undef, Integer]] == [Optional[Integer]]              #=> false
[Collection] == [Init[NotUndef]]                              #=> false

---
$same = Collection == Init[NotUndef]                            ### Comparison of: Collection-Type == Init[NotUndef]-Type, is not possible. Caused by 'Creation of new instance of type 'NotUndef' is not supported'.
---
$other = Collection != Init[NotUndef]                           ### Comparison of: Collection-Type != Init[NotUndef]-Type, is not possible. Caused by 'Creation of new instance of type 'NotUndef' is not supported'.

---
# Integers are rounded by way of a Float.

round(4503599627370497)                                       #=> 4503599627370498
round(-9007199254740993)                                      #=> -9007199254740992

---
# A string is never a number.

1 == '1'                             #=> false
'1' == '01'                          #=> false
[1] == ['1']                         #=> false
'10' < '9'                           #=> true
1 in ['1']                           #=> false
1 in '1'                             #=> false
---
'10' > 9                             ### Comparison of: String > Integer, is not possible. Caused by 'A String is not comparable to a non String'.
---
1 < 'a'                              ### Comparison of: Integer < String, is not possible. Caused by 'A Numeric is not comparable to non Numeric'.
---
# dialect: both
# Times beside numbers: as Floats, but an Integer on the right counts whole seconds

Timestamp('2021-03-04T05:06:07.123456789 UTC') == 1614834367.123456789   #=> true
1614834367.123456789 == Timestamp('2021-03-04T05:06:07.123456789 UTC')   #=> true
Timestamp('2001-02-03T04:05:06.000000007 UTC') > 981173106               #=> false
981173106.0 < Timestamp('2001-02-03T04:05:06.000000007 UTC')             #=> false
Timespan(72000000.123456789) in [72000000.123456789]                     #=> true
Timespan(5.7) == 5                   #=> true
5 == Timespan(5.7)                   #=> true
5 < Timespan(5.7)                    #=> true
Timespan(5.7) > 5                    #=> false
Timespan(1.1) > 1.0999999999         #=> true
---
# Numbers in a Binary are its bytes

104 in Binary('aGVsbG8=')            #=> true
104.0 in Binary('aGVsbG8=')          #=> true
101.5 in Binary('aGVsbG8=')          #=> false
300 in Binary('aGVsbG8=')            #=> false
'ell' in Binary('aGVsbG8=')          #=> true
true in Binary('AQID')               #=> false
---
# dialect: spec
# A numeric string is a number; numbers come before text.

1 == '1'                             #=> true
'1' == '01'                          #=> true
'0x10' == 16                         #=> true
' 1 ' == '1.0'                       #=> true
[1] == ['1']                         #=> true
{ a => 1 } == { a => '1' }           #=> true
1 != '1'                             #=> false
'1' == '1x'                          #=> false
'' == 0                              #=> false
'10' < '9'                           #=> false
'10' > 9                             #=> true
1 < 'a'                              #=> true
'a' < 1                              #=> false
1 < ''                               #=> true
'a' < 'B'                            #=> true
1 in ['1']                           #=> true
1 in '1'                             #=> true
16 in '0x10'                         #=> true
