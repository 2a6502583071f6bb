class profile::monitored {
  Profile::Target <<| tag == 'web' |>> {
    notify => Exec['reload monitoring'],
  }
  exec { 'reload monitoring':
    command     => '/usr/bin/monitor reload',
    refreshonly => true,
  }
  include beacon
}
