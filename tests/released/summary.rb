# frozen_string_literal: true

# Resources of a catalog of the released Puppet, a line each as our own summary writes them.

BUILT_IN = %w[Stage[main] Class[Settings] Class[main]].freeze

def literal(value)
  case value
  when nil, :undef then 'undef'
  when :default then 'default'
  when Puppet::Resource then value.ref
  when Array then "[#{value.map { |item| literal(item) }.join(', ')}]"
  when Hash then "{#{value.map { |key, item| "#{literal(key)} => #{literal(item)}" }.join(', ')}}"
  else Puppet::Pops::Types::StringConverter.singleton.convert(value, '%p')
  end
end

def line(resource)
  shown = resource.to_hash.reject { |name, value| %i[name title].include?(name) && value == resource.title }
  attributes = shown.map { |name, value| "#{name} => #{literal(value)}" }.sort
  mark = resource.virtual? ? (resource.exported? ? '@@' : '@') : ''
  attributes.empty? ? mark + resource.ref : "#{mark}#{resource.ref} { #{attributes.join(', ')} }"
end
