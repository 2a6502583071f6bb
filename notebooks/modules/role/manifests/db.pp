# A machine that holds the data.
class role::db {
  include profile::base
  contain profile::db

  Class['profile::base'] -> Class['profile::db']
}
