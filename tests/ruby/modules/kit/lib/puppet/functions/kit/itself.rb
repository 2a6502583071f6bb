# a `call` of its own, which gets the scope
Puppet::Functions.create_function(:'kit::itself') do
  dispatch :itself do
    param 'Any', :scope
    param 'String', :text
    repeated_param 'Any', :rest
  end

  def call(scope, *given)
    self.class.dispatcher.dispatch(self, scope, [scope] + given)
  end

  def itself(scope, text, *rest)
    [text, rest, scope['role'], scope.send('function_kit_old', [1, text])]
  end
end
