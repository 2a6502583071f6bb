function served::all($options, $context) {
  { 'served::hash' => '%{facts.os.family}', 'elsewhere' => 1 }
}
