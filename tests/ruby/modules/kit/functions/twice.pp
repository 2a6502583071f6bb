function kit::twice($x) {
  kit::add($x, $x)
}
