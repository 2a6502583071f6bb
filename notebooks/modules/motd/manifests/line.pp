# A message with a text of its own.
define motd::line (String $text = $title) {
  notify { "line ${text}": }
}
