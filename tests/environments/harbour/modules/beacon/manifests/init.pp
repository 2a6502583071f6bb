class beacon(
  Hash $lights,
  Beacon::Seconds $interval,
  String $backed,
  Enum['on', 'off'] $state = beacon_state($interval),
) {
  $lights.each |$colour, $light| {
    beacon_lamp { "mast/${colour}":
      ensure => $state,
      power  => $light['power'],
    }
  }
  $told = beacon::each_word("${backed} ${state}") |$word, $index| { "${index}:${word}" }
  notify { 'beacon':
    message => "${told} ${beacon::shout('ahoy', 2)} ${beacon::nightly($interval)}",
  }
}
