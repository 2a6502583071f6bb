define vhost(Integer $port, String $root = '/srv') {
  notify { "vhost-${title}": message => "${name} at ${root}:${port}" }
}
Integer[1, 4000].each |$n| { vhost { "site${n}": port => $n } }
