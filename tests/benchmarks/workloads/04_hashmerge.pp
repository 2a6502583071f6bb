Integer[1, 700].reduce({}) |$all, $n| { $all + { "k${n}" => { 'id' => $n, 'tags' => ['a', 'b'] } } }.length
