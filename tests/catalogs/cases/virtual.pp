# Virtual and exported resources, collectors and realize.
@notify { ['a', 'b', 'c']: tag => 'Group' }
@notify { 'm': message => 'M1' }
Notify <| title == 'a' or (title == 'b' and tag != 'none') |>
Notify <| message == 'm1' |> { withpath => true }
realize(Notify['late'])
class late { @notify { 'late': } @user { 'bob': groups => ['x', 'y'] } }
include late
User <| groups == 'y' |> { groups +> 'z' }
@d { 'v': }
@d { 'w': }
define d { @notify { "in-${title}": } notify { "body-${title}": } }
D <| title == 'v' |>
Notify <| tag == 'v' |>
@@notify { 'exported': }
