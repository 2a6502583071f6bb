# What every machine has.
class profile::base (
  Array[String] $packages = ['vim'],
) {
  package { $packages: ensure => installed }

  file { '/etc/motd':
    ensure  => file,
    content => "managed: ${facts['networking']['hostname']}\n",
  }
}
