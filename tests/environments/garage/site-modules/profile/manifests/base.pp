class profile::base (
  Array[String] $packages,
  Hash[String, Hash] $users = {},
  Optional[String] $role = getvar('::role'),
) {
  include motd
  package { $packages:
    ensure => installed,
  }
  $users.each |$name, $user| {
    user { $name:
      * => { 'ensure' => present } + $user,
    }
  }
  if $role {
    file { '/etc/role':
      content => "${role}\n",
    }
  }
}
