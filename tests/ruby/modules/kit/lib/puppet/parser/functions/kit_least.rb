module Puppet::Parser::Functions
  newfunction(:kit_least, :type => :rvalue, :arity => -2, :doc => <<-EOS
    At least one argument.
  EOS
  ) do |args|
    args.map { |arg| arg.class.name.split('::').last }
  end
end
