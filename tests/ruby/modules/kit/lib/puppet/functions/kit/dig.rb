Puppet::Functions.create_function(:'kit::dig') do
  dispatch :dig do
    param 'Array[Variant[String, Integer]]', :path
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def dig(path, options, context)
    path.first == 'dug' ? path.join('-') : context.not_found
  end
end
