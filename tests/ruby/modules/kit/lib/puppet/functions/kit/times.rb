# a lambda with one parameter
Puppet::Functions.create_function(:'kit::times') do
  dispatch :times do
    param 'Integer', :times
    block_param 'Callable[1, 1]', :block
  end

  def times(times)
    (1..times).map { |number| yield(number) }
  end
end
