# Classes: parameters, inheritance, contain and require.
class params { $port = 80 }
class web(Integer $port = $params::port, $name2 = $title, $listen = "${name2}:${port}") inherits params {
  notify { 'web': message => $listen }
  contain web::logs
  require base
}
class web::logs { notify { 'logs': } }
class base($unset = undef) { notify { 'base': } }
class { 'web': port => 8080, noop => true, tag => 'front' }
include ::base, ['web', Class['web::logs']]
class one { notify { 'one': } }
class two { notify { 'two': } }
include one, two
