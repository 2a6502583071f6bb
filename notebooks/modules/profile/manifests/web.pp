# A web server and its sites.
class profile::web (
  Integer            $port  = 80,
  Hash[String, Hash] $sites = {},
) {
  package { 'nginx': ensure => installed }

  file { '/etc/nginx/nginx.conf':
    ensure  => file,
    content => "listen ${port};\n",
  }

  service { 'nginx':
    ensure => running,
    enable => true,
  }

  Package['nginx'] -> File['/etc/nginx/nginx.conf'] ~> Service['nginx']

  $sites.each |$name, $options| {
    profile::site { $name: * => $options }
  }
}
