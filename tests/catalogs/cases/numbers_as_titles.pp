# A function takes a number, true or default as a title; for who asks it stays one, and it gives no tag.
define d($p = undef) { notify { "d ${title}": message => "${type($title)}" } }
create_resources('d', { 9292 => { 'tag' => 'u' } })
create_resources('notify', { 0 => { 'withpath' => true }, 1.5 => {}, true => {}, default => {}, [7, 'a'] => {} })
create_resources('notify', { 8 => { 'name' => 'eight' }, 9 => { 'name' => '9' }, /x/ => {} })
create_resources('file', { 80 => { 'ensure' => 'present' } })
Notify <| title == 0 |> { message => 'by number' }
Notify <| title == '1.5' |> { message => 'never' }
Notify <| tag == '7' |> { message => 'never' }
Notify['true'] { message => 'by name' }
notify { 'last': require => Notify['0'] }
