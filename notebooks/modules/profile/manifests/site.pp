# One site of the web server.
define profile::site (
  String            $root,
  Integer[1, 65535] $port = 80,
) {
  file { "/etc/nginx/sites/${title}.conf":
    ensure  => file,
    content => "root ${root}; listen ${port};\n",
    notify  => Service['nginx'],
  }
}
