Integer[1, 6000].map |$n| {
  $word = $n % 4 ? { 0 => 'web', 1 => 'db-7', 2 => 12, default => undef }
  case $word {
    /^db-(\d+)$/: { Integer($1) }
    'web': { 80 }
    Integer: { $word }
    default: { 0 }
  }
}.reduce |$a, $b| { $a + $b }
