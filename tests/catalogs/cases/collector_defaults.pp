# A collector that sets attributes also sets the defaults that its own scope sees.
notify { 'early': }
Notify { loglevel => 'err' }
Notify<| title == 'early' |> { message => 'collected' }
@user { 'virtual': uid => 5 }
User<| |> { groups +> 'collected' }

# they replace attributes, unless the resource's own scope sees the same ones
class outer {
  Group { system => true, gid => 7 }
  Group<| title == 'far' |> { members => 'x' }
  group { 'near': gid => 8 }
  Group<| title == 'near' |> { members => 'x' }
}
group { 'far': gid => 6, system => false }
include outer

class thing_changer { Thing<| |> { y => 'collected' } }
define thing($x = 1, $y = 2) { notify { "thing-${x}-${y}": } }
thing { 'a': }
include thing_changer
Thing { x => 'default' }
User { groups => 'late', tag => 'given' }
