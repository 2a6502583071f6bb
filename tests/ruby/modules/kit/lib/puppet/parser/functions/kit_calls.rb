Puppet::Parser::Functions.newfunction(:kit_calls, type: :rvalue) do |args|
  Puppet::Parser::Functions.function(:kit_old)
  [function_kit_old([1, 2]), function_sprintf(['%d!', 3]), call_function('kit::add', [1, 2]), function_kit_least([nil])]
end
