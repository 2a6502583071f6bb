Integer[1, 30000].map |$n| { "node${n}.example.com has ${$n * 2} and $n" }.length
