Puppet::Functions.create_function(:'kit::table') do
  dispatch :table do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def table(options, context)
    { :symbol => 1, 'of_symbols' => { a: 1 }, 'role' => options['text'], 'of_table' => [1, 2], 'nested' => { 'a' => '%{facts.role}' } }
  end
end
