Puppet::Parser::Functions.newfunction(:kit_raising, type: :rvalue) do |args|
  raise Puppet::ParseError, "kit_raising(): Wrong number of arguments given (#{args.size} for 1)" if args.size != 1

  raise ArgumentError, 'a bad argument' if args[0] == 'argument'

  args[0].no_such_method
end
