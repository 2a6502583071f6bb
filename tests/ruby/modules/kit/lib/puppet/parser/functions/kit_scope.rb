Puppet::Parser::Functions.newfunction(:kit_scope, type: :rvalue) do |args|
  [lookupvar(args[0]), self[args[0]], lookupvar("::#{args[0]}"), include?(args[0])]
end
