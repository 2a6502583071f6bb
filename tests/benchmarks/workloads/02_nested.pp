Integer[1, 100].map |$i| {
  Integer[1, 100].filter |$j| { ($i * $j) % 3 == 0 }.reduce(0) |$sum, $k| { $sum + $k }
}.reduce |$a, $b| { $a + $b }
