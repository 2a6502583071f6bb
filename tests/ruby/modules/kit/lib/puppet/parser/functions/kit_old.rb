Puppet::Parser::Functions.newfunction(:kit_old, type: :rvalue, arity: 2, doc: 'A function.') do |args|
  "#{args[0]} and #{args[1]}"
end
