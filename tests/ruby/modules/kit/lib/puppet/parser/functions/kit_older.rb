Puppet::Parser::Functions.newfunction(:kit_older, type: :rvalue) do |args|
  function_kit_both(args)
end
