Puppet::Functions.create_function(:'kit::fixed') do
  def fixed(first, second = 'none')
    [first, second]
  end
end
