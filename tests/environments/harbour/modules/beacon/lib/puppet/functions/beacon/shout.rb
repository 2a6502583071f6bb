# frozen_string_literal: true

# Says a text loudly.
Puppet::Functions.create_function(:'beacon::shout') do
  dispatch :times do
    param 'String', :text
    optional_param 'Integer[1, 9]', :count
    return_type 'String'
  end

  def times(text, count = 1)
    ([text.upcase] * count).join('! ') + '!'
  end
end
