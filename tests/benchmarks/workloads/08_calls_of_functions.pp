function sum_of(Integer $a, Integer $b = 2) >> Integer { $a + $b }
function joined(String $first, String *$rest) >> String { $rest.reduce($first) |$m, $x| { "${m}${x}" } }
Integer[1, 4000].map |$i| {
  [sum_of($i) + sum_of($i, 3), joined('a', 'b', "c${i}").upcase.length, "a,b,${i}".split(',').map |$x| { $x.strip }.join('-')]
}
