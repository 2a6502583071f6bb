# frozen_string_literal: true

# Tells of the resource types in modules what Ruby knows when it has run them: reads a line {"modulepath", "types"},
# prints an object: name -> {"attributes", "namevars", "patterns", "isomorphic"} or {"error"}.

require_relative '../released/home'

Puppet::Util::Log.level = :emerg

def told(name)
  type = Puppet::Type.type(name.to_sym)
  return { error: 'there is no such type' } if type.nil?

  { attributes: type.parameters.map { |one| [one, 'param'] }.to_h.merge(type.properties.map { |one| [one.name, 'property'] }.to_h),
    namevars: type.key_attributes,
    patterns: type.title_patterns.map { |pattern, attributes| [pattern.to_s, attributes.map(&:first)] },
    isomorphic: type.isomorphic? }
rescue StandardError, ScriptError => e
  { error: e.message }
end

request = JSON.parse($stdin.gets)
environment = Puppet::Node::Environment.create(:production, request['modulepath'])
Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
  puts JSON.generate(request['types'].to_h { |name| [name, told(name)] })
end
