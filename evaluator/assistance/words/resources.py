"""The reference of metaparameters, and an example for each type in `resource_types`.

`evaluator.assistance.words` describes the paragraphs of an entry.
"""

WORDS = {
    "require": """
        require => Type['title']

        The resource, or the resources of the array, are applied before this one. If one of them fails, this one is
        skipped. The arrow `->` outside of the resource has the same effect.

        > package { 'ntp': }
        > file { '/etc/ntp.conf': require => Package['ntp'] }
        [File['/etc/ntp.conf']]
    """,
    "before": """
        before => Type['title']

        This resource is applied before the other one, or before the others of the array. It is the inverse of
        `require`.

        > notify { 'second': }
        > notify { 'first': before => Notify['second'] }
        [Notify['first']]
    """,
    "notify": """
        notify => Type['title']

        Like `before`, and if this resource is changed, the other one is notified: a service restarts, an `exec` with
        `refreshonly` runs. The arrow `~>` outside of the resource has the same effect.

        > service { 'ntp': }
        > file { '/etc/ntp.conf': notify => Service['ntp'] }
        [File['/etc/ntp.conf']]
    """,
    "subscribe": """
        subscribe => Type['title']

        Like `require`, and if the other resource is changed, this one is notified. It is the inverse of `notify`.

        > file { '/etc/ntp.conf': }
        > service { 'ntp': subscribe => File['/etc/ntp.conf'] }
        [Service['ntp']]
    """,
    "alias": """
        alias => 'name'

        A second title, by which references can find the resource.

        > file { '/etc/ssh/sshd_config': alias => 'sshd' }
        > File['/etc/ssh/sshd_config']['alias']
        'sshd'
    """,
    "audit": """
        audit => [attribute, …]
        audit => all

        Attributes whose changes are reported, but not undone.

        > file { '/etc/hosts': audit => 'content' }
        > File['/etc/hosts']['audit']
        'content'
    """,
    "loglevel": """
        loglevel => debug | info | notice | warning | err | alert | emerg | crit

        The level of the messages about changes to the resource.

        > notify { 'a': loglevel => debug }
        > Notify['a']['loglevel']
        'debug'
    """,
    "noop": """
        noop => true

        Reports what would be changed in the resource, without changing it.

        > notify { 'a': noop => true }
        > Notify['a']['noop']
        true
    """,
    "schedule": """
        schedule => 'name'

        The resource is applied only during the times of the `schedule` with that title.

        > schedule { 'night': range => '2 - 4' }
        > notify { 'a': schedule => 'night' }
        > Notify['a']['schedule']
        'night'
    """,
    "stage": """
        class { 'name': stage => 'name' }

        The run stage in which a class is applied; `main` is the default. Stages are resources with relationships
        between them.

        > stage { 'early': before => Stage['main'] }
        > class repos { }
        > class { 'repos': stage => 'early' }
        > Class['repos']['stage']
        'early'
    """,
    "tag": """
        tag => ['name', …]

        Tags in addition to those that the resource gets from its type, its title and the classes that contain it. A
        collector can search for them.

        > @notify { 'a': tag => 'night' }
        > Notify <| tag == 'night' |>
        > defined(Notify['a'])
        true
    """,
}

EXAMPLES = {
    "anchor": "anchor { 'ntp::begin': before => Class['ntp::install'] }",
    "augeas": """augeas { 'sshd: no root':
  context => '/files/etc/ssh/sshd_config',
  changes => 'set PermitRootLogin no',
}""",
    "cron": """cron { 'backup':
  command => '/usr/local/bin/backup',
  user    => 'root',
  hour    => 2,
  minute  => fqdn_rand(60),
}""",
    "exec": """exec { 'update-index':
  command     => 'apt-get update',
  path        => ['/usr/bin', '/bin'],
  refreshonly => true,
}""",
    "file": """file { '/etc/motd':
  ensure  => file,
  owner   => 'root',
  mode    => '0644',
  content => "Welcome\\n",
}""",
    "file_line": """file_line { 'sudo for admins':
  path => '/etc/sudoers',
  line => '%admin ALL=(ALL) ALL',
}""",
    "filebucket": "filebucket { 'main': path => '/var/backups/puppet' }",
    "group": "group { 'www': ensure => present, gid => 80 }",
    "host": "host { 'db.example.com': ip => '10.0.0.5', host_aliases => ['db'] }",
    "mailalias": "mailalias { 'root': recipient => 'admin@example.com' }",
    "mount": """mount { '/srv':
  ensure  => mounted,
  device  => '/dev/sdb1',
  fstype  => 'ext4',
  options => 'defaults',
}""",
    "notify": "notify { 'hello': message => 'seen when the catalog is applied' }",
    "package": "package { 'ntp': ensure => installed }",
    "resources": "resources { 'cron': purge => true }",
    "schedule": "schedule { 'night': range => '2 - 4', period => daily }",
    "selboolean": "selboolean { 'httpd_can_network_connect': value => on, persistent => true }",
    "selmodule": "selmodule { 'mymodule': ensure => present, syncversion => true }",
    "service": """service { 'ntp':
  ensure    => running,
  enable    => true,
  subscribe => File['/etc/ntp.conf'],
}""",
    "ssh_authorized_key": """ssh_authorized_key { 'ann@laptop':
  user => 'ann',
  type => 'ssh-ed25519',
  key  => 'AAAAC3NzaC1lZDI1NTE5AAAAI…',
}""",
    "sshkey": "sshkey { 'git.example.com': type => 'ssh-ed25519', key => 'AAAAC3NzaC1lZDI1NTE5…' }",
    "stage": "stage { 'early': before => Stage['main'] }",
    "tidy": "tidy { '/tmp': age => '1w', recurse => true }",
    "user": """user { 'ann':
  ensure     => present,
  groups     => ['www'],
  shell      => '/bin/bash',
  managehome => true,
}""",
    "component": "component { 'parts': }",
    "whit": "whit { 'done': }",
}
