# Titles: arrays, nested arrays, several bodies, local defaults.
notify { ['a', ['b', ['c']]]: message => 'same' }
notify { 'd': ; 'e': message => $title, ; }
notify {
  default: message => 'local', withpath => true;
  'f': ;
  'g': message => 'own';
  ['h', 'i']: message => undef;
}
notify { []: }
NOTIFY { 'j': }
Resource['notify'] { 'k': * => { 'message' => 'spread' }, noop => true }

# what the title stands for comes first, unless it says the same
notify { 'title': message => 'm', name => 'name' }
notify { 'same': message => 'm', name => 'same' }
file { '/same': mode => '0644', path => '/same' }
file { 'other': mode => '0644', path => '/other' }
exec { 'run': path => '/bin', command => 'true' }
define named($x) { }
named { 'named': name => 'named', x => 1 }
