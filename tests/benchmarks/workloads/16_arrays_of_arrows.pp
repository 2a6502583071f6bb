$first = Integer[1, 60].map |$i| { notify { "a${i}": } Notify["a${i}"] }
$second = Integer[1, 60].map |$i| { notify { "b${i}": } Notify["b${i}"] }
$first -> $second
notify { 'last': require => $first + $second }
class a { Integer[1, 500].each |$i| { notify { "in a ${i}": } } }
class b { Integer[1, 500].each |$i| { notify { "in b ${i}": } } }
include a, b
Class['a'] -> Class['b']
Notify <| title == 'a1' |> -> Class['a']
