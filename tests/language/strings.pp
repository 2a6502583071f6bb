# Literals

'a'                                  #=> 'a'
'it\'s'                              #=> 'it\'s'
'a\nb'                               #=> 'a\nb'
'a\\b'                               #=> 'a\b'
"a\nb"                               #=> "a\nb"
"tab\tquote\"dollar\$"               #=> "tab\tquote\"dollar\$"
"\u{1F600}\u00e9"                    #=> '😀é'
"it's"                               #=> 'it\'s'
a::b                                 #=> 'a::b'
''                                   #=> ''
---
# Interpolation

$x = 5
$s = 'text'
$a = [1, 'b', [undef, true]]
$h = { 'k' => { 'l' => 'm' }, 1 => 1.5 }
"$x $s"                              #=> '5 text'
"${x}y"                              #=> '5y'
"${a}"                               #=> '[1, b, [, true]]'
"${h}"                               #=> '{k => {l => m}, 1 => 1.5}'
"${a[1]} ${h['k']['l']}"             #=> 'b m'
"${$x + 1}"                          #=> '6'
"${s.upcase}"                        #=> 'TEXT'
"${[undef, default, /a\/b/, 1e15, Integer[1, 2]]}"          #=> '[, default, /a\/b/, 1.0e+15, Integer[1, 2]]'
"${File['/a']} ${Class['A']}"        #=> 'File[\'/a\'] Class[a]'
"${Sensitive('secret')}"             #=> 'Sensitive [value redacted]'
"\${x} \$x"                          #=> '${x} $x'
'$x ${x}'                            #=> '$x ${x}'
"${"nested ${x}"}"                   #=> 'nested 5'
---
# How values print in strings

"${Timespan(90061.5)}"               #=> '1-01:01:01.5'
"${Timestamp(0)}"                    #=> '1970-01-01T00:00:00.000000000 UTC'
"${SemVer('1.2.3-rc1+b5')}"          #=> '1.2.3-rc1+b5'
"${SemVerRange('1.x')}"              #=> '1.x'
"${URI('http://a/b')}"               #=> 'http://a/b'
"${Binary('YQ==')}"                  #=> 'YQ=='
"${[3, 4].reverse_each}"             #=> 'Iterator[Integer]-Value'
"${Error('m')}"                      #=> 'Error({\'msg\' => \'m\'})'
---
# Heredocs

$x = 5
$a = @(END)
  plain $x
  | END
$b = @("END")
  value $x
    deeper
  | END
$c = @("END"/n)
  a\nb
  |- END
[$a, $b, $c]                         #=> ["plain \$x\n", "value 5\n  deeper\n", "a\nb"]
---
# A Sensitive is never shown.

Sensitive('secret')                  #=> #<Sensitive [value redacted]>
[Sensitive('secret')]                #=> [#<Sensitive [value redacted]>]
---
Sensitive('secret') + 1              ### The value 'Sensitive [value redacted]' cannot be converted to Numeric.
---
[1, 2][Sensitive('secret')]          ### The value 'Sensitive [value redacted]' cannot be converted to Numeric.
---
# dialect: spec
# A range of sizes may be given from its upper end

['ab' =~ String[3, 1], 'abcd' =~ String[3, 1], 'ab' =~ String[3]]   #=> [true, false, false]
---
# dialect: puppet
String[3, 1]                         ### Error while evaluating a '[]' expression, 'from' must be less or equal to 'to'. Got (3, 1
---
# dialect: puppet
# An interpolation that does not end ends with the heredoc

$sum = @("END")
  a${1 + 1
  | END
$sum                                       #=> 'a2'
---
# A format for Optional holds for all that has no format of its own

String('a', { Optional => '%p' })          #=> '\'a\''
String(10, { Optional => '%x' })           #=> 'a'
String('a', { Optional => '%p', String => '%s' })    #=> 'a'
