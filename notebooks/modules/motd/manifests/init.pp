# The message of the day, made of a text and of further lines.
class motd (
  String        $text  = 'from the class',
  Array[String] $lines = [],
) {
  file { '/etc/motd':
    ensure  => file,
    content => epp('motd/motd.epp', { 'text' => $text, 'lines' => $lines }),
  }
}
