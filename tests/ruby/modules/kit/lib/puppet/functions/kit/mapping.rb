Puppet::Functions.create_function(:'kit::mapping') do
  dispatch :map do
    param 'Array', :list
  end

  def map(list)
    sum = 0
    doubled = call_function('map', list) { |element| element * 2 }
    call_function('each', list) { |element| sum += element }
    pairs = call_function('map', list) { |index, element| [index, element] }
    [doubled, sum, pairs]
  end
end
