# Aliases and names: one resource, several references.
file { '/tmp/x/': ensure => directory, alias => ['tmp', 'temp'] }
file { 'named': path => '/etc/named' }
user { 'robert': name => 'bob' }
exec { ['a', 'b']: command => '/bin/true' }
package { 'p1': name => 'p', provider => 'gem' }
package { 'p2': name => 'p', provider => 'apt' }
notify { 'n': require => [File['/tmp/x'], File['temp'], User['bob'], File['/etc/named']] }
File['tmp'] -> Exec['a']
