# calls of other functions
Puppet::Functions.create_function(:'kit::calling') do
  dispatch :forward do
    param 'String', :name
    repeated_param 'Any', :arguments
    optional_block_param
  end

  def forward(name, *arguments, &block)
    call_function(name, *arguments, &block)
  end
end
