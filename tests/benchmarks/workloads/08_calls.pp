Integer[1, 6000].map |$n| {
  [String($n).length, upcase("n${n}"), join([$n, 'x'], '-'), split("a,b,${n}", ','), [$n, 3, 1].max].flatten.length
}.reduce |$a, $b| { $a + $b }
