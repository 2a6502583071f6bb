stage { 'early': before => Stage['main'] }
stage { 'late': require => Stage['main'] }
class repos($stage = 'early') { notify { 'repos': } include keys }
class keys { notify { 'keys': } }
include repos
class reports($stage = 'early') { notify { 'reports': } }
class { 'reports': stage => 'late' }
class site { class { 'cleanup': stage => 'late' } include usual }
class cleanup { contain inner file_of { 'x': } }
class inner { notify { 'inner': } }
class usual { notify { 'usual': } }
define file_of() { include other }
class other { notify { 'other': } }
include site
