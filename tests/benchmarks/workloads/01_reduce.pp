Integer[1, 100000].reduce |$sum, $n| { $sum + $n }
