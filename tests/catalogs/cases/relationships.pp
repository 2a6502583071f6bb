# Relationships: arrows, metaparameters, collectors, and chains that close over what is empty.
notify { ['a', 'b']: } -> notify { ['c', 'd']: } ~> notify { 'e': }
Notify['e'] <- Notify['f']
notify { 'f': before => Notify['a'], require => [undef, [Class['k']]] }
Notify['f'] -> Notify['b']
class k { notify { 'in-k': } }
Class['k'] -> 'Notify[g]'
include k
@notify { 'g': tag => 'late' }
notify { 'h': } -> Notify <| tag == 'late' |> -> notify { 'i': }
notify { 'j': } -> Notify <| title == 'nobody' |> -> [] -> notify { 'l': }

# a text is a type expression
notify { ['text a', 'text b', 'word']: }
Notify['text a'] -> 'Notify["text b"]' -> "Notify['word']"
'Notify[word]' ~> 'Resource[notify, "text b"]'

# the type of a reference stands for it
Type[Notify['text a']] -> Type[Class['k']]
Class -> []

# what several resources were given at once is one array, which an arrow changes for all of them
notify { ['near', 'far', 'last']: }
notify { ['one', 'two']: before => [Notify['near']] }
notify { default: notify => [[Notify['near']], []]; 'three':; 'four':; 'own': notify => [Notify['near']] }
class given { Notify { before => [Notify['near']] } notify { ['five', 'six']: } notify { 'seven': } }
include given
create_resources('notify', { ['eight', 'nine'] => {}, 'ten' => {} }, { before => [Notify['near']] })
$list = [Notify['near']]
notify { 'eleven': before => $list } notify { 'twelve': before => $list }
notify { 'thirteen': before => Notify['near'] }
Notify['one'] -> Notify['far']
Notify['two'] -> Notify['last']
Notify['four'] ~> Notify['far']
Notify['seven'] -> Notify['far']
Notify['ten'] -> Notify['far']
Notify['twelve'] -> Notify['far']
notify { ['fourteen', 'fifteen']: tag => 'changed' }
Notify <| tag == 'changed' |> { before => [Notify['near']] }
Notify['fifteen'] -> Notify['far']
