# values of all kinds, made by Ruby
Puppet::Functions.create_function(:'kit::giving') do
  dispatch :give do
    param 'String', :kind
  end

  def give(kind)
    {
      'nil' => nil, 'undef' => :undef, 'default' => :default, 'float' => 1.5, 'big' => 2**40,
      'text' => 'äöü', 'nested' => [1, [nil, { 'a' => { 'b' => [] } }]], 'keys' => { 1 => 2, nil => 3, 'a' => nil },
      'range' => (1..3), 'symbols' => { ensure: :present, 'list' => [:a, { b: 1 }] },
      'regexp' => /a.b/i, 'true' => true, 'sensitive' => Puppet::Pops::Types::PSensitiveType::Sensitive.new('secret'),
      'binary' => Puppet::Pops::Types::PBinaryType::Binary.from_base64('aGVsbG8=')
    }.fetch(kind)
  end
end
