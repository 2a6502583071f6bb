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
