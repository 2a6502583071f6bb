# several dispatches
Puppet::Functions.create_function(:'kit::kinds') do
  dispatch :text do
    param 'String', :text
  end

  dispatch :numbers do
    repeated_param 'Numeric', :numbers
  end

  dispatch :table do
    param 'Hash[String, Any]', :table
    required_repeated_param 'String', :keys
  end

  def text(text)
    "text #{text}"
  end

  def numbers(*numbers)
    "numbers #{numbers.sum}"
  end

  def table(table, *keys)
    keys.map { |key| table[key] }
  end
end
