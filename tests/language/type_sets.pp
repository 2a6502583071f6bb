# dialect: puppet
type S = TypeSet[{pcore_version => '1.0.0', version => '2.0.0', types => {A => Integer, B => A, C => Array[B]}}]
S  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', version => '2.0.0', types => {A => Integer, B => Integer, C => Array[Integer]}}]
type(S)  #=> Type[TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', version => '2.0.0', types => {A => A, B => B, C => C}}]]
[S =~ TypeSet, S =~ Type[TypeSet], S <= TypeSet, TypeSet <= S]  #=> [true, true, true, false]
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => Object[{attributes => {x => Integer}}], B => {parent => A}}}]
S  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', types => {A => Object[{attributes => {'x' => Integer}}], B => Object[{parent => A}]}}]
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => Array[A]}}]
S  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', types => {A => Array[A]}}]
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => B, B => A}}]
S  ### Error while evaluating a Type-Name, Type alias 'S::A' cannot be resolved to a real type
---
type S = TypeSet[{version => '1.0.0', types => {}}]
S  ### Error while evaluating a Type-Name,  TypeSet initializer has wrong type, expects a value for key 'pcore_version'\n  TypeSet initializer has wrong type, entry 'types' expects size to be at least 1, got 0
---
type S = TypeSet[{pcore_version => '2.0.0'}]
S  ### Error while evaluating a Type-Name, The pcore version for TypeSet 'S' is not understood by this runtime. Expected range 1.x, got 2.0.0
---
type S = TypeSet[{pcore_version => '1.0.0', version => 'x'}]
S  ### Error while evaluating a Type-Name, Unable to parse 'x' as a semantic version identifier
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => 1}}]
S  ### Error while evaluating a Type-Name, The expression <1> is not a valid type specification.
---
type S = TypeSet[{pcore_version => '1.0.0', version => '2.0.0'}]
type T = TypeSet[{pcore_version => '1.0.0', references => {S => {name => 'S', version_range => '2.x'}}}]
T  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'T', references => {S => {'name' => 'S', 'version_range' => '2.x'}}}]
---
type S = TypeSet[{pcore_version => '1.0.0', version => '2.0.0'}]
type T = TypeSet[{pcore_version => '1.0.0', references => {S => {name => 'S', version_range => '1.x'}}}]
T  ### Error while evaluating a Type-Name, TypeSet 'T' reference to TypeSet named 'S' resolves to an incompatible version. Expected 1.x, got 2.0.0
---
type S = TypeSet[{pcore_version => '1.0.0', references => {X => {name => 'Y', version_range => '1.x'}}}]
S  ### Error while evaluating a Type-Name, TypeSet 'S' reference to TypeSet named 'Y' cannot be resolved
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => Integer}, references => {A => {name => 'Y', version_range => '1.x'}}}]
S  ### Error while evaluating a Type-Name, TypeSet 'S' references a TypeSet using alias 'A'. The alias collides with the name of a declared type
---
TypeSet[{name => 'S', version => SemVer('1.0.0'), pcore_version => '1.0.0', types => {'A' => Integer}}]  #=> TypeSet[{pcore_version => '1.0.0', name => 'S', version => '1.0.0', types => {A => Integer}}]
TypeSet['Foo']  #=> TypeSet[{pcore_version => '', name => 'Foo'}]
TypeSet[{name => 's', pcore_version => '1.0.0'}]  ### Error while evaluating a '[]' expression, TypeSet initializer has wrong type, entry 'name' expects a match for Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/], got 's'
---
# Members by name, once the set has been used

type Shop = TypeSet[{ pcore_version => '1.0.0', types => { Item => { attributes => { price => Port } }, Port => Integer[1, 9] } }]
Shop =~ Type[TypeSet]                #=> true
Shop::Item(5).price                  #=> 5
Shop::Item(5)                        #=> Shop::Item({'price' => 5})
10 =~ Shop::Port                     #=> false
function f(Shop::Item $x) { $x.price }
f(Shop::Item(4))                     #=> 4
Shop::Nope                           ### Resource type not found: Shop::Nope
---
type Shop = TypeSet[{ pcore_version => '1.0.0', types => { Item => Integer } }]
Shop::Item                           ### Resource type not found: Shop::Item
---
# Short forms, and a parent of the set

type Zoo = TypeSet {
  pcore_version => '1.0.0',
  version => '0.1.0',
  types => {
    Animal => Object { attributes => { name => String } },
    Dog => Animal { attributes => { breed => String } },
  },
}
Zoo                                  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'Zoo', version => '0.1.0', types => {Animal => Object[{attributes => {'name' => String}}], Dog => Object[{parent => Animal, attributes => {'breed' => String}}]}}]
Zoo::Dog('Rex', 'collie')            #=> Zoo::Dog({'name' => 'Rex', 'breed' => 'collie'})
Zoo::Dog('Rex', 'collie') =~ Zoo::Animal   #=> true
---
# dialect: spec
type Net = TypeSet[{ pcore_version => '1.0.0', types => { Port => Integer[1, 9], Item => Object { attributes => { n => Port } } } }]
Net =~ Type[TypeSet]                 #=> true
[9 =~ Net::Port, 10 =~ Net::Port]    #=> [true, false]
Net::Item(5).n                       #=> 5
---
# dialect: both
# Types of another set, under the alias of the reference, which may stand behind

type Cars = TypeSet[{ pcore_version => '1.0.0', version => '1.2.0', types => { Car => { attributes => { reg => String } }, Wheels => Integer[2, 8] } }]
type Shop = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.0.0',
  types => { Sale => { attributes => { car => C::Car, wheels => C::Wheels } }, Fast => C::Car { attributes => { speed => Integer } } },
  references => { C => { name => 'Cars', version_range => '1.x' } },
}]
[Cars, Shop].map |$set| { $set =~ Type[TypeSet] }   #=> [true, true]
Shop::Sale(Cars::Car('abc'), 4).car.reg  #=> 'abc'
Shop::Fast('abc', 100) =~ Cars::Car  #=> true
---
type S = TypeSet[{pcore_version => '1.0.0', types => {A => Object[{attributes => {x => Integer}}], B => Array[A], C => {parent => A, attributes => {y => B}}, D => Optional[B]}}]
S  #=> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', types => {A => Object[{attributes => {'x' => Integer}}], B => Array[Object[{attributes => {'x' => Integer}}]], C => Object[{parent => A, attributes => {'y' => B}}], D => Optional[Array[Object[{attributes => {'x' => Integer}}]]]}}]
S::B  #=> S::B = Array[Object[{name => 'S::A', attributes => {'x' => Integer}}]]
S::C  #=> Object[{name => 'S::C', parent => S::A, attributes => {'y' => S::B}}]
S::D  #=> S::D = Optional[S::B = Array[Object[{name => 'S::A', attributes => {'x' => Integer}}]]]
