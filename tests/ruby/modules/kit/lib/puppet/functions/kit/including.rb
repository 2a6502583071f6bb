Puppet::Functions.create_function(:'kit::including') do
  dispatch :include_it do
    param 'String', :name
  end

  def include_it(name)
    call_function('include', name)
    call_function('defined', "Class[#{name}]")
    nil
  end
end
