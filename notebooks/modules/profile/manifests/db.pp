# A database server.
class profile::db (
  Enum['postgresql', 'mariadb'] $engine = 'postgresql',
) {
  package { "${engine}-server": ensure => installed }
  -> service { $engine: ensure => running }
}
