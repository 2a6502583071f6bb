Puppet::Functions.create_function(:'kit::late') do
  dispatch :f do
    optional_param 'Integer', :a
    param 'Integer', :b
  end
  def f(a, b); end
end
