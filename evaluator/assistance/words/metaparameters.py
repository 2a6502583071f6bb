"""Words about the metaparameters, the attributes that every resource has."""

WORDS = {
    "require": """
        require => Type['title']

        The resource, or the resources of the array, are applied before this one. If one of them fails, this one is
        skipped. `->` says the same from outside.

        > package { 'ntp': }
        > file { '/etc/ntp.conf': require => Package['ntp'] }
        [File['/etc/ntp.conf']]
    """,
    "before": """
        before => Type['title']

        This resource is applied before the other one, or the others of the array: `require` seen from the other
        side.

        > notify { 'second': }
        > notify { 'first': before => Notify['second'] }
        [Notify['first']]
    """,
    "notify": """
        notify => Type['title']

        As `before`, and when this resource is changed, the other one is notified: a service restarts, an `exec` with
        `refreshonly` runs. `~>` says the same from outside.

        > service { 'ntp': }
        > file { '/etc/ntp.conf': notify => Service['ntp'] }
        [File['/etc/ntp.conf']]
    """,
    "subscribe": """
        subscribe => Type['title']

        As `require`, and when the other resource is changed, this one is notified: `notify` seen from the other side.

        > file { '/etc/ntp.conf': }
        > service { 'ntp': subscribe => File['/etc/ntp.conf'] }
        [Service['ntp']]
    """,
    "alias": """
        alias => 'name'

        A second title by which references find the resource.

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

        The level of the messages about what is done to the resource.

        > notify { 'a': loglevel => debug }
        > Notify['a']['loglevel']
        'debug'
    """,
    "noop": """
        noop => true

        Tells what would be done to the resource, and does it not.

        > notify { 'a': noop => true }
        > Notify['a']['noop']
        true
    """,
    "schedule": """
        schedule => 'name'

        The resource is applied only in the times of the `schedule` of that title.

        > schedule { 'night': range => '2 - 4' }
        > notify { 'a': schedule => 'night' }
        > Notify['a']['schedule']
        'night'
    """,
    "stage": """
        class { 'name': stage => 'name' }

        The run stage in which a class is applied; `main` is the usual one. Stages are resources with relationships
        between them.

        > stage { 'early': before => Stage['main'] }
        > class repos { }
        > class { 'repos': stage => 'early' }
        > Class['repos']['stage']
        'early'
    """,
    "tag": """
        tag => ['name', …]

        Tags besides those that the resource gets from its type, its title and the classes that contain it. A
        collector can ask for them.

        > @notify { 'a': tag => 'night' }
        > Notify <| tag == 'night' |>
        > defined(Notify['a'])
        true
    """,
}
