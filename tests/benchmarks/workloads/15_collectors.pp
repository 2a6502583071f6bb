Integer[1, 1500].each |$i| { @notify { "n${i}": message => "m${$i % 50}", tag => "t${$i % 20}" } }
Integer[0, 49].each |$i| { Notify <| message == "m${i}" |> }
Notify <| tag == 't3' |> { loglevel => 'debug' }
