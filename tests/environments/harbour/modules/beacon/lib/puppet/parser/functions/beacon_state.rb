# frozen_string_literal: true

# On for intervals that are long enough.
module Puppet::Parser::Functions
  newfunction(:beacon_state, type: :rvalue, arity: -2) do |args|
    raise Puppet::ParseError, 'beacon_state(): an Integer is needed' unless args[0].is_a?(Integer)

    name = lookupvar('facts')['networking']['hostname']
    args[0] > 10 && !name.empty? ? 'on' : 'off'
  end
end
