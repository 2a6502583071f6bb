# Node definitions: the name wins over expressions, these over the default.
node default { fail('not this one') }
node /host/ { fail('nor this') }
node 'other', 'testnode' {
  $where = 'node'
  Notify { message => $where }
  notify { 'here': }
  include a
  d { 'x': }
}
class a { notify { 'class': message => "class sees ${where}" } }
define d { notify { 'define': } }
notify { 'top': message => 'top' }
