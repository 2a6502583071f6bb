# frozen_string_literal: true

# Values as texts of the language.

def text(value)
  case value
  when nil then 'undef'
  when Array then "[#{value.map { |element| text(element) }.join(', ')}]"
  when Hash then "{#{value.map { |key, element| "#{text(key)} => #{text(element)}" }.join(', ')}}"
  else Puppet::Pops::Types::StringConverter.convert(value, '%p')
  end
end
