# Defines: bodies run late, metaparameters pass to what they contain, classes inside do not belong to them.
define outer($a, $b = $a + 1) {
  notify { "outer-${title}": message => "${a} ${b} ${name}" }
  inner { "${title}-inner": loglevel => 'debug' }
  include shared
}
define inner { notify { "n-${title}": } tag 'inside' }
class shared { notify { 'shared': } }
outer { 'x': a => 1, noop => true, schedule => 'daily' }
outer { 'y': a => 2, b => 5, require => Outer['x'] }
notify { 'after': require => Outer['y'] }
schedule { 'daily': }
