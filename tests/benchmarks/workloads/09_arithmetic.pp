Integer[1, 30000].reduce(7) |$x, $n| {
  $y = ($x * 31 + $n) % 65521
  if $y > 100 and $y % 2 == 0 { $y / 2 } else { $y + 1 }
}
