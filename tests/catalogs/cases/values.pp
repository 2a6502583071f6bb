# Values of attributes, and how the catalog writes them.
notify { 'scalar': message => [undef, 1, 2.5, true, 'text', -0.0, 1.0e20] }
notify { 'nested': message => { 'a' => [1, [2, { 'b' => undef }]], 3 => 4 } }
notify { 'types': message => [/a.b/, default, Integer, Optional[String]] }
notify { 'references': message => [File['/x'], { 'k' => Class['some::class'] }] }
notify { 'untitled': message => Notify }
notify { 'absent': message => undef, tag => [] }
