# resources
Puppet::Functions.create_function(:'kit::declaring', Puppet::Functions::InternalFunction) do
  dispatch :declare do
    scope_param
    param 'String', :title
  end

  def declare(scope, title)
    call_function('create_resources', 'notify', { title => { 'message' => 'created' } })
    scope.call_function('create_resources', ['notify', { "#{title} too" => {} }, { 'message' => 'given' }])
    found = scope.findresource("Notify[#{title}]")
    [found.to_s, found['message'], scope.findresource('Notify[none]').nil?, scope.catalog.resource('Notify', title).ref]
  end
end
