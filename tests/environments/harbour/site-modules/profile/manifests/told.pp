# What the data says, key by key.
class profile::told {
  $keys = ['motto', 'colours', 'flag', 'alias', 'ports', 'dotted.inner.1.one', 'zone', 'team', 'only_b', 'computed',
    'duties', 'generated', 'berths', 'missing']
  $keys.each |$key| {
    notify { "site::${key}":
      message => lookup("site::${key}", { default_value => 'nothing' }),
    }
  }
  notify { 'teams':
    message => [lookup('site::team', Array, 'unique'), lookup({ name => 'site::duties', merge => 'unique', default_value => [] })],
  }
  notify { 'trusted':
    message => [$trusted['extensions'], $trusted['hostname'], $trusted['authenticated'], $server_facts['environment']],
  }
  notify { 'system':
    message => "${facts['os']['name']} ${::facts['os']['release']['major']} ${::osfamily} ${height} ${::system}",
  }
}
