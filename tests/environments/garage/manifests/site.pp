# What every node has; the nodes themselves stand in nodes/.
File { owner => 'root', mode => '0644' }

$garage = lookup('garage::name')
notice("${environment}: ${trusted['certname']} of ${garage}")

node default {
  notify { "nobody knows ${trusted['certname']}": }
}

function greeting(String $who) >> String {
  "Welcome to ${who}"
}
