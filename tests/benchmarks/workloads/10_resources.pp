Integer[1, 8000].each |$n| { notify { "n${n}": message => "hello ${n}" } }
