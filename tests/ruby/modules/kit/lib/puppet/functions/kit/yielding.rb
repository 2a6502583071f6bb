# lambdas
Puppet::Functions.create_function(:'kit::yielding') do
  dispatch :required do
    param 'Integer', :times
    block_param 'Callable[1, 2]', :block
  end

  dispatch :optional do
    param 'String', :text
    optional_block_param
  end

  def required(times)
    (1..times).map { |number| yield(number) }
  end

  def optional(text, &block)
    block ? block.call(text, block.arity) : "no block for #{text}"
  end
end
