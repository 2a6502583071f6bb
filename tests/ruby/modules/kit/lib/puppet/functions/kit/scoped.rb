# scope
Puppet::Functions.create_function(:'kit::scoped', Puppet::Functions::InternalFunction) do
  dispatch :scoped do
    scope_param
    param 'String', :name
  end

  def scoped(scope, name)
    [scope[name], scope.lookupvar("::#{name}"), scope.include?(name), scope.exist?(name), closure_scope[name]]
  end
end
