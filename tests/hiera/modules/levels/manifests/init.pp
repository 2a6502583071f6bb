class levels($port, $name_of = 'default', Sensitive[String] $hidden = Sensitive('none'), Integer $number = 0) {
  notify { "port ${port}, ${name_of}, ${number}": }
}
