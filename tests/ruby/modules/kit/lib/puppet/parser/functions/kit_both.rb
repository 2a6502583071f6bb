Puppet::Parser::Functions.newfunction(:kit_both, type: :rvalue) do |args|
  'the older one'
end
