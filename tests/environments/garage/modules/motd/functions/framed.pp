function motd::framed(Motd::Text $text) {
  epp('motd/motd.epp', { 'text' => $text, 'welcome' => $::welcome })
}
