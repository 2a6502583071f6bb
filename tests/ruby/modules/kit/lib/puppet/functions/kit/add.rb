# required and optional parameters, and the type of what is returned
Puppet::Functions.create_function(:'kit::add') do
  dispatch :add do
    param 'Integer', :a
    optional_param 'Integer[0]', :b
    return_type 'Integer'
  end

  def add(a, b = 1)
    b == 13 ? 'unlucky' : a + b
  end
end
