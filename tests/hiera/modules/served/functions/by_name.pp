function served::by_name($key, $options, $context) {
  case $key {
    'served::greeting': { $options['greeting'] }
    'served::filled': { $context.interpolate('%{facts.os.family}') }
    'served::module': { "${context.module_name} in ${context.environment_name}" }
    'served::kept': { $context.cache('x', 5) $context.cached_value('x') + 1 }
    'served::undef': { undef }
    'served::entries': { $context.cache_all({ 'y' => 1 }) [$context.cache_has_key('y'), $context.cache_has_key('z')] }
    default: { $context.not_found }
  }
}
