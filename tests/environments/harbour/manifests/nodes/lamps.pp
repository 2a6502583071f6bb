node 'lamp.harbour.example', 'beacon.harbour.example' {
  $height = 12
  include role::web
  notify { 'height': message => "${height} m at ${harbour}, ${system}" }
}
