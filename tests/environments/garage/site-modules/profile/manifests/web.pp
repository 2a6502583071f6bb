class profile::web (
  Integer[1, 65535] $port,
  String $service = 'nginx',
) {
  $sites = lookup('sites', { 'merge' => 'deep', 'default_value' => {} })
  package { $service: }
  -> service { $service:
    ensure => running,
  }
  $sites.each |$site, $settings| {
    profile::site { $site:
      * => $settings,
    }
  }
}
