Puppet::Functions.create_function(:'kit::badtype') do
  dispatch :f do
    param 'Integer[', :a
  end
  def f(a); end
end
