# Run stages: a class goes where it is told, and takes along what it includes.
stage { 'pre': before => Stage['main'] }
class first { notify { 'first': } contain second }
class second { notify { 'second': } }
class { 'first': stage => 'pre' }
class third { notify { 'third': } }
include third
Stage['main'] -> stage { 'post': }
