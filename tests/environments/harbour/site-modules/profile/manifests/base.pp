# @summary What every machine gets.
#
# @param packages  to be installed
# @param motd      the message of the day
# @param limits    of the system
class profile::base(
  Array[String[1]] $packages,
  String $motd,
  Profile::Limits $limits,
  Optional[String] $zone = lookup('site::zone', { default_value => undef }),
) {
  package { $packages: }
  file { '/etc/motd':
    content => epp('profile/motd.epp', { text => $motd, zone => $zone }),
    tag     => ['motd', 'profile::text'],
  }
  $lines = $limits.map |$name, $value| { "${name} = ${value}" }
  file { '/etc/limits.conf':
    content => @("END"/L),
      # ${lookup('site::motto')}
      ${lines.join("\n")}
      |- END
    mode    => '0600',
  }
  class { 'profile::clock': stage => early }
  schedule { 'night': range => '2 - 4' }
}
