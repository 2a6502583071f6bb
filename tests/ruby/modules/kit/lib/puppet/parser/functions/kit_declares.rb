Puppet::Parser::Functions.newfunction(:kit_declares) do |args|
  args[0].each do |title|
    function_create_resources(['notify', { title => { 'message' => 'declared' } }])
  end
  raise 'not there' unless findresource("Notify[#{args[0].first}]")

  made = Puppet::Parser::Resource.new(:notify, 'made', scope: self, source: source)
  made.set_parameter(:message, 'by hand')
  compiler.add_resource(self, made)
end
