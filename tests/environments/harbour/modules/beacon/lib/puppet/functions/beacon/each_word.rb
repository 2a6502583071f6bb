# frozen_string_literal: true

# Gives each word, with its place, to a block.
Puppet::Functions.create_function(:'beacon::each_word') do
  dispatch :each_word do
    param 'String', :text
    block_param 'Callable[String, Integer]', :block
  end

  def each_word(text)
    text.split.each_with_index.map { |word, index| yield(call_function('beacon::shout', word), index) }
  end
end
