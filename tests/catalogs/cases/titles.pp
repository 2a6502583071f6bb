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
