# data by key
Puppet::Functions.create_function(:'kit::keys') do
  dispatch :keys do
    param 'Variant[String, Numeric]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def keys(key, options, context)
    case key
    when 'found' then "#{options['prefix']} #{context.environment_name} #{context.module_name.inspect}"
    when 'nothing' then nil
    when 'interpolated' then context.interpolate('on %{facts.role}')
    when 'cached'
      count = context.cache_has_key('count') ? context.cached_value('count') : 0
      context.cache('count', count + 1)
      context.cache_all('other' => 1)
      context.cached_entries { |name, value| count += value unless name == 'count' }
      [count, context.cached_entries.to_a]
    when 'explained' then context.explain { 'never shown' }.inspect
    when 'filed'
      path = File.expand_path('../../../../templates/t.erb', __dir__)
      [context.cached_file_data(path) { |text| text.lines.size }, context.cached_file_data(path).size]
    when 'failing' then raise ArgumentError, 'no data today'
    else context.not_found
    end
  end
end
