Integer[1, 3000].each |$i| { notify { "n${i}": } }
Integer[2, 3000].each |$i| { Notify["n${$i - 1}"] -> Notify["n${i}"] }
Integer[3, 3000].each |$i| { Notify["n${$i - 2}"] ~> Notify["n${i}"] }
