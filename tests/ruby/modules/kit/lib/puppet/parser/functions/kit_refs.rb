# frozen_string_literal: true

# The references of all resources, and whether the one of the caller has some tags.
Puppet::Parser::Functions.newfunction(:kit_refs, type: :rvalue) do |args|
  [catalog.resource_refs.sort, catalog.resource('Class', 'c::d').title, args.map { |tag| resource.tagged?(tag) }]
end
