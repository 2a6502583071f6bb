class motd (
  Motd::Text $text,
) {
  file { '/etc/motd':
    content => motd::framed($text),
  }
}
