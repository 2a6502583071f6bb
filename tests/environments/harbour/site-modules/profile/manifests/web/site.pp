define profile::web::site(String $root, Integer $port, String $user, Array[String] $aliases = []) {
  tag('site')
  $config = "/etc/sites/${title}.conf"
  file { $root:
    ensure => directory,
    owner  => $user,
  }
  file { $config:
    content => template('profile/site.erb'),
    require => File[$root],
  }
  if !defined(File['/etc/sites']) {
    file { '/etc/sites': ensure => directory }
  }
}
