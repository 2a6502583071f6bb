# What holds for every node.
$harbour = lookup('site::name', String)
$system = $facts['os']['family'] ? {
  'Debian' => 'deb',
  'RedHat' => 'rpm',
  default  => 'other',
}
File { owner => 'root', mode => '0644' }
Package { ensure => installed }
stage { 'early': before => Stage['main'] }

node default {
  include role
}
