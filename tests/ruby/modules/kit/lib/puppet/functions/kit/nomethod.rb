Puppet::Functions.create_function(:'kit::nomethod') do
  def another; end
end
