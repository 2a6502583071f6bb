include ntp

Integer[1, 20].each |$n| {
  file { "/srv/app/part${n}.conf":
    ensure  => file,
    mode    => '0644',
    owner   => 'root',
    content => "host ${facts['networking']['hostname']}\nfamily ${facts['os']['family']}\nnumber ${n}\n",
    require => Class['ntp'],
  }
}
