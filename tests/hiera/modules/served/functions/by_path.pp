function served::by_path($path, $options, $context) {
  if $path[0] == 'served::deep' { $path.join('/') } else { $context.not_found }
}
