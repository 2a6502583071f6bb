# How long a night is lit.
function beacon::nightly(Beacon::Seconds $interval) >> String {
  $count = 36000 / $interval
  "${count} times"
}
