"""The scenes of the pictures: cells with all kinds of outputs, run once and displayed in every medium."""

from __future__ import annotations

from puppet_kernel.exercises.exercise import Exercise, pack

SMALL = """package { 'nginx': }
-> file { '/etc/nginx/nginx.conf': mode => '0644' }
~> service { 'nginx': ensure => running }"""

THIRTY = """class base {
  package { ['curl', 'vim', 'rsync', 'chrony']: }
  file { '/etc/motd': content => 'welcome' }
  service { 'chrony': ensure => running, require => Package['chrony'] }
}
class web(Array[String] $sites = ['blog', 'shop', 'wiki']) {
  package { 'nginx': }
  file { '/etc/nginx/nginx.conf': mode => '0644', require => Package['nginx'], notify => Service['nginx'] }
  $sites.each |$site| {
    file { "/srv/${site}": ensure => directory, require => Package['nginx'] }
    file { "/etc/nginx/sites-enabled/${site}.conf": require => File["/srv/${site}"], notify => Service['nginx'] }
  }
  service { 'nginx': ensure => running }
}
class database {
  package { 'postgresql': }
  -> file { '/etc/postgresql/postgresql.conf': owner => 'postgres' }
  ~> service { 'postgresql': ensure => running }
  exec { '/usr/bin/createdb shop': require => Service['postgresql'] }
}
class backup {
  cron { 'nightly': command => '/usr/local/bin/backup', hour => 3 }
  file { '/usr/local/bin/backup': mode => '0755' } -> Cron['nightly']
  file { '/var/backups': ensure => directory } -> Cron['nightly']
}
include base, web, database, backup
Class['base'] -> Class['web']
Class['database'] -> Class['web']
Class['database'] -> Class['backup']"""

LARGE = """define site(Integer $port, String $owner = 'www-data') {{
  file {{ "/srv/${{title}}": ensure => directory, owner => $owner }}
  -> file {{ "/srv/${{title}}/index.html": content => "${{title}} at ${{port}}" }}
  file {{ "/etc/nginx/sites-enabled/${{title}}.conf": require => File["/srv/${{title}}"] }}
}}
class nginx {{
  package {{ 'nginx': }} -> service {{ 'nginx': ensure => running }}
}}
class sites {{
  range(1, {sites}).each |$n| {{ site {{ "site-${{n}}.example.com": port => 8000 + $n }} }}
}}
class users {{
  group {{ 'staff': }}
  range(1, {users}).each |$n| {{
    user {{ "learner${{n}}": gid => 'staff', require => Group['staff'] }}
    file {{ "/home/learner${{n}}": ensure => directory, require => User["learner${{n}}"] }}
  }}
}}
class monitoring {{
  range(1, {checks}).each |$n| {{ file {{ "/etc/monitoring/${{n}}.yaml": }} ~> Service['monitor'] }}
  service {{ 'monitor': ensure => running }}
}}
include nginx, users, sites, monitoring
Class['nginx'] -> Class['sites']
Class['users'] -> Class['sites']
Class['sites'] ~> Class['monitoring']"""

CYCLE = """file { '/etc/app.conf': require => Package['app'] }
package { 'app': require => User['app'] }
user { 'app': require => File['/etc/app.conf'] }
notify { 'done': require => Package['app'] }"""

# Each program, and the commands that draw graphs of it by the name of the picture.
PROGRAMS_OF_GRAPHS = (
    (SMALL, {"3": "%graph"}),
    (THIRTY, {"30": "%graph"}),
    (
        LARGE.format(sites=40, users=50, checks=30),
        {
            "300": "%graph",
            "inside": "%graph Class[users]",
            "around": "%graph --around Site['site-7.example.com'] --order",
        },
    ),
    (LARGE.format(sites=300, users=300, checks=190), {"2000": "%graph"}),
    (CYCLE, {"cycle": "%graph"}),
    (f"{SMALL}\nnotify {{ 'later': require => Service['nginx'] }}", {"added": "%graph --changed"}),
)
PROGRAMS = [program for program, _ in PROGRAMS_OF_GRAPHS]
GRAPHS = [name for _, graphs in PROGRAMS_OF_GRAPHS for name in graphs]

# The files beside the notebook.
FILES = {
    "hiera.yaml": "version: 5\nhierarchy:\n  - name: levels\n    paths: [node.yaml, common.yaml]\n",
    "data/node.yaml": "packages: [nginx]\nusers:\n  ann: { shell: /bin/bash }\n",
    "data/common.yaml": "packages: [vim, git]\nusers:\n  ann: { uid: 1000 }\n  bob: { uid: 1001 }\n",
}

EXERCISE = Exercise(
    {
        "name": "sum",
        "ask": "The sum of the ports",
        "checks": [{"value": "$total == 523"}, {"reads": "$doors"}],
        "hints": ["Which function makes one value of many?", "`$doors.reduce |$m, $n| { ____ }`"],
        "solution": "$doors = [80, 443]\n$total = $doors.reduce |$m, $n| { $m + $n }",
        "why": "`reduce` hands on what the block gave for the elements before.",
        "wrong": [{"code": "$doors = [80, 443]\n$total = 523", "says": "Let the program compute it."}],
    }
)

OTHER_CELLS = [
    "42",
    "'a text with \"quotes\" and $dollars'",
    "range(1, 80)",
    "['web01', 'web02'].map |$host| { { 'host' => $host, 'ports' => [80, 443], 'roles' => ['web'], 'ttl' => 0.5 } }",
    "{ 'a' => { 'b' => { 'c' => [1, undef, true, default] } }, 'long' => 'word '.map |$x| { $x } }",
    "[Integer[1, 10], Optional[Enum['a', 'b']], /^web\\d+$/, Sensitive('secret'), Timespan('1-00:00:00')]",
    "Struct[{ 'host' => String[1], Optional['port'] => Integer[1, 65535], 'options' => Hash[String, Array[String]] }]",
    "class web(Array[String] $sites = ['blog', 'shop']) {\n  package { 'nginx': }\n"
    "  -> file { $sites.map |$s| { \"/etc/nginx/${s}.conf\" }: mode => '0644' }\n"
    "  ~> service { 'nginx': ensure => running, enable => true }\n}",
    "include web",
    "File['/etc/nginx/blog.conf'] { mode => '0600' }",
    "notice('served')\ninfo('quietly')\nwarning('the disk is almost full')\nerr('the disk is full')\n1",
    "user { 'deploy': sytem => true }",
    "$ports = [80, 443]\n$sum = $ports.redcue |$a, $b| { $a + $b }",
    'function url(String[1] $server, Integer[1, 65535] $port = 443) >> String { "https://${server}:${port}/" }',
    "url('web01', 'http')",
    "if $facts['os']['family'] == 'Debian' {\n  notify { 'a': }\n",
    "notify { 'web': }\nnotify { 'web': }",
    "$undefined_thing",
    "fail('stop here')",
    "?file",
    "?map",
    "?Integer",
    "?$ports",
    "%explain DUPLICATE_DECLARATION",
    "%why File['/etc/nginx/blog.conf'] mode",
    "%why [1, 'a'] =~ Array[Integer[0, 9]]",
    "%step 1 + 2 * 3 > 6 and 'a' in 'abc'",
    "%both '10' < '9'",
    "%types 42",
    "%types Integer[1, 10]",
    "%functions split",
    "%classes",
    "%diff facts debian-12 rocky-9",
    "%fleet debian-12 redhat-9",
    "%cells",
    "%vars",
    "%catalog",
    "%help",
    "%help graph",
    "%facts os",
    "%facts release",
    "range(1, 4).map |$n| { { 'name' => \"server number ${n}\", 'port' => 8000 + $n, 'roles' => ['web', 'db'] } }",
    "class many { range(1, 30).each |$n| { file { \"/srv/many/${n}\": ensure => file } } package { ['a', 'b']: } }\n"
    "include many",
    "%catalog",
    "%catalog Class[web]",
    "class { 'many': }",
    "$on = $facts['osfamly'] == 'Debian' or 'Ubuntu'",
    "%limits",
    "%dialect",
    "%time range(1, 1000).reduce |$a, $b| { $a + $b }",
    "%format file{'/a':mode=>'0644',ensure=>file}",
    "$family = $facts['os']['family']\n$major = $facts['os']['release']['major']\n"
    "package { 'server': name => $family ? { 'Debian' => 'apache2', default => 'httpd' } }\n"
    "file { '/etc/release': content => \"${family} ${major}\\n\" }\n"
    "if $family == 'RedHat' { service { 'firewalld': ensure => stopped } }",
    "%diff facts debian-12 rocky-9",
    "%fleet debian-11 debian-12 rocky-9",
    "%fleet File['/etc/release']",
    "%whatif os.family=RedHat",
    "%why Package['server'] name",
    "%why Class[web] sites",
    "%why case $family { 'RedHat': { 'dnf' } /^deb/: { 'small' } default: { 'apt' } }",
    "%why join('a', 2)",
    "%why url('web01', 443)",
    "%why node",
    "%step [1, 2, 3].map |$n| { $n * 2 + 1 }",
    "%step if $family == 'Debian' { \"apt ${1 + 2}\" } else { 'dnf' }",
    "%hiera hiera.yaml",
    "%lookup packages",
    "%lookup users deep",
    "%lookup nobody",
    "%explain UNKNOWN_FUNCTION",
    "%facts",
    f"%check sum\n{pack(EXERCISE)}",
    "# sum\n$doors = [80, 443]\n$total = 523",
    f"%check sum\n{pack(EXERCISE)}",
    "%hint sum",
    "# sum 2\n$more = 1",
    "%solution sum --now",
    "%exercises",
    "%undo",
    "%break",
    "file { '/etc/motd': ensure => file, mode => 0644 }\nservice { 'chrony': ensure => runing }",
    "notify { 'p': require => Notify['q'] }\nnotify { 'q': require => Notify['p'] }",
    "realize Notify['nowhere']",
    "if 'false' { notice('so') }",
    "$my-var = 1",
    "for $i in [1, 2] { notice($i) }",
    "include ntpp",
    "[1, 2].map |$n| { $n + 'a' }",
]


def list_cells() -> list[str]:
    """Return the cells of one notebook; each program of graphs has a new session."""
    cells_of_graphs = [
        cell for program, graphs in PROGRAMS_OF_GRAPHS for cell in ("%reset", program, *graphs.values())
    ]
    return [*cells_of_graphs, "%reset", *OTHER_CELLS]
