Puppet::Parser::Functions.newfunction(:kit_defining, type: :rvalue) do |args|
  helper
end

def helper
  1
end
