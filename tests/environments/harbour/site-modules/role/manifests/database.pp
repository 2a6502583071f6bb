class role::database(Integer[1] $number) inherits role {
  class { 'profile::database':
    number  => $number,
    require => Class['profile::base'],
  }
  contain profile::monitored
}
