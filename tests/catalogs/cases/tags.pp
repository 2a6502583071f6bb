# Tags: own, of the type, of the title, of what contains, of what included first.
class a::b { tag 'early' notify { 'Foo::Bar baz': tag => ['X', 'y'] } include c tag 'late' a::d { 'Title::Part': } }
define a::d { notify { '/path': } include e }
class c { notify { ['ok-name_1', '-no', '9', 'é']: } }
class e { notify { 'e': } }
class { 'a::b': tag => 'given' }
tag 'everywhere', ['and', 'more']

# a reference is no tag
notify { 'tagged by a reference': tag => Notify['nowhere'] }
