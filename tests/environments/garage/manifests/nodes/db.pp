node /^db/ {
  include role::database
  Class['profile::base'] -> Class['profile::database']
}
