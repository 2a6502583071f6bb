# only a method of the name
Puppet::Functions.create_function(:'kit::plain') do
  def plain(first, second = 'none', *rest)
    [first, second, rest]
  end
end
