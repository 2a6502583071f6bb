# A text in capitals, with an exclamation mark.
function motd::shout(String $s) >> String {
  "${s.upcase}!"
}
