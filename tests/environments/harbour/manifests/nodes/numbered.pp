node /^db(\d+)\./ {
  $number = $1
  class { 'role::database': number => Integer($number) }
}

node /^db/ {
  fail('a more precise definition comes first')
}
