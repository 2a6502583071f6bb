Puppet::Functions.create_function(:'kit::set', Puppet::Functions::InternalFunction) do
  dispatch :set do
    param 'String', :name
    scope_param
    param 'Any', :value
  end

  def set(name, scope, value)
    scope.setvar(name, value)
    scope[name]
  end
end
