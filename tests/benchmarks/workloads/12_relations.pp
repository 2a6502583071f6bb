Integer[1, 3000].each |$n| { notify { "n${n}": } }
Integer[1, 2999].each |$n| { Notify["n${n}"] -> Notify["n${$n + 1}"] }
