# what explains why arguments do not fit
Puppet::Functions.create_function(:'kit::refusing') do
  dispatch :fine do
    param 'Integer', :number
  end

  argument_mismatch :odd do
    param 'String', :text
  end

  def fine(number)
    number
  end

  def odd(text)
    "wants a number, and no text like #{text}"
  end
end
