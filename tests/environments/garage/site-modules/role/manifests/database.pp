class role::database {
  contain profile::base
  contain profile::database
}
