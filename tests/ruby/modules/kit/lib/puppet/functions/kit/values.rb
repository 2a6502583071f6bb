# values of all kinds, and what Ruby sees of them
Puppet::Functions.create_function(:'kit::values') do
  dispatch :show do
    param 'Any', :value
  end

  def show(value)
    [value.class.name.split('::').last, value.to_s, value]
  end
end
