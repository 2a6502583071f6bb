define profile::target(Integer $port, String $of = $name.split(' ')[1]) {
  file { "/etc/targets/${of}":
    content => "${of}:${port}\n",
    tag     => 'target',
  }
}
