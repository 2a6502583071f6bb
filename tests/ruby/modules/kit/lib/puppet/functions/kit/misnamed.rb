Puppet::Functions.create_function(:'kit::other') do
  def other; end
end
