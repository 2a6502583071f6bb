# Functions that build the catalog.
create_resources('notify', { 'a' => { 'message' => 'own' }, 'b' => {} }, { 'message' => 'default', 'tag' => ['t'] })
create_resources('@notify', { 'v' => {} })
create_resources('class', { 'c' => { 'x' => 1 } })
class c($x) { create_resources('d', { 'i' => {}, 'j' => { 'p' => 2 } }) }
define d($p = 1) { notify { "d-${title}": message => defined(Notify['a'], Notify['zz']) } }
function helper($n) { notify { "f-${n}": } }
class e { helper(1) [1, 2].each |$i| { notify { "e-${i}": } } }
include e
notify { 'attr': message => Notify['a']['message'] }

# An array as a title stands for its elements; a class is contained once, however often it is named.
create_resources('notify', { ['first', 'second'] => { 'message' => 'both' }, [] => { 'message' => 'none' } })
class shelf { }
class hall { contain 'shelf', 'shelf' }
include hall
