notify { 'n0': }
Integer[1, 4000].each |$i| {
  notify { "n${i}": require => Notify["n${$i - 1}"], subscribe => [Notify["n0"]] }
}
