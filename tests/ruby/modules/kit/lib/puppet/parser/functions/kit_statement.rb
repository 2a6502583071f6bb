Puppet::Parser::Functions.newfunction(:kit_statement) do |args|
  function_notice(["stated #{args.join(',')}"])
  'never given'
end
