class role::web inherits role {
  include profile::web
  include profile::monitored
  Class['profile::base'] -> Class['profile::web']
}
