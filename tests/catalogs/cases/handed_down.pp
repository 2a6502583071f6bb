define o() { i { "i ${title}": } include k }
define i() { notify { $title: noop => false } @notify { "virtual ${title}": } }
class k { i { 'in k': } }
o { 'top': tag => 't', noop => true, schedule => undef }
define p() { notify { "p ${title}": } contain held }
class held { notify { 'in held': } i { 'held': loglevel => 'debug' } }
p { 'contains': tag => 'deep' }
class staged { i { 'not reached': tag => 'own' } }
class { 'staged': noop => true }
class reached { notify { 'in reached': } }
class { 'reached': noop => true }
contain reached
