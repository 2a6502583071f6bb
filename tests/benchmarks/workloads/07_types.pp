with([{ 'port' => 80 }, { 'port' => 'x' }, { 'port' => 443, 'name' => 'tls' }, { 'name' => 1 }]) |$rows| {
  Integer[1, 4000].map |$n| {
    $rows.filter |$row| { $row =~ Struct[{ port => Integer[1, 65535], Optional[name] => Variant[String[1], Array[String]] }] }.length
  }.reduce |$a, $b| { $a + $b }
}
