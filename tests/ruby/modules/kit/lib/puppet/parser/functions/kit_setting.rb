Puppet::Parser::Functions.newfunction(:kit_setting) do |args|
  setvar(args[0], args[1])
end
