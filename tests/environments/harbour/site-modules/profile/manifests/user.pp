define profile::user(
  Integer $uid,
  Array[String] $groups  = [],
  String $shell          = '/bin/sh',
  Boolean $virtual       = false,
  Stdlibless::Home $home = "/home/${name}",
) {
  if $virtual {
    @user { $title: uid => $uid }
  } else {
    user { $title:
      uid    => $uid,
      shell  => $shell,
      home   => $home,
      groups => unique($groups),
    }
    -> file { $home:
      ensure => directory,
      owner  => $title,
      mode   => '0700',
    }
  }
}
