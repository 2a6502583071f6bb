# frozen_string_literal: true

# A backend of Hiera: one key is known, another one is refused.
Puppet::Functions.create_function(:'beacon::backend') do
  dispatch :find do
    param 'String[1]', :key
    param 'Hash[String[1], Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def find(key, options, context)
    context.not_found unless key == options['known']
    context.cache('asked', (context.cached_value('asked') || 0) + 1)
    context.explain { "known: #{key}" }
    "backed by #{context.environment_name} #{context.interpolate('%{facts.networking.hostname}')}"
  end
end
