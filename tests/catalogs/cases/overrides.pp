# Overrides: in the scope of the resource, before it, and from classes that inherit.
Notify['later'] { message => 'set before' }
notify { 'later': }
class p { notify { ['x', 'y', 'z']: message => 'p', tag => ['p'] } file { '/p/': owner => 'root' } }
class q inherits p { Notify['x', 'y'] { message => 'q', tag +> 'q' } File['/p'] { owner => undef, mode => '0644' } }
class r inherits q { Notify['x'] { message +> ['r', ['s']] } }
include r
define d($n = 1) { notify { "d-${title}": message => $n } }
d { 't': }
D['t'] { n => 2 }

# what has changed resources by a collector may override any
class collecting {
  Notify <| title == 'collected' |> { noop => true }
  Notify['elsewhere'] { message => 'overridden' }
}
class elsewhere {
  notify { 'collected': }
  notify { 'elsewhere': message => 'declared' }
}
include collecting, elsewhere
