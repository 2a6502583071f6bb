node 'web1.example.com', /^web\d+\.staging/ {
  include role::web
}
