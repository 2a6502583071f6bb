class profile::database(
  Integer $number,
  Sensitive[String] $password,
  Optional[Hash] $limits = undef,
) {
  $first = $number ? {
    1       => true,
    default => false,
  }
  file { '/etc/database.secret':
    content   => $password,
    show_diff => false,
  }
  if $first {
    notify { 'first': message => Sensitive("of ${password.unwrap.length} letters") }
  } elsif $number > 1 {
    notify { "follows db${$number - 1}": }
  }
  beacon_lamp { "db/${number}":
    ensure => present,
    colour => lookup('site::alias')['sea'],
  }
  file { '/etc/database.deferred':
    content => Deferred('sprintf', ['%s', $number]),
  }
}
