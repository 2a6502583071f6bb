# What every machine has.
class role {
  contain profile::base
  include profile::users
  include profile::told
}
