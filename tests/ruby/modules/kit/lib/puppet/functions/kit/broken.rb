Puppet::Functions.create_function(:'kit::broken') do
  def broken(
end
