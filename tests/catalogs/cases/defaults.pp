# Resource defaults follow the scopes that caused the evaluation, and count from where they stand.
notify { 'before': }
Notify { message => 'top' }
class child { notify { 'child': } }
class parent { Notify { withpath => true } include child notify { 'parent': message => 'own' } }
class base { Notify { message => 'base' } }
class derived inherits base { notify { 'derived': } }
define thing { notify { "thing-${title}": } }
include parent, derived
thing { 'x': }
notify { 'unset': message => undef }
Thing { noop => true }
thing { 'y': }
Notify { tag => 'late' }
notify { 'b': }
Notify['b'] { message => 'overridden default' }

# the outer defaults first, each with its innermost value
Tidy { noop => true, age => '1d', loglevel => 'debug' }
class inner_defaults {
  Tidy { age => '2d', backup => false }
  tidy { '/tidied': recurse => true }
}
include inner_defaults

# what a `default:` body gives stands first, in its order
file {
  '/first': owner => 'a', group => 'b';
  default: ensure => directory, mode => '0755', owner => 'c';
  ['/second', '/third']: mode => '0700', recurse => true;
}
