class base { notify { 'base one': } include child
  notify { 'base two': } }
class child inherits base { notify { 'child': } }
include child
class up { require down
  notify { 'up': } }
class down($x = 5) inherits up { notify { "down ${x}": } }
class { 'down': x => 6 }
class a { include b }
class b inherits a { include c }
class c inherits b { notify { 'c': } }
include c
