Puppet::Parser::Functions.newfunction(:kit_elsewhere, type: :rvalue) { |args| 1 }
