define profile::site (
  String $root,
  Boolean $tls = false,
) {
  file { "/etc/sites/${title}.conf":
    content => "root ${root}; tls ${tls}; port ${profile::web::port}",
    notify  => Service[$profile::web::service],
  }
}
