class profile::web(
  String $service,
  String $user,
  Hash[String, Struct[{ root => String, port => Integer, aliases => Optional[Array[String]] }]] $sites,
  Hash $limits = {},
) {
  package { $service: }
  ~> service { $service:
    ensure => running,
    enable => true,
  }
  $sites.each |$name, $site| {
    profile::web::site { $name:
      user => $user,
      *    => $site,
    }
  }
  create_resources('profile::web::site', { 'status' => { port => 8081 } }, { root => '/srv/status', user => 'nobody' })
  Profile::Web::Site <| |> ~> Service[$service]
  File <| tag == 'site' |> { group => $user }
  @@profile::target { "web ${trusted['certname']}":
    port => $sites['main']['port'],
    tag  => 'web',
  }
}
