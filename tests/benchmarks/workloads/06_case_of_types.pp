Integer[1, 6000].map |$i| {
  case $i % 4 { 0: { $i } 1: { "text ${i}" } 2: { [$i] } default: { { 'k' => $i } } }
}.map |$v| {
  case $v {
    Integer[0, 10]: { 'small' }
    Integer: { 'integer' }
    /^text (\d)$/: { $1 }
    String[1]: { 'string' }
    Array, Tuple[Integer]: { 'array' }
    Struct[{ 'k' => Integer }]: { 'struct' }
    default: { 'other' }
  }
}.map |$v| { $v ? { 'small' => 1, 'array' => 2, Integer => 3, default => 4 } }
